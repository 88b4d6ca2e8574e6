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
    const k = group(job);
    waits[k].add(run.wait[job]);
    slowdowns[k].add(run.boundedSlowdown(job, threshold));
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

// The section of distributions: one line per schedule, or per size of job of the shown schedule.
class Distributions {
  constructor(app) {
    this.app = app;
    this.found = new Map();
    this.hidden = new Hidden();
    const redraw = () => this.draw();
    this.waits = new DistributionChart("waits", WAIT_TICKS, roundDuration, redraw);
    this.slowdowns = new DistributionChart("slowdowns", RATIO_TICKS, shortCount, redraw);
    for (const chart of [this.waits, this.slowdowns]) {
      chart.surface.canvas.addEventListener("pointermove", (event) => this.hover(event, chart));
      chart.surface.canvas.addEventListener("pointerleave", () => app.leave());
    }
    element("lines").addEventListener("change", redraw);
  }

  // Distributions of a run, of all jobs or of each size; computed once.
  of(run, kind) {
    const { runs, trace, page } = this.app;
    const key = `${runs.indexOf(run)} ${kind}`;
    if (!this.found.has(key)) {
      const sizes = kind === "sizes" ? classify(trace.processors, trace.sizes) : null;
      const group = (job) => (sizes ? sizes[job] : 0);
      const groups = sizes ? trace.sizes.length : 1;
      this.found.set(key, distributionsOf(run, page.threshold, groups, group));
    }
    return this.found.get(key);
  }

  // Lines of one chart, `which` is "waits" or "slowdowns".
  lines(which) {
    const { runs, shown, trace } = this.app;
    if (element("lines").value === "runs")
      return runs.map((run, k) => ({
        name: run.name,
        colour: palette().lines[k % 7],
        data: this.of(run, "all")[which][0],
        bold: run === shown,
      }));
    const classes = this.of(shown, "sizes")[which].map((data, k) => ({
      name: trace.sizes[k][1],
      colour: palette().kinds[k],
      data,
    }));
    const data = this.of(shown, "all")[which][0];
    return [...classes, { name: "all jobs", colour: styleColour("ink"), data, bold: true }];
  }

  draw() {
    if (!this.app.shown) return;
    const seen = (line) => !this.hidden.has(line.name);
    const waits = this.lines("waits").filter((line) => line.data.total > 0);
    this.waits.draw(waits.filter(seen));
    this.slowdowns.draw(this.lines("slowdowns").filter(seen));
    const entries = waits.map(({ name, colour }) => ({
      name,
      colour,
      hidden: this.hidden.has(name),
    }));
    fillLegend("lines-legend", entries, (k) => {
      this.hidden.toggle(waits[k].name);
      this.draw();
    });
  }

  hover(event, chart) {
    const figure = chart.surface.canvas.parentElement;
    const value = chart.valueAt(event.clientX - figure.getBoundingClientRect().left);
    if (value === null) return this.app.leave();
    const head =
      chart === this.waits
        ? `waited at most ${duration(value)}`
        : `slowdown at most ${shortCount(+value.toPrecision(3))}`;
    const rows = chart.lines.map((line) => [
      line.name,
      `${(100 * line.data.shareAt(value)).toFixed(1)} %`,
    ]);
    return showTip(event, figure, head, rows);
  }
}
