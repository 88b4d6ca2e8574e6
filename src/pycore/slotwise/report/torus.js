// The nodes of a torus at one moment, slice beside slice, each job in its own colour.

const GOLDEN = 0.6180339887498949;
const SHADES = [
  [0.62, 0.86],
  [0.8, 0.62],
  [0.38, 0.95],
  [0.55, 0.45],
];

// The colours of slotwise.pictures: hues advance by the golden ratio.
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

// Pixels between slices, and above each slice for its label.
const GAP = 6,
  LABEL = 14;

// Label of a slice, "x = 3, y = 0": its position on the cut axes, given as [name, side].
function sliceLabel(slice, axes) {
  const parts = [];
  for (const [name, side] of axes.slice().reverse()) {
    parts.unshift(`${name} = ${slice % side}`);
    slice = Math.floor(slice / side);
  }
  return parts.join(", ");
}

class TorusPicture {
  constructor(redraw) {
    this.surface = new Surface("torus", redraw);
    this.sheet = document.createElement("canvas");
    this.context = this.sheet.getContext("2d");
  }

  // Draws `run` at instant `time`.
  draw(run, time) {
    const { torus } = run;
    this.jobAt = this.jobsOf(run, time);
    this.layOut(torus);
    this.paintSheet(run);
    const { rows, columns, slices, axes } = torus;
    const context = this.surface.begin();
    context.imageSmoothingEnabled = false;
    context.fillStyle = styleColour("muted");
    context.textAlign = "left";
    const width = columns * this.scale,
      height = rows * this.scale;
    for (let slice = 0; slice < slices; slice++) {
      const [x, y] = this.cornerOf(slice);
      context.drawImage(this.sheet, 0, slice * rows, columns, rows, x, y, width, height);
      const label = sliceLabel(slice, axes);
      if (context.measureText(label).width <= width) context.fillText(label, x, y - LABEL / 2);
    }
  }

  // Draws the slices below each other, one pixel per node.
  paintSheet({ torus, cell }) {
    this.sheet.width = torus.columns;
    this.sheet.height = torus.rows * torus.slices;
    const image = this.context.createImageData(this.sheet.width, this.sheet.height);
    const free = rgbOf(styleColour("idle"));
    for (let position = 0; position < cell.length; position++) {
      const job = this.jobAt[position];
      image.data.set([...(job < 0 ? free : jobColour(job)), 255], 4 * cell[position]);
    }
    this.context.putImageData(image, 0, 0);
  }

  // Returns the row of the job at each position of the order, or -1.
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

  // Places as many slices side by side as makes nodes largest.
  layOut({ slices, rows, columns }) {
    const { width, height } = this.surface;
    this.scale = 0;
    for (let across = 1; across <= slices; across++) {
      const down = Math.ceil(slices / across);
      const scale = Math.min(
        ((width + GAP) / across - GAP) / columns,
        ((height + GAP) / down - GAP - LABEL) / rows,
      );
      if (scale > this.scale)
        Object.assign(this, { across, scale, stepX: columns * scale + GAP });
    }
    this.stepY = rows * this.scale + GAP + LABEL;
  }

  // Position of a slice, in CSS pixels.
  cornerOf(slice) {
    return [
      (slice % this.across) * this.stepX,
      Math.floor(slice / this.across) * this.stepY + LABEL,
    ];
  }

  // Counts jobs, their nodes, and the slots of the free nodes.
  words() {
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
    const nodes = this.jobAt.length;
    let left = "none is free";
    if (slots === 1) left = `${count(free)} free, in one slot`;
    else if (slots > 1)
      left = `${count(free)} free in ${count(slots)} slots, the largest of ${count(largest)}`;
    return (
      `${count(jobs.size)} ${jobs.size === 1 ? "job" : "jobs"} on ` +
      `${count(nodes - free)} of ${count(nodes)} nodes; ${left}`
    );
  }

  // Returns the job on the node at a point of the canvas, in CSS pixels, or -1.
  jobUnder(run, x, y) {
    const { rows, columns, slices } = run.torus;
    const slice = Math.floor(y / this.stepY) * this.across + Math.floor(x / this.stepX);
    if (x >= this.across * this.stepX || slice >= slices) return -1;
    const [left, top] = this.cornerOf(slice);
    const column = Math.floor((x - left) / this.scale),
      row = Math.floor((y - top) / this.scale);
    if (column >= columns || row < 0 || row >= rows) return -1;
    return this.jobAt[run.cell.indexOf((slice * rows + row) * columns + column)];
  }
}
