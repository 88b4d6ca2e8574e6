// The address of the page: its fragment keeps zoom, selected job, colour and schedule.
// Example: #t=0,86400&p=0,128&job=17&colour=user&schedule=easy, seconds from the first submission.

class PageLink {
  constructor(app) {
    this.app = app;
    this.known = location.hash; // the fragment that was last read or written
    addEventListener("hashchange", () => this.read());
  }

  // The fragment of what is shown; empty for the first view.
  fragment() {
    const { view, gantt, trace, shown, runs } = this.app;
    const parts = new URLSearchParams();
    if (!view.isWhole()) {
      parts.set("t", `${Math.round(view.t0)},${Math.round(view.t1)}`);
      parts.set("p", `${+view.p0.toFixed(2)},${+view.p1.toFixed(2)}`);
    }
    if (gantt.selected >= 0) parts.set("job", trace.job_id[gantt.selected]);
    const colour = element("colour");
    if (colour.selectedIndex > 0) parts.set("colour", colour.value);
    if (shown !== runs[0]) parts.set("schedule", shown.name);
    return parts.toString().replaceAll("%2C", ",");
  }

  // Writes the address soon; browsers limit the number of changes per second.
  write() {
    this.due ??= setTimeout(() => this.writeNow(), 300);
  }

  // Writes the address. A fragment that was changed but not yet read is kept: its event follows.
  writeNow() {
    clearTimeout(this.due);
    this.due = undefined;
    const fragment = this.fragment();
    if (location.hash !== this.known || fragment === location.hash.slice(1)) return;
    try {
      history.replaceState(null, "", fragment ? `#${fragment}` : location.href.split("#")[0]);
    } catch (error) {
      console.info(`The address cannot keep this view: ${error.message}`); // in some frames
    }
    this.known = location.hash;
  }

  // Shows what the address describes; parts that fit nothing on this page are ignored.
  read() {
    const { app } = this;
    this.known = location.hash;
    const parts = new URLSearchParams(location.hash.slice(1));
    const run = app.runs.findIndex(({ name }) => name === parts.get("schedule"));
    app.showRun(Math.max(0, run));
    const colours = [...element("colour").options].map((option) => option.value);
    element("colour").selectedIndex = Math.max(0, colours.indexOf(parts.get("colour")));
    app.recolour();
    if (parts.has("job")) app.find(parts.get("job"));
    else app.select(-1);
    const [t0, t1] = this.pair(parts.get("t"));
    const [p0, p1] = this.pair(parts.get("p"));
    if (t1 > t0) app.view.set(t0, t1, ...(p1 > p0 ? [p0, p1] : []));
    else if (!parts.has("job")) app.view.reset();
  }

  // Two finite numbers; NaN for other text, which no comparison accepts.
  pair(written) {
    const numbers = (written ?? "").split(",").map(Number);
    return numbers.length === 2 && numbers.every(Number.isFinite) ? numbers : [NaN, NaN];
  }
}
