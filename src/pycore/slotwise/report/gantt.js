// The chart of jobs on processors: a heat map for many visible bars, single bars for few.

// Above this number the heat map is faster to draw, and bars are too small to distinguish.
const MOST_BARS = 12000;
const AXIS = 24;

class Gantt {
  constructor(view, clock, redraw) {
    Object.assign(this, { view, clock, selected: -1, heat: new HeatMap() });
    this.surface = new Surface("gantt", redraw);
    this.drawn = { mode: "", bars: 0, culled: 0, milliseconds: 0 };
  }

  show(run, colouring) {
    this.run = run;
    this.colouring = colouring;
  }

  area() {
    return { top: 1, height: this.surface.height - AXIS - 1 };
  }

  yOf(processor) {
    const { top, height } = this.area();
    return top + ((this.view.p1 - processor) / (this.view.p1 - this.view.p0)) * height;
  }

  draw() {
    const began = performance.now();
    const { view, surface } = this;
    const context = surface.begin();
    const { top, height } = this.area();
    const width = surface.width - LEFT - RIGHT;
    const visible = this.visible();
    context.fillStyle = styleColour("idle");
    context.fillRect(LEFT, top, width, height);
    this.drawAboveMachine(context);
    const mode = visible.length > MOST_BARS ? "heat" : "bars";
    context.save();
    context.beginPath();
    context.rect(LEFT, top, width, height);
    context.clip();
    if (mode === "heat") this.drawHeat(context, top, width, height);
    else this.drawBars(context, visible);
    this.drawSelected(context);
    context.restore();
    this.drawProcessorAxis(context);
    drawTimeAxis(context, view, this.clock, surface.width, top, top + height, surface.height);
    this.drawn = {
      mode,
      bars: mode === "bars" ? visible.length : 0,
      culled: this.run.bar.job.length - visible.length,
      visible: visible.length,
      milliseconds: performance.now() - began,
    };
  }

  // Bars that meet the window, ascending by start.
  visible() {
    const { view, run } = this;
    const { end, first, count: size } = run.bar;
    this.found ??= new Uint32Array(1024);
    let n = 0;
    for (const [from, to] of run.ranges(view.t0, view.t1)) {
      if (this.found.length < n + to - from) {
        const larger = new Uint32Array(2 * (n + to - from));
        larger.set(this.found);
        this.found = larger;
      }
      for (let i = from; i < to; i++) {
        if (end[i] >= view.t0 && first[i] < view.p1 && first[i] + size[i] > view.p0)
          this.found[n++] = i;
      }
    }
    return this.found.subarray(0, n);
  }

  drawHeat(context, top, width, height) {
    const { view, colouring } = this;
    const sheet = this.heat.draw(
      this.run,
      view,
      Math.round(width),
      Math.round(height),
      colouring.numbers,
      colouring.colours.map((colour) => (colour === null ? null : rgbOf(colour))),
    );
    context.drawImage(sheet, LEFT, top, width, height);
  }

  // Fills once per colour, null for hidden jobs; a bar is at least a pixel wide, with a gap around it if it is large
  // enough.
  drawBars(context, visible) {
    const { numbers, colours } = this.colouring;
    const { job } = this.run.bar;
    const byColour = colours.map(() => []);
    for (const i of visible) byColour[numbers[job[i]]].push(i);
    byColour.forEach((bars, number) => {
      if (colours[number] === null) return;
      context.fillStyle = colours[number];
      for (const i of bars) {
        const [x, y, w, h] = this.box(i);
        const gapX = w > 4 ? 1 : 0,
          gapY = h > 5 ? 1 : 0;
        context.fillRect(x, y, Math.max(1, w - gapX), h - gapY);
      }
    });
  }

  // Returns x, y, width and height of a bar, cut just outside the window.
  box(i) {
    const { view, surface } = this;
    const { start, end, first, count: size } = this.run.bar;
    const x0 = Math.max(LEFT - 4, view.xOfTime(start[i], surface.width));
    const x1 = Math.min(surface.width + 4, view.xOfTime(end[i], surface.width));
    const y0 = this.yOf(first[i] + size[i]);
    return [x0, y0, x1 - x0, this.yOf(first[i]) - y0];
  }

