// The nodes of a torus at a moment, one slice beside the other, each job in a colour of its own.

const GOLDEN = 0.6180339887498949;
const SHADES = [
  [0.62, 0.86],
  [0.8, 0.62],
  [0.38, 0.95],
  [0.55, 0.45],
];

// As slotwise.pictures has it: hues go round by the golden ratio.
function jobColour(row) {
  const hue = (row * GOLDEN) % 1,
    [saturation, value] = SHADES[row % SHADES.length];
  return [5, 3, 1].map((n) => {
    const k = (n + 6 * hue) % 6;
    return Math.round(
      255 * value * (1 - saturation * Math.max(0, Math.min(k, 4 - k, 1))),
    );
  });
}

class TorusPicture {
  constructor(redraw) {
    this.surface = new Surface("torus", redraw);
    this.sheet = document.createElement("canvas");
    this.context = this.sheet.getContext("2d");
  }

  // Of `run` at instant `time`; gives how many jobs, busy nodes, slots, and nodes of the largest.
  draw(run, time) {
    const { torus } = run;
    this.jobAt = this.jobsOf(run, time);
    const { slices, rows, columns } = torus;
    this.layOut(slices, rows, columns);
    const { across, scale } = this;
    this.sheet.width = across * (columns + this.gap) - this.gap;
    this.sheet.height = Math.ceil(slices / across) * (rows + this.gap) - this.gap;
    const image = this.context.createImageData(this.sheet.width, this.sheet.height);
    const free = rgbOf(styleColour("idle"));
    for (let position = 0; position < this.jobAt.length; position++) {
      const job = this.jobAt[position];
      const [x, y] = this.cellOf(torus, run.cell[position]);
      image.data.set([...(job < 0 ? free : jobColour(job)), 255], 4 * (y * this.sheet.width + x));
    }
    this.context.putImageData(image, 0, 0);
    const context = this.surface.begin();
    context.imageSmoothingEnabled = false;
    context.drawImage(this.sheet, 0, 0, this.sheet.width * scale, this.sheet.height * scale);
    return this.facts();
  }

  // The row of the job on each position of the order, or -1.
  jobsOf(run, time) {
    const { job, start, end, first, count: size } = run.bar;
    const { each } = run.torus;
    const jobs = new Int32Array(run.cell.length).fill(-1);
    for (const [from, to] of run.ranges(time, time))
      for (let i = from; i < to; i++)
        if (start[i] <= time && time < end[i])
          jobs.fill(job[i], first[i] / each, Math.ceil((first[i] + size[i]) / each));
    return jobs;
  }

  // As many slices beside each other as lets a node be largest; a node's width apart, or a pixel.
  layOut(slices, rows, columns) {
    const { width, height } = this.surface;
    this.gap = Math.max(1, Math.round(columns / 12));
    this.scale = 0;
    for (let across = 1; across <= slices; across++) {
      const down = Math.ceil(slices / across);
      const scale = Math.min(
        width / (across * (columns + this.gap) - this.gap),
        height / (down * (rows + this.gap) - this.gap),
      );
      if (scale > this.scale) Object.assign(this, { across, scale });
    }
  }

  cellOf({ rows, columns }, cell) {
    const slice = Math.floor(cell / (rows * columns)),
      within = cell % (rows * columns);
    return [
      (slice % this.across) * (columns + this.gap) + (within % columns),
      Math.floor(slice / this.across) * (rows + this.gap) + Math.floor(within / columns),
    ];
  }

  facts() {
    let free = 0,
      slots = 0,
      largest = 0,
      length = 0;
    for (const job of this.jobAt) {
      length = job < 0 ? length + 1 : 0;
      if (job < 0) free++;
      if (length === 1) slots++;
      if (length > largest) largest = length;
    }
    const jobs = new Set(this.jobAt);
    jobs.delete(-1);
    return { jobs: jobs.size, free, slots, largest };
  }

  // The job on the node at a point of the canvas, in CSS pixels, or -1.
  jobUnder(run, x, y) {
    const column = Math.floor(x / this.scale),
      row = Math.floor(y / this.scale);
    const position = run.cell.findIndex((cell) => {
      const [cellX, cellY] = this.cellOf(run.torus, cell);
      return cellX === column && cellY === row;
    });
    return position < 0 ? -1 : this.jobAt[position];
  }
}
