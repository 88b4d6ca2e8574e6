// Puts the page together: unpacks the data, fills the controls, and redraws what is shown when anything changes.

const element = (id) => document.getElementById(id);
const text = (tag, content) => Object.assign(document.createElement(tag), { textContent: content });

class App {
  constructor(page, trace, runs) {
    Object.assign(this, { page, trace, runs, clock: new Clock(page.clock), cursor: null, colourings: new Map() });
    const redraw = () => this.redraw();
    this.view = new View(redraw);
    this.gantt = new Gantt(this.view, this.clock, redraw);
    this.busy = new Lane("busy", this.view, (run) => run.busy, (run) => run.processors, redraw);
    this.queue = new Lane("queue", this.view, (run) => run.queue, () => 1, redraw);
    this.overview = new Overview(this.view, this.clock, redraw);
    this.waits = new DistributionChart("waits", WAIT_TICKS, roundDuration, () => this.drawDistributions());
    this.slowdowns = new DistributionChart("slowdowns", RATIO_TICKS, shortCount, () => this.drawDistributions());
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
      const button = Object.assign(document.createElement("input"), { type: "radio", name: "run", value: number, checked: number === 0 });
      button.addEventListener("change", () => this.showRun(number));
      label.append(button, this.swatch(palette().lines[number % 7]), run.name);
      element("runs").append(label);
    });
    for (const [key, { label }] of Object.entries(colourings(this.trace, runs[0], this.page.labels))) {
      element("colour").append(new Option(label, key));
    }
    const choices = [["sizes", "size of job"]];
    if (runs.length > 1) choices.unshift(["runs", "schedule"]);
    for (const [value, label] of choices) element("lines").append(new Option(label, value));
    element("lines-label").hidden = choices.length < 2;
  }

  swatch(colour) {
    const box = text("span", "");
    box.className = "swatch";
    box.style.background = colour;
    return box;
  }

  listen() {
    const { gantt, view } = this;
    const canvas = gantt.surface.canvas;
    attachGestures(gantt.surface, view, () => gantt.area(), (event) => this.select(this.jobUnder(event)));
    for (const lane of [this.busy, this.queue]) attachGestures(lane.surface, view, null, null);
    for (const chart of [gantt, this.busy, this.queue]) {
      chart.surface.canvas.addEventListener("pointermove", (event) => this.hover(event, chart));
      chart.surface.canvas.addEventListener("pointerleave", () => this.leave());
    }
    for (const chart of [this.waits, this.slowdowns]) {
      chart.surface.canvas.addEventListener("pointermove", (event) => this.hoverDistribution(event, chart));
      chart.surface.canvas.addEventListener("pointerleave", () => this.leave());
    }
    canvas.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || /INPUT|SELECT/.test(document.activeElement.tagName)) return;
      event.preventDefault();
      element("job-id").focus();
    });
    element("colour").addEventListener("change", () => this.recolour());
    element("lines").addEventListener("change", () => this.drawDistributions());
    element("search").addEventListener("submit", (event) => { event.preventDefault(); this.find(element("job-id").value.trim()); });
    element("zoom-in").addEventListener("click", () => view.zoomTime(2));
    element("zoom-out").addEventListener("click", () => view.zoomTime(0.5));
    element("zoom-all").addEventListener("click", () => view.reset());
    isDark.addEventListener("change", () => { styles = {}; this.recolour(); this.drawDistributions(); });
  }

  showRun(number) {
    this.shown = this.runs[number];
    const last = Math.max(1, this.trace.n ? this.trace.submit[this.trace.n - 1] : 1, ...this.runs.map((run) => run.last));
    this.recolour();
    this.view.setLimits(last, this.shown.extent);
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
    this.fillLegend("legend", names.map((name, k) => ({ name, colour: colours[k] })));
    element("runs").querySelectorAll(".swatch").forEach((box, k) => { box.style.background = palette().lines[k % 7]; });
    this.redraw();
  }

  fillLegend(id, entries) {
    element(id).replaceChildren(...entries.map(({ name, colour }) => {
      const item = document.createElement("li");
      item.append(this.swatch(colour), name);
      return item;
    }));
  }

  redraw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => { this.due = 0; this.drawNow(); });
  }

  drawNow() {
    const { gantt, view, runs, shown, clock } = this;
    gantt.draw();
    this.busy.draw(runs, shown, clock);
    this.queue.draw(runs, shown, clock);
    this.overview.draw(shown);
    for (const chart of [gantt, this.busy, this.queue]) drawCursor(chart.surface, view, this.cursor);
    this.readOut();
  }

  readOut() {
    const { gantt, shown, cursor, clock, view } = this;
    const at = cursor === null ? "" : ` at ${clock.full(cursor)}`;
    element("busy-value").textContent = cursor === null ? `of ${count(shown.processors)}` : `${count(shown.busy.at(cursor))} of ${count(shown.processors)}${at}`;
    element("queue-value").textContent = cursor === null ? "" : `${count(shown.queue.at(cursor))}${at}`;
    const { mode, visible } = gantt.drawn;
    const what = mode === "heat" ? `heat map of ${count(visible)} bars, zoom in for single jobs` : `${count(visible)} bars`;
    element("gantt-value").textContent = `${what} · ${duration(view.t1 - view.t0)} shown · times ${clock.dated ? `in ${clock.zone}` : clock.zone}`;
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
    this.cursor = x < LEFT || x > surface.width - RIGHT ? null : this.view.timeOfX(x, surface.width);
    const job = chart === this.gantt && !event.buttons ? this.jobUnder(event) : -1;
    if (job < 0) element("tip").hidden = true;
    else this.showTip(event, element("stack"), `Job ${this.trace.job_id[job]}`, this.about(job));
    this.redraw();
  }

  hoverDistribution(event, chart) {
    const figure = chart.surface.canvas.parentElement;
    const value = chart.valueAt(event.clientX - figure.getBoundingClientRect().left);
    if (value === null) return this.leave();
    const head = chart === this.waits ? `waited at most ${duration(value)}` : `slowdown at most ${shortCount(+value.toPrecision(3))}`;
    const rows = chart.lines.map((line) => [line.name, `${(100 * line.data.shareAt(value)).toFixed(1)} %`]);
    return this.showTip(event, figure, head, rows);
  }

  leave() {
    this.cursor = null;
    element("tip").hidden = true;
    this.redraw();
  }

  showTip(event, parent, head, rows) {
    const tip = element("tip");
    const list = document.createElement("dl");
    for (const [name, value] of rows) list.append(text("dt", name), text("dd", value));
    tip.replaceChildren(text("b", head), list);
    if (tip.parentElement !== parent) parent.append(tip);
    tip.hidden = false;
    const box = parent.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const right = x + 16 + tip.offsetWidth > box.width;
    tip.style.left = `${Math.max(0, right ? x - 16 - tip.offsetWidth : x + 16)}px`;
    tip.style.top = `${event.clientY + 16 + tip.offsetHeight > innerHeight ? y - 12 - tip.offsetHeight : y + 16}px`;
  }

  // What the tooltip and the details say of a job, as pairs.
  about(job) {
    const { trace, shown, clock, page } = this;
    const named = (noun) => {
      const name = page.labels[noun]?.[trace[noun][job]];
      return trace[noun][job] < 0 ? [] : [[noun, name ? `${trace[noun][job]} (${name})` : String(trace[noun][job])]];
    };
    const ran = shown.started(job);
    const times = ran
      ? [["start", clock.full(shown.start[job])], ["end", clock.full(shown.end[job])], ["wait", duration(shown.wait[job])],
         ["ran / requested", `${duration(shown.end[job] - shown.start[job])} / ${duration(trace.requested_time[job])}`]]
      : [["requested", duration(trace.requested_time[job])]];
    return [
      ...named("user"), ...named("queue"), ...named("partition"), ["processors", count(trace.processors[job])], ["submit", clock.full(trace.submit[job])],
      ...times, ["state", STATES[shown.state[job]] ?? `state ${shown.state[job]}`], ...(ran ? [["started", shown.backfilled[job] ? "by backfill" : "in its turn"]] : []),
    ];
  }

  select(job) {
    this.gantt.selected = job;
    const details = element("job");
    details.hidden = job < 0;
    if (job >= 0) {
      details.replaceChildren(...[["job", String(this.trace.job_id[job])], ...this.about(job)].map(([name, value]) => {
        const pair = document.createElement("div");
        pair.append(text("dt", name), text("dd", value));
        return pair;
      }));
    }
    this.say("");
    this.redraw();
  }

  say(words) { element("status").textContent = words; }

  // Shows a job in the middle, near enough to see it.
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
    if (job < 0) this.say(`No job ${id || "without an id"} in this trace; job ids are numbers, as the log gives them.`);
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

  // Selects the next job by start, or the first in sight.
  step(by) {
    const { shown, gantt, view } = this;
    const order = shown.byStart;
    if (!order.length) return;
    let at;
    if (gantt.selected >= 0 && shown.started(gantt.selected)) at = order.indexOf(gantt.selected) + by;
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
        this.distributions.set(key, distributionsOf(run, page.threshold, sizes ? trace.sizes.length : 1, (job) => (sizes ? sizes[job] : 0)));
      }
      return this.distributions.get(key);
    };
    const lines = (which) => {
      if (byRun) return runs.map((run, k) => ({ name: run.name, colour: palette().lines[k % 7], data: of(run, "all")[which][0], bold: run === shown }));
      const classes = of(shown, "sizes")[which].map((data, k) => ({ name: trace.sizes[k][1], colour: palette().kinds[k], data }));
      return [...classes, { name: "all jobs", colour: styleColour("ink"), data: of(shown, "all")[which][0], bold: true }];
    };
    this.waits.draw(lines("waits"));
    this.slowdowns.draw(lines("slowdowns"));
    this.fillLegend("lines-legend", this.waits.lines);
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
  element("status").textContent = `The charts cannot be drawn: ${error.message}. They need a browser of 2023 or later.`;
  console.error(error);
});
