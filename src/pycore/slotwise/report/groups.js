// Tables of waits by user, queue, class and other groups of the schedule shown above the charts.

const SHOWN_GROUPS = isNarrow.matches ? 8 : 20;
const CLASS_NAMES = ["up to 8", "over 8"].flatMap((size) =>
  ["up to 1 h", "over 1 h"].map((length) => `${size} processors, ${length}`),
);

// The share `p` of sorted values, interpolated linearly.
function quantile(sorted, p) {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  const next = sorted[Math.min(low + 1, sorted.length - 1)];
  return sorted[low] + (next - sorted[low]) * (at - low);
}

// Groupings with two or more groups: name -> { of(job): key, name(key): text, ordered }.
function groupingsOf(trace, page) {
  const labels = (noun) => (key) =>
    key < 0 ? "unknown" : (page.labels[noun]?.[key] ?? String(key));
  const all = {
    queue: page.site_queues
      ? {
          of: (job) => trace.site_queue[job],
          name: (key) => page.site_queues[key] ?? "unknown",
          ordered: true,
        }
      : { of: (job) => trace.queue[job], name: labels("queue"), ordered: true },
    user: { of: (job) => trace.user[job], name: labels("user") },
    class: {
      of: (job) => 2 * (trace.processors[job] > 8) + (trace.run_time[job] > HOUR),
      name: (key) => CLASS_NAMES[key],
      ordered: true,
    },
    group: { of: (job) => trace.group[job], name: labels("group") },
    partition: { of: (job) => trace.partition[job], name: labels("partition") },
  };
  const several = ({ of }) => {
    for (let job = 1; job < trace.n; job++) if (of(job) !== of(0)) return true;
    return false;
  };
  return Object.fromEntries(Object.entries(all).filter(([, grouping]) => several(grouping)));
}

// Waits of each group under a run: { key, jobs, mean, median, p95, max, slowdown, work }.
function waitsByGroup(run, { of }, threshold) {
  const jobs = new Map();
  for (const job of run.bySubmit) {
    const key = of(job);
    if (!jobs.has(key)) jobs.set(key, []);
    jobs.get(key).push(job);
  }
  const mean = (rows, value) => rows.reduce((sum, job) => sum + value(job), 0) / rows.length;
  return [...jobs].map(([key, rows]) => {
    const waits = Float64Array.from(rows, (job) => run.wait[job]).sort();
    return {
      key,
      jobs: rows.length,
      mean: mean(rows, (job) => run.wait[job]),
      median: quantile(waits, 0.5),
      p95: quantile(waits, 0.95),
      max: waits[waits.length - 1],
      slowdown: mean(rows, (job) => run.boundedSlowdown(job, threshold)),
      work: rows.reduce(
        (sum, job) => sum + (run.end[job] - run.start[job]) * run.trace.processors[job],
        0,
      ),
    };
  });
}

class GroupTables {
  constructor(app) {
    Object.assign(this, { app, whole: false });
    this.groupings = groupingsOf(app.trace, app.page);
    const names = Object.keys(this.groupings);
    element("by-group").hidden = names.length === 0;
    for (const name of names) element("group-by").append(new Option(name, name));
    this.later = new Later("by-group", () => this.show());
    element("group-by").addEventListener("change", () => this.show());
    element("group-all").addEventListener("click", () => {
      this.whole = !this.whole;
      this.show();
    });
  }

  // Fills the table for the shown schedule: groups by jobs, classes and queues in their order.
  show() {
    const { shown, page, runs } = this.app;
    const by = element("group-by").value;
    if (!by) return;
    const grouping = this.groupings[by];
    const ranked = waitsByGroup(shown, grouping, page.threshold).sort(
      (a, b) => b.jobs - a.jobs || a.key - b.key,
    );
    const chosen = this.whole ? ranked : ranked.slice(0, SHOWN_GROUPS);
    if (grouping.ordered) chosen.sort((a, b) => a.key - b.key);
    const all = ranked.reduce((sum, group) => sum + group.work, 0) || 1;
    const rows = chosen.map((group) => [
      grouping.name(group.key),
      count(group.jobs),
      ...[group.mean, group.median, group.p95, group.max].map(clockDuration),
      ratioText(group.slowdown),
      `${((100 * group.work) / all).toFixed(1)} %`,
    ]);
    const head = [by, "jobs started", "mean wait", "median", "p95", "max", "mean bounded slowdown"];
    fillTable("group-table", [...head, "share of work"], rows);
    const left = ranked.length - chosen.length;
    element("group-all").hidden = ranked.length <= SHOWN_GROUPS;
    element("group-all").textContent = this.whole ? "Show fewer" : `Show all ${count(ranked.length)}`;
    element("group-notes").textContent = [
      runs.length > 1 ? `Schedule ${shown.name}, as chosen above the charts of time.` : "",
      "Work is processors times run time.",
      left ? `Not shown: ${count(left)} with fewer jobs.` : "",
    ]
      .filter(Boolean)
      .join(" ");
  }
}

// Fills a table whose first column names the row; cells carry the heading for narrow screens.
function fillTable(id, head, rows) {
  const titles = document.createElement("tr");
  titles.append(...head.map((name) => Object.assign(text("th", name), { scope: "col" })));
  const lines = rows.map(([first, ...cells]) => {
    const line = document.createElement("tr");
    line.append(Object.assign(text("th", first), { scope: "row" }));
    line.append(...cells.map((cell) => text("td", cell)));
    return line;
  });
  const parts = ["thead", "tbody"].map((tag) => document.createElement(tag));
  parts[0].append(titles);
  parts[1].append(...lines);
  element(id).replaceChildren(...parts);
  labelCells(element(id));
}

// Writes the heading of its column on every cell, for screens too narrow for columns.
function labelCells(table) {
  const heads = [...table.querySelectorAll("thead tr > *")].map((cell) =>
    (cell.firstChild?.textContent ?? "").trim(),
  );
  for (const line of table.querySelectorAll("tbody tr"))
    [...line.children].forEach((cell, k) => {
      cell.dataset.name = heads[k] ?? "";
    });
  table.classList.add("stacks");
}
