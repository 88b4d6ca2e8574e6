// The zoomed-out picture: the share of each pixel's processor-seconds that jobs take, in the mean of their colours. Exact
// at every zoom, because each bar adds the area it covers of each pixel.

class HeatMap {
  constructor() {
    this.sheet = document.createElement("canvas");
    this.context = this.sheet.getContext("2d");
    this.cells = new Float32Array(0);
  }

  // Gives a canvas of width × height pixels showing `view`; colour number k is `rgb[k]`, three values 0 to 255.
  draw(run, view, width, height, numbers, rgb) {
    const size = width * height * 4;
    if (this.cells.length !== size) this.cells = new Float32Array(size);
    this.cells.fill(0);
    this.accumulate(run, view, width, height, numbers, rgb);
    return this.paint(width, height);
  }

  accumulate(run, view, width, height, numbers, rgb) {
    const { job, start, end, first, count: size } = run.bar;
    const scaleX = width / (view.t1 - view.t0), scaleY = height / (view.p1 - view.p0);
    for (const [from, to] of run.ranges(view.t0, view.t1)) {
      for (let i = from; i < to; i++) {
        const x0 = Math.max(0, (start[i] - view.t0) * scaleX), x1 = Math.min(width, (end[i] - view.t0) * scaleX);
        const y0 = Math.max(0, (view.p1 - first[i] - size[i]) * scaleY), y1 = Math.min(height, (view.p1 - first[i]) * scaleY);
        if (x1 > x0 && y1 > y0) this.cover(x0, x1, y0, y1, width, rgb[numbers[job[i]]]);
      }
    }
  }

  cover(x0, x1, y0, y1, width, colour) {
    const { cells } = this;
    const [red, green, blue] = colour;
    const lastX = Math.ceil(x1) - 1, lastY = Math.ceil(y1) - 1;
    for (let y = Math.floor(y0); y <= lastY; y++) {
      const tall = Math.min(y1, y + 1) - Math.max(y0, y);
      for (let x = Math.floor(x0), at = (y * width + x) * 4; x <= lastX; x++, at += 4) {
        const area = tall * (Math.min(x1, x + 1) - Math.max(x0, x));
        cells[at] += area * red;
        cells[at + 1] += area * green;
        cells[at + 2] += area * blue;
        cells[at + 3] += area;
      }
    }
  }

  paint(width, height) {
    const { cells, sheet, context } = this;
    if (sheet.width !== width || sheet.height !== height) Object.assign(sheet, { width, height });
    const image = context.createImageData(width, height);
    const pixels = image.data;
    for (let at = 0; at < pixels.length; at += 4) {
      const share = cells[at + 3];
      if (share <= 0) continue;
      pixels[at] = cells[at] / share;
      pixels[at + 1] = cells[at + 1] / share;
      pixels[at + 2] = cells[at + 2] / share;
      pixels[at + 3] = 255 * Math.min(1, share);
    }
    context.putImageData(image, 0, 0);
    return sheet;
  }
}

const rgbOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
