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
    this.hiddenRuns = new Hidden();
    this.hiddenClasses = new Hidden();
    this.distributions = new Distributions(this);
    this.differences = new Differences(page);
    this.groups = new GroupTables(this);
    this.jobs = new JobTable(this);
    this.link = new PageLink(this);
    this.fillControls();
    this.listen();
    this.showRun(0);
    this.view.reset();
    if (location.hash.length > 1) this.link.read();
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
      label.append(button, run.name);
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
      this.distributions.draw();
      this.differences.show();
    });
    listenForPictures();
    document.querySelectorAll("table.compared").forEach(labelCells);
  }

  showRun(number) {
    this.shown = this.runs[number];
    element("runs").querySelectorAll("input")[number].checked = true;
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
    this.distributions.draw();
    this.groups.later.plan();
    this.jobs.later.plan();
  }

  recolour() {
    const key = element("colour").value;
    const colouring = colourings(this.trace, this.shown, this.page.labels)[key];
    const cache = `${key} ${this.runs.indexOf(this.shown)}`;
    if (!this.colourings.has(cache)) this.colourings.set(cache, colouring.classes());
    const { numbers, names } = this.colourings.get(cache);
    const colours = colouring.colours();
    const hidden = names.map((name) => this.hiddenClasses.has(`${key} ${name}`));
    this.gantt.show(this.shown, { numbers, colours: colours.map((c, k) => (hidden[k] ? null : c)) });
    fillLegend(
      "legend",
      names.map((name, k) => ({ name, colour: colours[k], hidden: hidden[k] })),
      (k) => {
        this.hiddenClasses.toggle(`${key} ${names[k]}`);
        this.recolour();
      },
    );
    this.fillRunLegend();
    this.redraw();
  }

  // Fills the legend of the lines over time, if there are several.
  fillRunLegend() {
    const { runs, hiddenRuns } = this;
    element("runs-legend").hidden = runs.length < 2;
    const entries = runs.map(({ name }, k) => ({
      name,
      colour: palette().lines[k % 7],
      hidden: hiddenRuns.has(name),
    }));
    fillLegend("runs-legend", entries, (k) => {
      hiddenRuns.toggle(runs[k].name);
      this.fillRunLegend();
      this.redraw();
    });
  }

  redraw() {
    this.link?.write();
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = 0;
      this.drawNow();
    });
  }

  drawNow() {
    const { gantt, runs, shown, clock } = this;
    gantt.draw();
    for (const lane of [this.busy, this.queue]) lane.draw(runs, this.hiddenRuns, shown, clock);
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
    const scale = (lane) => (lane.isLogarithmic ? "logarithmic scale" : "");
    const said = (...parts) => parts.filter(Boolean).join(" · ");
    const busy = pointed ? `${count(shown.busy.at(cursor))} of ${size}${at}` : `of ${size}`;
    const queue = pointed ? `${count(shown.queue.at(cursor))}${at}` : "";
    element("busy-value").textContent = said(busy, scale(this.busy));
    element("queue-value").textContent = said(queue, scale(this.queue));
    const { mode, visible } = gantt.drawn;
    const isHeat = mode === "heat";
    element("gantt-value").textContent = said(
      isHeat ? `heat map of ${count(visible)} bars` : `${count(visible)} bars`,
      isHeat && "zoom in for single jobs",
      shown.extent > shown.processors &&
        `the machine is overbooked: up to ${count(shown.extent)} processors`,
      `${duration(view.t1 - view.t0)} shown`,
      `times ${clock.dated ? `in ${clock.zone}` : clock.zone}`,
    );
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
    element("found").textContent = "";
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

  // Finds a job by its id and answers beside the box of the search.
  find(id) {
    const wanted = Number(id);
    const job = id === "" || Number.isNaN(wanted) ? -1 : this.trace.job_id.indexOf(wanted);
    if (job >= 0) this.goTo(job);
    element("found").textContent =
      job < 0
        ? `No job ${id || "without an id"} in this trace; use the number of a job in the log.`
        : this.answerFor(job);
    return job;
  }

  answerFor(job) {
    const { shown, trace } = this;
    const name = `Job ${trace.job_id[job]}`;
    if (!shown.started(job)) return `${name}: ${STATES[shown.state[job]] ?? "not started"}`;
    return `${name}: waited ${clockDuration(shown.wait[job])}, started ${this.clock.full(shown.start[job])}`;
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
    `The charts cannot be drawn: ${error.message}. They need a browser from 2023 or later.`;
  console.error(error);
});
