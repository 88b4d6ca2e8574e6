// The page: unpacks the data, fills the controls, and redraws after every change.

class App {
  constructor(page, trace, runs) {
    Object.assign(this, {
      page,
      trace,
      runs,
      clock: new Clock(page.clock),
      cursor: null,
      colourings: new Map(),
    });
    const redraw = () => this.redraw();
    this.view = new View(redraw);
    this.gantt = new Gantt(this.view, this.clock, redraw);
    this.busy = new Lane(
      "busy",
      this.view,
      (run) => run.busy,
      (run) => run.processors,
      redraw,
    );
    this.queue = new Lane(
      "queue",
      this.view,
      (run) => run.queue,
      () => 1,
      redraw,
    );
    this.torus = new TorusPicture(redraw);
    this.moment = null; // the last instant pointed at; the torus shows it
    this.overview = new Overview(this.view, this.clock, redraw);
    this.waits = new DistributionChart("waits", WAIT_TICKS, roundDuration, () =>
      this.drawDistributions(),
    );
    this.slowdowns = new DistributionChart("slowdowns", RATIO_TICKS, shortCount, () =>
      this.drawDistributions(),
    );
    this.fillControls();
    this.listen();
    this.showRun(0);
    this.view.reset();
  }

  fillControls() {
    const { runs } = this;
    element("runs").hidden = runs.length < 2;
    runs.forEach((run, number) => {
      const label = document.createElement("label");
      const button = Object.assign(document.createElement("input"), {
        type: "radio",
        name: "run",
        value: number,
        checked: number === 0,
      });
      button.addEventListener("change", () => this.showRun(number));
      label.append(button, swatch(palette().lines[number % 7]), run.name);
      element("runs").append(label);
    });
    for (const [key, { label }] of Object.entries(
      colourings(this.trace, runs[0], this.page.labels),
    )) {
      element("colour").append(new Option(label, key));
    }
    const choices = [["sizes", "size of job, in the schedule shown above"]];
    if (runs.length > 1) choices.unshift(["runs", "schedule"]);
    for (const [value, label] of choices) element("lines").append(new Option(label, value));
    element("lines-label").hidden = choices.length < 2;
  }

