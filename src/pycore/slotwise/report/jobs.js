// The table of jobs of the shown schedule: filtered, sorted, in pages, and saved as CSV.

const PAGE_ROWS = isNarrow.matches ? 8 : 25;

// Quotes a text for a CSV file; an apostrophe keeps spreadsheets from running it as a formula.
function csvText(value) {
  const written = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}

class JobTable {
  constructor(app) {
    Object.assign(this, { app, first: 0, sort: "job", rising: true });
    this.columns = jobColumns(app);
    const { trace } = app;
    for (const noun of ["user", "group", "queue", "partition"])
      if (trace[noun].every((value) => value < 0)) delete this.columns[noun];
    this.passes = () => true;
    this.rows = [];
    this.later = new Later("jobs", () => this.show());
    this.listen();
  }

  listen() {
    element("job-filter-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.filter(element("job-filter").value);
    });
    element("job-filter").addEventListener("search", () => this.filter(element("job-filter").value));
    element("job-csv").addEventListener("click", () =>
      saveFile("slotwise-jobs.csv", new Blob([this.csv()], { type: "text/csv" })),
    );
    for (const [id, step] of [
      ["job-before", -PAGE_ROWS],
      ["job-after", PAGE_ROWS],
    ])
      element(id).addEventListener("click", () => {
        this.first += step;
        this.draw();
      });
  }

  filter(written) {
    try {
      this.passes = readFilter(written, this.columns);
    } catch (error) {
      element("job-filter-said").textContent = error.message;
      return;
    }
    this.show();
  }

  // Finds and sorts the jobs that pass; unknown values come last.
  show() {
    const { app } = this;
    const { of } = this.columns[this.sort];
    const known = [],
      unknown = [];
    const keys = new Array(app.trace.n);
    for (let job = 0; job < app.trace.n; job++) {
      if (!this.passes(app.shown, job)) continue;
      keys[job] = of(app.shown, job);
      (keys[job] === null ? unknown : known).push(job);
    }
    const isWhole = known.every((job) => Number.isInteger(keys[job]) && keys[job] >= 0);
    const way = (a, b) => (keys[a] === keys[b] ? a - b : keys[a] < keys[b] ? -1 : 1);
    const rows = isWhole ? Array.from(sortedBy(keys, known)) : known.sort(way);
    if (!this.rising) rows.reverse();
    for (const job of unknown) rows.push(job);
    this.rows = rows;
    this.first = 0;
    element("job-filter-said").textContent = `${count(rows.length)} of ${count(app.trace.n)} jobs`;
    this.draw();
  }

  // Text of a cell for people.
  cell(name, job) {
    const { kind, of, labels } = this.columns[name];
    const value = of(this.app.shown, job);
    if (value === null) return "-";
    if (kind === "instant") return this.app.clock.full(value);
    if (kind === "duration") return clockDuration(value);
    if (kind === "label") return labels[value] ?? String(value);
    if (name === "slowdown") return ratioText(value);
    return name === "processors" ? count(value) : String(value);
  }

  draw() {
    const { rows, app } = this;
    this.first = Math.max(0, Math.min(this.first, rows.length - 1));
    const page = rows.slice(this.first, this.first + PAGE_ROWS);
    const names = Object.keys(this.columns);
    fillTable("job-table", names, page.map((job) => names.map((name) => this.cell(name, job))));
    const lines = element("job-table").querySelectorAll("tbody tr");
    page.forEach((job, k) => this.makeLink(lines[k], job));
    element("job-table").querySelectorAll("thead th").forEach((head, k) =>
      this.makeSortable(head, names[k]),
    );
    const last = this.first + page.length;
    element("job-page").textContent = rows.length
      ? `${count(this.first + 1)} to ${count(last)} of ${count(rows.length)}, schedule ${app.shown.name}`
      : "no job passes the filter";
    element("job-before").disabled = this.first === 0;
    element("job-after").disabled = last >= rows.length;
  }

  // Makes the id of a job a button that shows the job on the chart.
  makeLink(line, job) {
    const button = Object.assign(text("button", line.firstChild.textContent), {
      type: "button",
      className: "link",
    });
    line.firstChild.replaceChildren(button);
    line.addEventListener("click", () => {
      this.app.goTo(job);
      element("timeline").scrollIntoView();
    });
  }

  makeSortable(head, name) {
    const button = Object.assign(text("button", name), { type: "button", className: "link" });
    if (name === this.sort) head.ariaSort = this.rising ? "ascending" : "descending";
    button.addEventListener("click", () => {
      this.rising = name === this.sort ? !this.rising : true;
      this.sort = name;
      this.show();
      element("job-table")
        .querySelectorAll("thead button")
        [Object.keys(this.columns).indexOf(name)].focus();
    });
    head.replaceChildren(button);
  }

  // Writes all jobs found: instants on the clock of the log and durations in seconds, names of users
  // and queues if the log has them.
  csv() {
    const { app, columns } = this;
    const names = Object.keys(columns);
    this.later.run();
    const lines = this.rows.map((job) =>
      names
        .map((name) => {
          const value = columns[name].of(app.shown, job);
          if (value === null) return "";
          const { kind, labels } = columns[name];
          if (kind === "instant") return value + app.page.origin;
          return kind === "label" ? csvText(labels[value] ?? value) : value;
        })
        .join(","),
    );
    return [names.join(","), ...lines, ""].join("\n");
  }
}
