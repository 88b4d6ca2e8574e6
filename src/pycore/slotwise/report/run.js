// One schedule: columns, bars in order of start, and change points.

const STATES = [
  "completed",
  "killed at its limit",
  "rejected",
  "cancelled",
  "interrupted",
  "waiting",
  "running",
];
const BLOCK = 256;

// Sorts `rows` stably by `keys[row]` (at least 0). Sorting numbers is faster than comparing, so the
// position is mixed into the key if both fit into 53 bits.
function sortedBy(keys, rows) {
  const room = 2 ** Math.ceil(Math.log2(rows.length + 1));
  let top = 0;
  for (const row of rows) top = Math.max(top, keys[row]);
  if ((top + 1) * room > 2 ** 53) return rows.slice().sort((a, b) => keys[a] - keys[b] || a - b);
  const mixed = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) mixed[i] = keys[rows[i]] * room + i;
  mixed.sort();
  const sorted = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) sorted[i] = rows[mixed[i] % room];
  return sorted;
}

// The last i with values[i] <= x, or -1; values ascend.
function lastAtMost(values, x) {
  let low = 0,
    high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// A step function: value[i] from time[i] to time[i + 1], 0 before the first; with its integral for
// exact means.
class Steps {
  // Adds amount(row) at up(row) for rows of `rising` and subtracts it at down(row) for rows of
  // `falling`; both are sorted by that time.
  constructor(rising, up, falling, down, amount) {
    const size = rising.length + falling.length;
    this.time = new Float64Array(size);
    this.value = new Float64Array(size);
    let n = 0,
      value = 0,
      i = 0,
      j = 0;
    while (i < rising.length || j < falling.length) {
      const t = Math.min(
        i < rising.length ? up[rising[i]] : Infinity,
        j < falling.length ? down[falling[j]] : Infinity,
      );
      const before = value;
      for (; i < rising.length && up[rising[i]] === t; i++) value += amount(rising[i]);
      for (; j < falling.length && down[falling[j]] === t; j++) value -= amount(falling[j]);
      if (value === before) continue;
      this.time[n] = t;
      this.value[n++] = value;
    }
    this.time = this.time.subarray(0, n);
    this.value = this.value.subarray(0, n);
    this.integral = new Float64Array(n);
    for (let k = 1; k < n; k++)
      this.integral[k] =
        this.integral[k - 1] + this.value[k - 1] * (this.time[k] - this.time[k - 1]);
  }

  at(t) {
    const i = lastAtMost(this.time, t);
    return i < 0 ? 0 : this.value[i];
  }

  // The mean from the first change to the last.
  average() {
    const last = this.time.length - 1;
    return last < 1 ? 0 : this.integral[last] / (this.time[last] - this.time[0]);
  }

  // Means and extremes over `width` equal parts of [t0, t1].
  sample(t0, t1, width) {
    const mean = new Float64Array(width),
      low = new Float64Array(width),
      high = new Float64Array(width);
    const { time, value, integral } = this;
    const step = (t1 - t0) / width;
    let i = lastAtMost(time, t0);
    let area = i < 0 ? 0 : integral[i] + value[i] * (t0 - time[i]);
    for (let x = 0; x < width; x++) {
      const until = x === width - 1 ? t1 : t0 + (x + 1) * step;
      let least = i < 0 ? 0 : value[i],
        most = least;
      while (i + 1 < time.length && time[i + 1] < until) {
        const v = value[++i];
        if (v < least) least = v;
        if (v > most) most = v;
      }
      const next = i < 0 ? 0 : integral[i] + value[i] * (until - time[i]);
      mean[x] = Math.max(0, (next - area) / step);
      low[x] = least;
      high[x] = most;
      area = next;
    }
    return { mean, low, high };
  }
}

// The names in a folded list: "n[08-10],x" stands for n08, n09, n10 and x.
function unfolded(list) {
  const names = [];
  for (const [, stem, ranges] of list.matchAll(/([^,[\]]+)(?:\[([^\]]*)\])?/g)) {
    if (ranges === undefined) names.push(stem);
    for (const range of ranges?.split(",") ?? []) {
      const [low, high = low] = range.split("-");
      for (let number = Number(low); number <= Number(high); number++)
        names.push(stem + String(number).padStart(low.length, "0"));
    }
  }
  return names;
}