  drawSelected(context) {
    if (this.selected < 0 || !this.run.started(this.selected)) return;
    const from = this.run.barOf[this.selected];
    context.lineWidth = 2;
    for (let i = from; i < from + this.run.pieces[this.selected]; i++) {
      const [x, y, w, h] = this.box(i);
      context.strokeStyle = styleColour("card");
      context.strokeRect(x - 2.5, y - 2.5, Math.max(3, w) + 5, Math.max(3, h) + 5);
      context.strokeStyle = styleColour("ink");
      context.strokeRect(x - 1, y - 1, Math.max(3, w) + 2, Math.max(3, h) + 2);
    }
  }

  // Schedules that overbook the machine lie partly above its last processor.
  drawAboveMachine(context) {
    const { run, surface } = this;
    if (run.extent <= run.processors) return;
    const { top, height } = this.area();
    const y = Math.min(top + height, Math.max(top, this.yOf(run.processors)));
    context.fillStyle = styleColour("shade");
    context.fillRect(LEFT, top, surface.width - LEFT - RIGHT, y - top);
  }

  // Draws lines between nodes if there is room, and the names of some; long names lose their front.
  drawNodeAxis(context) {
    const { view, surface } = this;
    const { top, height } = this.area();
    const { first, names } = this.run.nodes;
    const total = first.length - 1;
    const from = Math.max(0, lastAtMost(first, view.p0)),
      to = Math.min(total, lastAtMost(first, view.p1) + 1);
    const each = height / Math.max(1, to - from);
    const step = Math.ceil(Math.max(1, niceStep(to - from, Math.max(2, height / 26))));
    context.textAlign = "right";
    for (let node = from; node < to; node++) {
      const low = this.yOf(first[node]),
        y = (low + this.yOf(first[node + 1])) / 2;
      if (each > 5 && low > top && low < top + height) {
        context.fillStyle = styleColour("ink");
        context.globalAlpha = 0.18;
        context.fillRect(LEFT, Math.round(low), surface.width - LEFT - RIGHT, 1);
        context.globalAlpha = 1;
      }
      if (node % step || y < top || y > top + height) continue;
      context.fillStyle = styleColour("muted");
      const at = Math.min(top + height - 5, Math.max(top + 6, y));
      const name = names[node];
      context.fillText(name.length > 9 ? `…${name.slice(-8)}` : name, LEFT - 8, at);
      context.fillRect(LEFT - 4, y - 0.5, 4, 1);
    }
  }

  drawProcessorAxis(context) {
    if (this.run.nodes) return this.drawNodeAxis(context);
    const { view } = this;
    const { top, height } = this.area();
    context.fillStyle = styleColour("muted");
    context.textAlign = "right";
    const step = niceStep(view.p1 - view.p0, Math.max(2, height / 70));
    for (let p = Math.ceil(view.p0 / step) * step; p <= view.p1; p += step) {
      const y = this.yOf(p);
      context.fillText(shortCount(p), LEFT - 8, Math.min(top + height - 5, Math.max(top + 6, y)));
      context.fillRect(LEFT - 4, y - 0.5, 4, 1);
    }
  }

  // Returns the bar at a point of the canvas, in CSS pixels, or -1.
  barAt(x, y) {
    const { view, surface } = this;
    const { top, height } = this.area();
    if (x < LEFT || x > surface.width - RIGHT || y < top || y > top + height) return -1;
    const t = view.timeOfX(x, surface.width);
    const processor = Math.floor(view.p1 - ((y - top) / height) * (view.p1 - view.p0));
    const slack = this.drawn.mode === "bars" ? (2 * (view.t1 - view.t0)) / surface.width : 0;
    const bar = this.run.barAt(t, processor, slack);
    const { numbers, colours } = this.colouring;
    return bar >= 0 && colours[numbers[this.run.bar.job[bar]]] === null ? -1 : bar;
  }
}

// Ticks, labels and faint lines of time below a chart whose plot lies from `top` to `bottom`.
function drawTimeAxis(context, view, clock, width, top, bottom, below) {
  const { step, times } = clock.ticks(view.t0, view.t1, (width - LEFT - RIGHT) / 95);
  context.textAlign = "center";
  for (const [k, t] of times.entries()) {
    const x = view.xOfTime(t, width);
    context.fillStyle = styleColour("ink");
    context.globalAlpha = 0.1;
    context.fillRect(Math.round(x), top, 1, bottom - top);
    context.globalAlpha = 1;
    const label = clock.tick(t, step, k === 0);
    const half = context.measureText(label).width / 2;
    context.fillStyle = styleColour("muted");
    context.fillRect(Math.round(x), bottom, 1, 4);
    context.fillText(
      label,
      Math.min(width - half - 1, Math.max(half, x)),
      (bottom + below) / 2 + 3,
    );
  }
}
