// Lines over time above the Gantt chart, one per schedule, and the overview below it.

// A lane of step functions; `series` gives the Steps of a run, `top` the least upper end of the
// axis.
class Lane {
  constructor(id, view, series, top, redraw) {
    Object.assign(this, { view, series, top });
    this.surface = new Surface(id, redraw);
  }

  // Draws the lines of all but `hidden` runs, `shown` last, with the range of its values per pixel
  // behind its mean.
  draw(runs, hidden, shown, clock) {
    const { view, surface } = this;
    const seen = [...runs.keys()].filter((k) => !hidden.has(runs[k].name));
    const context = surface.begin();
    const width = Math.max(1, Math.floor(surface.width - LEFT - RIGHT));
    // Pixels per point of a line; finer lines are noise when zoomed out.
    const pixels = runs.length > 1 ? 4 : 2;
    const samples = runs.map((run) =>
      this.series(run).sample(view.t0, view.t1, Math.ceil(width / pixels)),
    );
    let most = this.top(shown);
    for (const k of seen) {
      const values = runs[k] === shown ? samples[k].high : samples[k].mean;
      for (const value of values) if (value > most) most = value;
    }
    this.isLogarithmic = differTenfold(seen.map((k) => this.series(runs[k]).average()));
    const share = this.isLogarithmic
      ? (value) => Math.log1p(value) / Math.log1p(most || 1)
      : (value) => value / (most || 1);
    const high = 6,
      low = surface.height - 5;
    const yOf = (value) => low - share(value) * (low - high);
    this.drawGrid(context, most, yOf, clock, high, low);
    const order = seen.sort((a, b) => (runs[a] === shown) - (runs[b] === shown));
    for (const k of order)
      this.drawLine(
        context,
        samples[k],
        yOf,
        palette().lines[k % 7],
        runs[k] === shown,
        runs.length > 1,
        width,
      );
    return most;
  }

  drawGrid(context, most, yOf, clock, high, low) {
    const { view, surface } = this;
    const { times } = clock.ticks(view.t0, view.t1, (surface.width - LEFT - RIGHT) / 95);
    context.fillStyle = styleColour("grid");
    for (const t of times)
      context.fillRect(Math.round(view.xOfTime(t, surface.width)), high, 1, low - high);
    context.textAlign = "right";
    for (const tick of this.isLogarithmic ? decades(most) : niceTicks(most, 3)) {
      const y = Math.round(yOf(tick));
      context.fillStyle = styleColour("grid");
      context.fillRect(LEFT, y, surface.width - LEFT - RIGHT, 1);
      context.fillStyle = styleColour("muted");
      context.fillText(shortCount(tick), LEFT - 8, Math.min(surface.height - 7, Math.max(7, y)));
    }
  }

  drawLine(context, sample, yOf, colour, isShown, several, width) {
    const { mean, low, high } = sample;
    const xOf = (k) => LEFT + ((k + 0.5) * width) / mean.length;
    context.fillStyle = context.strokeStyle = colour;
    if (isShown) {
      context.globalAlpha = several ? 0.16 : 0.25;
      context.beginPath();
      for (let k = 0; k < mean.length; k++) context.lineTo(xOf(k), yOf(high[k]));
      for (let k = mean.length - 1; k >= 0; k--)
        context.lineTo(xOf(k), yOf(several ? low[k] : 0) + 0.5);
      context.fill();
      context.globalAlpha = 1;
    }
    context.lineWidth = isShown ? 1.6 : 1.1;
    context.lineJoin = "round";
    context.beginPath();
    for (let k = 0; k < mean.length; k++) context.lineTo(xOf(k), yOf(mean[k]));
    context.stroke();
  }
}

// True if the largest positive value is at least ten times the smallest.
function differTenfold(values) {
  const positive = values.filter((value) => value > 0);
  return positive.length > 1 && Math.max(...positive) >= 10 * Math.min(...positive);
}

// Ticks of a logarithmic axis: 0 and at most four powers of ten, without 1 if it is close to 0.
function decades(most) {
  const powers = Math.max(1, Math.floor(Math.log10(Math.max(1, most))) + 1);
  const step = Math.ceil(powers / 4);
  const ticks = [0];
  for (let power = powers > 2 ? 1 : 0; power < powers; power += step) ticks.push(10 ** power);
  return ticks;
}

// The whole trace in small, with the visible window; dragging moves or makes the window.
class Overview {
  constructor(view, clock, redraw) {
    Object.assign(this, { view, clock });
    this.surface = new Surface("overview", redraw);
    this.whole = new View(() => {});
    this.listen();
  }

  draw(run) {
    const { surface, view, whole } = this;
    Object.assign(whole, { t0: view.limits.t0, t1: view.limits.t1 });
    const context = surface.begin();
    const width = Math.max(1, Math.floor(surface.width - LEFT - RIGHT));
    const bottom = surface.height - 18;
    if (this.sampled !== run || this.width !== width) {
      Object.assign(this, {
        sampled: run,
        width,
        sample: run.busy.sample(whole.t0, whole.t1, width),
      });
    }
    context.fillStyle = styleColour("idle");
    context.fillRect(LEFT, 0, width, bottom);
    context.fillStyle = styleColour("muted");
    context.globalAlpha = 0.55;
    this.sample.mean.forEach((value, x) => {
      const tall = (Math.min(value, run.home) / run.home) * bottom;
      context.fillRect(LEFT + x, bottom - tall, 1, tall);
    });
    context.globalAlpha = 1;
    const x0 = whole.xOfTime(view.t0, surface.width),
      x1 = whole.xOfTime(view.t1, surface.width);
    context.fillStyle = styleColour("shade");
    context.fillRect(x0, 0, Math.max(2, x1 - x0), bottom);
    context.strokeStyle = styleColour("accent");
    context.lineWidth = 1.5;
    context.strokeRect(x0, 0.75, Math.max(2, x1 - x0), bottom - 1.5);
    drawTimeAxis(context, whole, this.clock, surface.width, 0, bottom, surface.height);
  }

  listen() {
    const { canvas } = this.surface;
    const timeAt = (event) =>
      this.whole.timeOfX(event.clientX - canvas.getBoundingClientRect().left, this.surface.width);
    let grip = null; // the distance from the window's begin to the pointer
    canvas.addEventListener("pointerdown", (event) => {
      const t = timeAt(event);
      const { view } = this;
      const span = view.t1 - view.t0;
      grip = t >= view.t0 && t <= view.t1 ? t - view.t0 : span / 2;
      canvas.setPointerCapture(event.pointerId);
      view.set(t - grip, t - grip + span);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (grip === null) return;
      const t = timeAt(event);
      this.view.set(t - grip, t - grip + this.view.t1 - this.view.t0);
    });
    for (const kind of ["pointerup", "pointercancel"])
      canvas.addEventListener(kind, () => {
        grip = null;
      });
    canvas.addEventListener("dblclick", () => this.view.reset());
    const turned = (event) => {
      const factor = wheelFactor(event, this.view);
      if (factor !== 1) this.view.zoomTime(factor);
    };
    canvas.addEventListener("wheel", turned, { passive: false });
  }
}