// The first core of each node, with one past the last at the end, and the names of the nodes.
function nodesOf(types) {
  const first = [0],
    names = [];
  for (const { cores, nodes } of types)
    for (const name of unfolded(nodes)) {
      first.push(first[first.length - 1] + cores);
      names.push(name);
    }
  return { first, names };
}

class Run {
  constructor(trace, columns, spec) {
    Object.assign(this, {
      trace,
      name: spec.name,
      processors: spec.processors,
      extent: spec.extent,
      torus: spec.torus,
      cell: columns.cell,
      nodes: spec.nodes ? nodesOf(spec.nodes) : null,
    });
    this.wait = columns.wait;
    this.state = columns.state;
    this.backfilled = columns.backfilled;
    this.start = new Float64Array(trace.n);
    this.end = new Float64Array(trace.n);
    const rows = [];
    for (let i = 0; i < trace.n; i++) {
      const ran = columns.wait[i] >= 0;
      this.start[i] = ran ? trace.submit[i] + columns.wait[i] + columns.spent[i] : -1;
      this.end[i] = ran ? this.start[i] + trace.run_time[i] - columns.cut[i] : -1;
      if (ran) rows.push(i);
    }
    this.bySubmit = Uint32Array.from(rows);
    this.byStart = sortedBy(this.start, this.bySubmit);
    this.byEnd = sortedBy(this.end, this.byStart);
    this.last = rows.length ? this.end[this.byEnd[rows.length - 1]] : 0;
    this.spent = columns.spent;
    this.listAttempts(columns);
    this.placeBars(columns);
    this.home = this.homeOf();
  }

  started(job) {
    return this.wait[job] >= 0;
  }

  boundedSlowdown(job, threshold) {
    const length = this.end[job] - this.start[job];
    return Math.max(1, (this.wait[job] + length) / Math.max(length, threshold));
  }

  // Lists every attempt: the last of each job that ran, then the interrupted ones. `queued` is the
  // time at which a job joined the queue: at its submission, or when an attempt was interrupted.
  // `place` is its row in the columns of places: jobs first, then the earlier attempts.
  listAttempts({ attempt_job: jobs, attempt_start: starts, attempt_end: ends }) {
    const last = this.bySubmit,
      total = last.length + jobs.length;
    const attempt = {
      job: new Uint32Array(total),
      start: new Float64Array(total),
      end: new Float64Array(total),
      queued: new Float64Array(total),
      place: new Uint32Array(total),
    };
    for (let k = 0; k < total; k++) {
      const earlier = k - last.length;
      const job = earlier < 0 ? last[k] : jobs[earlier];
      attempt.job[k] = job;
      attempt.start[k] = earlier < 0 ? this.start[job] : starts[earlier];
      attempt.end[k] = earlier < 0 ? this.end[job] : ends[earlier];
      attempt.queued[k] = earlier < 0 ? this.trace.submit[job] : ends[earlier];
      attempt.place[k] = earlier < 0 ? job : this.trace.n + earlier;
    }
    this.attempt = attempt;
    const rows = Uint32Array.from(attempt.job, (_, k) => k);
    this.attemptsByStart = sortedBy(attempt.start, rows);
    this.attemptsByEnd = sortedBy(attempt.end, this.attemptsByStart);
    this.attemptsByQueued = sortedBy(attempt.queued, rows);
  }