  listen() {
    const { gantt, view } = this;
    const canvas = gantt.surface.canvas;
    attachGestures(
      gantt.surface,
      view,
      () => gantt.area(),
      (event) => this.select(this.jobUnder(event)),
    );
    for (const lane of [this.busy, this.queue]) attachGestures(lane.surface, view, null, null);
    for (const chart of [gantt, this.busy, this.queue]) {
      chart.surface.canvas.addEventListener("pointermove", (event) => this.hover(event, chart));
      chart.surface.canvas.addEventListener("pointerleave", () => this.leave());
    }
    for (const chart of [this.waits, this.slowdowns]) {
      chart.surface.canvas.addEventListener("pointermove", (event) =>
        this.hoverDistribution(event, chart),
      );
      chart.surface.canvas.addEventListener("pointerleave", () => this.leave());
    }
    canvas.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || /INPUT|SELECT/.test(document.activeElement.tagName)) return;
      event.preventDefault();
      element("job-id").focus();
    });
    const torus = this.torus.surface.canvas;
    torus.addEventListener("pointermove", (event) => this.hoverTorus(event));
    torus.addEventListener("pointerleave", () => this.leave());
    torus.addEventListener("click", (event) => this.select(this.torusJobUnder(event)));
    element("colour").addEventListener("change", () => this.recolour());
    element("lines").addEventListener("change", () => this.drawDistributions());
    element("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.find(element("job-id").value.trim());
    });
    element("zoom-in").addEventListener("click", () => view.zoomTime(2));
    element("zoom-out").addEventListener("click", () => view.zoomTime(0.5));
    element("zoom-all").addEventListener("click", () => view.reset());
    isDark.addEventListener("change", () => {
      styles = {};
      this.recolour();
      this.drawDistributions();
    });
  }

  showRun(number) {
    this.shown = this.runs[number];
    const last = Math.max(
      1,
      this.trace.n ? this.trace.submit[this.trace.n - 1] : 1,
      ...this.runs.map((run) => run.last),
    );
    element("torus-part").hidden = !this.shown.torus;
    element("gantt-title").textContent = titleOf(this.shown);
    this.recolour();
    this.view.setLimits(last, this.shown.extent, this.shown.home);
    if (this.gantt.selected >= 0) this.select(this.gantt.selected);
    this.drawDistributions();
  }

  recolour() {
    const key = element("colour").value;
    const colouring = colourings(this.trace, this.shown, this.page.labels)[key];
    const cache = `${key} ${this.runs.indexOf(this.shown)}`;
    if (!this.colourings.has(cache)) this.colourings.set(cache, colouring.classes());
    const { numbers, names } = this.colourings.get(cache);
    const colours = colouring.colours();
    this.gantt.show(this.shown, { numbers, colours });
    fillLegend(
      "legend",
      names.map((name, k) => ({ name, colour: colours[k] })),
    );
    element("runs")
      .querySelectorAll(".swatch")
      .forEach((box, k) => {
        box.style.background = palette().lines[k % 7];
      });
    this.redraw();
  }

  redraw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = 0;
      this.drawNow();
    });
  }

  drawNow() {
    const { gantt, runs, shown, clock } = this;
    gantt.draw();
    this.busy.draw(runs, shown, clock);
    this.queue.draw(runs, shown, clock);
    this.overview.draw(shown);
    this.drawTorus();
    this.readOut();
  }

  // Updates the figures in the headings of the charts, for the instant under the pointer if any.
  readOut() {
    const { gantt, shown, cursor, clock, view } = this;
    const pointed = cursor !== null;
    const at = pointed ? ` at ${clock.full(cursor)}` : "";
    const size = count(shown.processors);
    element("busy-value").textContent = pointed
      ? `${count(shown.busy.at(cursor))} of ${size}${at}`
      : `of ${size}`;
    element("queue-value").textContent = pointed ? `${count(shown.queue.at(cursor))}${at}` : "";
    const { mode, visible } = gantt.drawn;
    const said = [
      mode === "heat" ? `heat map of ${count(visible)} bars` : `${count(visible)} bars`,
    ];
    if (mode === "heat") said.push("zoom in for single jobs");
    if (shown.extent > shown.processors)
      said.push(`the machine is overbooked: up to ${count(shown.extent)} processors`);
    said.push(`${duration(view.t1 - view.t0)} shown`);
    said.push(`times ${clock.dated ? `in ${clock.zone}` : clock.zone}`);
    element("gantt-value").textContent = said.join(" · ");
  }

  // Draws the instant last pointed at, otherwise the middle of the visible time.
  drawTorus() {
    const { shown, view, clock } = this;
    if (!shown.torus) return;
    const at = this.moment ?? (view.t0 + view.t1) / 2;
    this.torus.draw(shown, at);
    element("torus-value").textContent =
      `${shown.torus.shape} at ${clock.full(at)}: ${this.torus.words()}`;
  }

  torusJobUnder(event) {
    const box = this.torus.surface.canvas.getBoundingClientRect();
    return this.torus.jobUnder(this.shown, event.clientX - box.left, event.clientY - box.top);
  }

  hoverTorus(event) {
    const job = this.torusJobUnder(event);
    if (job < 0) element("tip").hidden = true;
    else
      showTip(event, element("torus-part"), `Job ${this.trace.job_id[job]}`, this.about(job));
  }

  jobUnder(event) {
    const box = this.gantt.surface.canvas.getBoundingClientRect();
    const bar = this.gantt.barAt(event.clientX - box.left, event.clientY - box.top);
    return bar < 0 ? -1 : this.shown.bar.job[bar];
  }

  hover(event, chart) {
    const { surface } = chart;
    const box = surface.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    this.point(x < LEFT || x > surface.width - RIGHT ? null : x, surface);
    const job = chart === this.gantt && !event.buttons ? this.jobUnder(event) : -1;
    if (job < 0) element("tip").hidden = true;
    else showTip(event, element("stack"), `Job ${this.trace.job_id[job]}`, this.about(job));
  }

  // Marks an instant across the charts and shows their values; `x` is null for none.
  point(x, surface) {
    this.cursor = x === null ? null : this.view.timeOfX(x, surface.width);
    element("cursor").hidden = x === null;
    if (x !== null) {
      element("cursor").style.left = `${x}px`;
      this.moment = this.cursor;
      this.drawTorus();
    }
    this.readOut();
  }

  hoverDistribution(event, chart) {
    const figure = chart.surface.canvas.parentElement;
    const value = chart.valueAt(event.clientX - figure.getBoundingClientRect().left);
    if (value === null) return this.leave();
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

  leave() {
    this.point(null);
    element("tip").hidden = true;
  }

  about(job) {
    return describeJob(this.trace, this.shown, this.clock, this.page.labels, job);
  }

  select(job) {
    this.gantt.selected = job;
    const details = element("job");
    details.hidden = job < 0;
    if (job >= 0) {
      details.replaceChildren(
        ...[["job", String(this.trace.job_id[job])], ...this.about(job)].map(([name, value]) => {
          const pair = document.createElement("div");
          pair.append(text("dt", name), text("dd", value));
          return pair;
        }),
      );
    }
    this.say("");
    this.redraw();
  }

  say(words) {
    element("status").textContent = words;
  }

  // Centres the view on a job, close enough to see it.
  goTo(job) {
    const { shown, view } = this;
    if (shown.started(job)) {
      const bar = shown.barOf[job];
      const { first, count: size } = shown.bar;
      view.centreOn(shown.start[job], shown.end[job], first[bar], first[bar] + size[bar]);
    }
    this.select(job);
  }

  find(id) {
    const wanted = Number(id);
    const job = id === "" || Number.isNaN(wanted) ? -1 : this.trace.job_id.indexOf(wanted);
    if (job < 0)
      this.say(
        `No job ${id || "without an id"} in this trace; use the number of a job in the log.`,
      );
    else this.goTo(job);
    return job;
  }

  key(event) {
    const step = { n: 1, N: 1, p: -1, P: -1 }[event.key];
    if (event.key === "Escape") this.select(-1);
    else if (step && !event.ctrlKey && !event.metaKey && !event.altKey) this.step(step);
    else if (!pressKey(event, this.view)) return;
    event.preventDefault();
  }

  // Selects the next job by start, or the first visible one.
  step(by) {
    const { shown, gantt, view } = this;
    const order = shown.byStart;
    if (!order.length) return;
    let at;
    if (gantt.selected >= 0 && shown.started(gantt.selected))
      at = order.indexOf(gantt.selected) + by;
    else at = order.findIndex((job) => shown.start[job] >= view.t0);
    this.goTo(order[Math.min(order.length - 1, Math.max(0, at))]);
  }

  drawDistributions() {
    if (!this.shown) return;
    const { runs, shown, trace, page } = this;
    const byRun = element("lines").value === "runs";
    this.distributions ??= new Map();
    const of = (run, kind) => {
      const key = `${runs.indexOf(run)} ${kind}`;
      if (!this.distributions.has(key)) {
        const sizes = kind === "sizes" ? classify(trace.processors, trace.sizes) : null;
        this.distributions.set(
          key,
          distributionsOf(run, page.threshold, sizes ? trace.sizes.length : 1, (job) =>
            sizes ? sizes[job] : 0,
          ),
        );
      }
      return this.distributions.get(key);
    };
    const lines = (which) => {
      if (byRun)
        return runs.map((run, k) => ({
          name: run.name,
          colour: palette().lines[k % 7],
          data: of(run, "all")[which][0],
          bold: run === shown,
        }));
      const classes = of(shown, "sizes")[which].map((data, k) => ({
        name: trace.sizes[k][1],
        colour: palette().kinds[k],
        data,
      }));
      return [
        ...classes,
        {
          name: "all jobs",
          colour: styleColour("ink"),
          data: of(shown, "all")[which][0],
          bold: true,
        },
      ];
    };
    this.waits.draw(lines("waits"));
    this.slowdowns.draw(lines("slowdowns"));
    fillLegend("lines-legend", this.waits.lines);
  }
}

async function open() {
  const page = JSON.parse(element("page").textContent);
  const trace = await readColumns("data-trace", page.trace);
  trace.n = trace.submit.length;
  trace.sizes = sizeClasses(trace.processors);
  const runs = [];
  for (const [number, spec] of page.runs.entries()) {
    runs.push(new Run(trace, await readColumns(`data-run-${number}`, spec.columns), spec));
  }
  const app = new App(page, trace, runs);
  app.say("");
  app.drawNow();
  window.slotwise = app; // for scripts and tests
  document.documentElement.dataset.ready = "yes";
}

open().catch((error) => {
  element("status").textContent =
    `The charts cannot be drawn: ${error.message}. They need a browser of 2023 or later.`;
  console.error(error);
});
