// The heat map: the share of each pixel's processor-seconds used by jobs, in their mean colour.
// It is exact at every zoom, as each bar adds the area that it covers of each pixel.

class HeatMap {
  constructor() {
    this.sheet = document.createElement("canvas");
    this.context = this.sheet.getContext("2d");
    this.cells = this.steps = new Float32Array(0);
  }

  // Returns a canvas of width × height pixels showing `view`; colour number k is `rgb[k]`, three
  // values 0 to 255, or null for hidden jobs.
  draw(run, view, width, height, numbers, rgb) {
    const size = width * height * 4;
    if (this.cells.length !== size) {
      this.cells = new Float32Array(size);
      this.steps = new Float32Array(size);
    }
    this.cells.fill(0);
    this.steps.fill(0);
    this.accumulate(run, view, width, height, numbers, rgb);
    return this.paint(width, height);
  }

  accumulate(run, view, width, height, numbers, rgb) {
    const { job, start, end, first, count: size } = run.bar;
    const scaleX = width / (view.t1 - view.t0),
      scaleY = height / (view.p1 - view.p0);
    for (const [from, to] of run.ranges(view.t0, view.t1)) {
      for (let i = from; i < to; i++) {
        const colour = rgb[numbers[job[i]]];
        if (colour === null) continue;
        const x0 = Math.max(0, (start[i] - view.t0) * scaleX),
          x1 = Math.min(width, (end[i] - view.t0) * scaleX);
        const y0 = Math.max(0, (view.p1 - first[i] - size[i]) * scaleY),
          y1 = Math.min(height, (view.p1 - first[i]) * scaleY);
        if (x1 > x0 && y1 > y0) this.cover(x0, x1, y0, y1, width, colour);
      }
    }
  }

  // Adds a rectangle, in pixels. Inside its width only the first pixel and the one after the last
  // change; `paint` sums these steps along the row, so the work does not grow with the width.
  cover(x0, x1, y0, y1, width, colour) {
    const { cells, steps } = this;
    const firstX = Math.floor(x0),
      lastX = Math.ceil(x1) - 1,
      lastY = Math.ceil(y1) - 1;
    const before = Math.min(x1, firstX + 1) - x0,
      after = x1 - lastX;
    for (let y = Math.floor(y0); y <= lastY; y++) {
      const tall = Math.min(y1, y + 1) - Math.max(y0, y);
      const row = y * width;
      add(cells, (row + firstX) * 4, tall * before, colour);
      if (lastX === firstX) continue;
      add(cells, (row + lastX) * 4, tall * after, colour);
      if (lastX === firstX + 1) continue;
      add(steps, (row + firstX + 1) * 4, tall, colour);
      add(steps, (row + lastX) * 4, -tall, colour);
    }
  }

  paint(width, height) {
    const { cells, steps, sheet, context } = this;
    if (sheet.width !== width || sheet.height !== height) Object.assign(sheet, { width, height });
    const image = context.createImageData(width, height);
    const pixels = image.data;
    for (let y = 0, at = 0; y < height; y++) {
      let red = 0,
        green = 0,
        blue = 0,
        share = 0;
      for (let x = 0; x < width; x++, at += 4) {
        red += steps[at];
        green += steps[at + 1];
        blue += steps[at + 2];
        share += steps[at + 3];
        const all = share + cells[at + 3];
        if (all < 1e-3) continue;
        pixels[at] = (red + cells[at]) / all;
        pixels[at + 1] = (green + cells[at + 1]) / all;
        pixels[at + 2] = (blue + cells[at + 2]) / all;
        pixels[at + 3] = 255 * Math.min(1, all);
      }
    }
    context.putImageData(image, 0, 0);
    return sheet;
  }
}

function add(cells, at, area, colour) {
  cells[at] += area * colour[0];
  cells[at + 1] += area * colour[1];
  cells[at + 2] += area * colour[2];
  cells[at + 3] += area;
}

const rgbOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
