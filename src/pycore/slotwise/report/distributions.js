// Cumulative distributions on a logarithmic axis: the share of jobs with at most a value.

const BINS_A_DECADE = 60,
  DECADES = 9;

// Counts of values in logarithmic bins from 1 up, values below 1 first; returns cumulative shares
// at the upper ends of the bins.
class Cumulative {
  constructor() {
    this.counts = new Uint32Array(BINS_A_DECADE * DECADES + 2);
    this.total = 0;
    this.largest = 0;
  }

  add(value) {
    const bin =
      value < 1
        ? 0
        : 1 +
          Math.min(BINS_A_DECADE * DECADES, Math.floor(Math.log10(value) * BINS_A_DECADE + 1e-9));
    this.counts[bin]++;
    this.total++;
    if (value > this.largest) this.largest = value;
  }

  // [value, share at most the value], from 1 on.
  points() {
    const points = [];
    let sum = 0;
    for (let bin = 0; bin < this.counts.length; bin++) {
      sum += this.counts[bin];
      points.push([
        Math.min(10 ** (bin / BINS_A_DECADE), Math.max(1, this.largest)),
        sum / this.total,
      ]);
      if (sum === this.total) break;
    }
    return points;
  }

  shareAt(value) {
    const last = value < 1 ? 0 : Math.floor(Math.log10(value) * BINS_A_DECADE + 1e-9);
    let sum = 0;
    for (let bin = 0; bin <= Math.min(last, this.counts.length - 1); bin++) sum += this.counts[bin];
    return sum / this.total;
  }
}

// Distributions of waits and of bounded slowdowns, one per group; group(job) is a number below
// `groups`.
function distributionsOf(run, threshold, groups, group) {
  const waits = Array.from({ length: groups }, () => new Cumulative());
  const slowdowns = Array.from({ length: groups }, () => new Cumulative());
  for (const job of run.bySubmit) {
    const length = run.end[job] - run.start[job];
    const k = group(job);
    waits[k].add(run.wait[job]);
    slowdowns[k].add(Math.max(1, (run.wait[job] + length) / Math.max(length, threshold)));
  }
  return { waits, slowdowns };
}

const WAIT_TICKS = [
  1,
  10,
  MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
  DAY,
  7 * DAY,
  30 * DAY,
  100 * DAY,
  1000 * DAY,
];
const RATIO_TICKS = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8];

class DistributionChart {
  constructor(id, ticks, nameTick, redraw) {
    Object.assign(this, { ticks, nameTick, lines: [] });
    this.surface = new Surface(id, redraw);
  }

  // `lines` are { name, colour, data: Cumulative, bold }.
  draw(lines) {
    this.lines = lines.filter((line) => line.data.total > 0);
    const { surface } = this;
    const context = surface.begin();
    const bottom = surface.height - 26,
      top = 8;
    this.right = Math.max(10, ...this.lines.map((line) => line.data.largest)) * 1.05;
    const yOf = (share) => bottom - share * (bottom - top);
    this.drawGrid(context, yOf, top, bottom);
    for (const line of this.lines) {
      context.strokeStyle = line.colour;
      context.lineWidth = line.bold ? 2.6 : 1.6;
      context.beginPath();
      for (const [value, share] of line.data.points()) context.lineTo(this.xOf(value), yOf(share));
      context.lineTo(surface.width - RIGHT, yOf(1));
      context.stroke();
    }
  }

  xOf(value) {
    return (
      LEFT -
      8 +
      (Math.log(Math.max(1, value)) / Math.log(this.right)) *
        (this.surface.width - LEFT + 8 - RIGHT)
    );
  }

  valueAt(x) {
    const share = (x - LEFT + 8) / (this.surface.width - LEFT + 8 - RIGHT);
    return share < 0 || share > 1 ? null : this.right ** share;
  }

  drawGrid(context, yOf, top, bottom) {
    const { surface } = this;
    context.textAlign = "right";
    for (let share = 0; share <= 1; share += 0.25) {
      context.fillStyle = styleColour("grid");
      context.fillRect(LEFT - 8, Math.round(yOf(share)), surface.width - LEFT + 8 - RIGHT, 1);
      context.fillStyle = styleColour("muted");
      context.fillText(`${share * 100} %`, LEFT - 14, yOf(share));
    }
    context.textAlign = "center";
    let free = 0;
    for (const tick of this.ticks) {
      if (tick > this.right) break;
      const x = this.xOf(tick),
        label = this.nameTick(tick),
        half = context.measureText(label).width / 2;
      context.fillStyle = styleColour("grid");
      context.fillRect(Math.round(x), top, 1, bottom - top);
      if (x - half < free || x + half > surface.width) continue;
      context.fillStyle = styleColour("muted");
      context.fillText(label, x, bottom + 14);
      free = x + half + 8;
    }
  }
}
