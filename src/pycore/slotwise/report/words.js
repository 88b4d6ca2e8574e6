// Text beside the charts: the tooltip, and the details of a job.

const isNarrow = matchMedia("(max-width: 700px)"); // as in the style
const element = (id) => document.getElementById(id);
const text = (tag, content) => Object.assign(document.createElement(tag), { textContent: content });

function swatch(colour) {
  const box = text("span", "");
  box.className = "swatch";
  box.style.background = colour;
  return box;
}

// Shows pairs under a heading beside the pointer, inside `parent`.
function showTip(event, parent, head, pairs) {
  const tip = element("tip");
  const list = document.createElement("dl");
  for (const [name, value] of pairs) list.append(text("dt", name), text("dd", value));
  tip.replaceChildren(text("b", head), list);
  if (tip.parentElement !== parent) parent.append(tip);
  tip.hidden = false;
  const box = parent.getBoundingClientRect();
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  const toLeft = x + 16 + tip.offsetWidth > box.width;
  const upwards = event.clientY + 16 + tip.offsetHeight > innerHeight;
  tip.style.left = `${Math.max(0, toLeft ? x - 16 - tip.offsetWidth : x + 16)}px`;
  tip.style.top = `${upwards ? y - 12 - tip.offsetHeight : y + 16}px`;
}

// The heading of the chart of jobs.
function titleOf(run) {
  if (run.nodes) return "Jobs on the cores of their nodes, node after node";
  return `Jobs on processors${run.torus ? `, nodes in ${run.torus.order} order` : ""}`;
}

// The nodes of a job as ranges, the first ones: "n3–n5, n9, … (12 nodes)".
function nodeWords(run, job) {
  const nodes = run.nodesOfJob(job),
    { names } = run.nodes;
  const ranges = [];
  for (const node of nodes) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] === node - 1) last[1] = node;
    else ranges.push([node, node]);
  }
  const said = ranges.slice(0, 6).map(([a, b]) => (a === b ? names[a] : `${names[a]}–${names[b]}`));
  if (ranges.length > 6) said.push("…");
  return nodes.length > 1 ? `${said.join(", ")} (${count(nodes.length)} nodes)` : said.join("");
}

// Describes a job under a schedule, as pairs; `labels` name queues and partitions.
function describeJob(trace, run, clock, labels, job) {
  const kinds = ["user", "queue", "partition"].filter((noun) => trace[noun][job] >= 0);
  const pairs = kinds.map((noun) => {
    const value = trace[noun][job];
    const name = labels[noun]?.[value];
    return [noun, name ? `${value} (${name})` : String(value)];
  });
  pairs.push(
    ["processors", count(trace.processors[job])],
    ["submit", clock.full(trace.submit[job])],
  );
  const requested = clockDuration(trace.requested_time[job]);
  if (run.started(job)) {
    const ran = clockDuration(run.end[job] - run.start[job]);
    pairs.push(
      ["start", clock.full(run.start[job])],
      ["end", clock.full(run.end[job])],
      ["wait", clockDuration(run.wait[job])],
      ["ran / requested", `${ran} / ${requested}`],
      ["started", run.backfilled[job] ? "by backfill" : "in turn"],
    );
    if (run.nodes) pairs.push(["nodes", nodeWords(run, job)]);
    if (run.spent[job] > 0) pairs.push(["in interrupted attempts", clockDuration(run.spent[job])]);
  } else {
    pairs.push(["requested", requested]);
  }
  pairs.push(["state", STATES[run.state[job]] ?? `state ${run.state[job]}`]);
  return pairs;
}

// Work on a section that waits until the section is near the screen, or the page is printed.
class Later {
  constructor(id, work) {
    Object.assign(this, { work, isNear: false, isDue: false });
    const seen = (entries) => {
      this.isNear = entries[entries.length - 1].isIntersecting;
      if (this.isNear) this.run();
    };
    new IntersectionObserver(seen, { rootMargin: "400px" }).observe(element(id));
    addEventListener("beforeprint", () => this.run());
  }

  plan() {
    this.isDue = true;
    if (this.isNear) this.run();
  }

  run() {
    if (this.isDue) this.work();
    this.isDue = false;
  }
}