  // Makes bars (job, first processor, processors) by start; `blockEnd` is the latest end of every
  // BLOCK bars.
  placeBars({ pieces, first, count: counts }) {
    const total = first.length;
    this.bar = {
      job: new Uint32Array(total),
      start: new Float64Array(total),
      end: new Float64Array(total),
      first: new Int32Array(total),
      count: new Int32Array(total),
    };
    const offset = new Uint32Array(pieces.length + 1),
      countAt = new Uint32Array(pieces.length + 1);
    for (let i = 0; i < pieces.length; i++) {
      offset[i + 1] = offset[i] + pieces[i];
      countAt[i + 1] = countAt[i] + Math.max(0, pieces[i] - 1);
    }
    this.barOf = new Uint32Array(this.trace.n);
    this.pieces = pieces;
    this.blockEnd = new Float64Array(Math.ceil(total / BLOCK)).fill(-1);
    let at = 0;
    for (const row of this.attemptsByStart) {
      const job = this.attempt.job[row],
        place = this.attempt.place[row],
        end = this.attempt.end[row];
      if (place === job) this.barOf[job] = at;
      let left = this.trace.processors[job];
      for (let k = 0; k < pieces[place]; k++, at++) {
        const size = k < pieces[place] - 1 ? counts[countAt[place] + k] : left;
        left -= size;
        this.bar.job[at] = job;
        this.bar.start[at] = this.attempt.start[row];
        this.bar.end[at] = end;
        this.bar.first[at] = first[offset[place] + k];
        this.bar.count[at] = size;
        const block = Math.floor(at / BLOCK);
        if (end > this.blockEnd[block]) this.blockEnd[block] = end;
      }
    }
  }

  // Processors shown at first: the machine, unless more than 0.5 % of the work lies above it.
  homeOf() {
    const { start, end, first, count: size } = this.bar;
    let above = 0,
      all = 0;
    for (let i = 0; i < first.length; i++) {
      const area = (end[i] - start[i]) * size[i];
      all += area;
      if (first[i] >= this.processors) above += area;
    }
    return above > 0.005 * all ? this.extent : this.processors;
  }

  // Ranges [from, to) of bars outside which no bar meets [t0, t1]; bars inside may end before t0.
  ranges(t0, t1) {
    const stop = lastAtMost(this.bar.start, t1) + 1;
    const ranges = [];
    for (let block = 0; block * BLOCK < stop; block++) {
      if (this.blockEnd[block] < t0) continue;
      const from = block * BLOCK,
        to = Math.min(stop, from + BLOCK);
      const before = ranges[ranges.length - 1];
      if (before && before[1] === from) before[1] = to;
      else ranges.push([from, to]);
    }
    return ranges;
  }

  // The bar at an instant and a processor, or -1. `slack` seconds widen bars shorter than that.
  barAt(t, processor, slack) {
    let near = -1;
    for (const [from, to] of this.ranges(t - slack, t + slack)) {
      for (let i = from; i < to; i++) {
        const { start, end, first, count: size } = this.bar;
        if (processor < first[i] || processor >= first[i] + size[i] || end[i] < t - slack) continue;
        if (start[i] <= t && t < end[i]) return i;
        near = i;
      }
    }
    return near;
  }

  // Numbers of the nodes of a job, ascending, on a machine with nodes.
  nodesOfJob(job) {
    const found = new Set();
    const from = this.barOf[job];
    for (let i = from; i < from + this.pieces[job]; i++)
      found.add(lastAtMost(this.nodes.first, this.bar.first[i]));
    return [...found];
  }

  get busy() {
    this.busySteps ??= new Steps(
      this.attemptsByStart,
      this.attempt.start,
      this.attemptsByEnd,
      this.attempt.end,
      (row) => this.trace.processors[this.attempt.job[row]],
    );
    return this.busySteps;
  }

  get queue() {
    this.queueSteps ??= new Steps(
      this.attemptsByQueued,
      this.attempt.queued,
      this.attemptsByStart,
      this.attempt.start,
      () => 1,
    );
    return this.queueSteps;
  }
}
