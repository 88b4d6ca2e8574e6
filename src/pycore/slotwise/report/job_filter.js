// The filter of the table of jobs: conditions such as `user=3 wait>1h`, all of which must hold.

const UNITS = { s: 1, min: MINUTE, m: MINUTE, h: HOUR, d: DAY };
const COMPARISONS = {
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

// Columns of the table: name -> { kind, of(run, job) }; a value of null is unknown.
function jobColumns(app) {
  const { trace, page } = app;
  const started = (value) => (run, job) => (run.started(job) ? value(run, job) : null);
  const known = (noun) => (run, job) => (trace[noun][job] < 0 ? null : trace[noun][job]);
  const columns = {
    job: { kind: "number", of: (run, job) => trace.job_id[job] },
  };
  for (const noun of ["user", "group", "queue", "partition"])
    columns[noun] = { kind: "label", labels: page.labels[noun] ?? {}, of: known(noun) };
  return Object.assign(columns, {
    processors: { kind: "number", of: (run, job) => trace.processors[job] },
    submit: { kind: "instant", of: (run, job) => trace.submit[job] },
    start: { kind: "instant", of: started((run, job) => run.start[job]) },
    end: { kind: "instant", of: started((run, job) => run.end[job]) },
    wait: { kind: "duration", of: started((run, job) => run.wait[job]) },
    run: { kind: "duration", of: started((run, job) => run.end[job] - run.start[job]) },
    requested: { kind: "duration", of: (run, job) => trace.requested_time[job] },
    slowdown: {
      kind: "number",
      of: started((run, job) => run.boundedSlowdown(job, page.threshold)),
    },
    state: { kind: "word", of: (run, job) => STATES[run.state[job]] ?? `state ${run.state[job]}` },
    started: {
      kind: "word",
      of: started((run, job) => (run.backfilled[job] ? "by backfill" : "in turn")),
    },
  });
}

// Reads a duration in seconds, such as 90, 10min or 1.5h; NaN for other text.
function readDuration(written) {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|min|m|h|d)?$/.exec(written) ?? [];
  return number === undefined ? NaN : Number(number) * UNITS[unit ?? "s"];
}

// Makes a test of one condition, (run, job) -> boolean; throws an Error with the remedy.
function condition(term, columns) {
  const [, name, sign, value] = /^([a-z]+)(!=|<=|>=|=|<|>)(.+)$/i.exec(term) ?? [];
  if (name === undefined && /^\d+$/.test(term)) return condition(`job=${term}`, columns);
  if (name === undefined)
    throw new Error(`“${term}” is not a condition; write a column, a sign and a value: wait>1h.`);
  const column = columns[name.toLowerCase()];
  if (!column)
    throw new Error(`“${name}” is not a column; use one of ${Object.keys(columns).join(", ")}.`);
  const compare = COMPARISONS[sign];
  if (column.kind === "word" || column.kind === "label") {
    if (sign !== "=" && sign !== "!=")
      throw new Error(`“${term}” compares words; ${name} takes = or != only.`);
    const wanted = value.toLowerCase();
    return (run, job) => matchesWord(column, column.of(run, job), wanted) === (sign === "=");
  }
  const number = column.kind === "number" ? Number(value) : readDuration(value);
  if (Number.isNaN(number))
    throw new Error(
      column.kind === "number"
        ? `“${value}” is not a number; write, for example, ${name}${sign}64.`
        : `“${value}” is not a duration; write seconds or, for example, ${name}${sign}10min.`,
    );
  return (run, job) => {
    const found = column.of(run, job);
    return found !== null && compare(found, number);
  };
}

// Compares the start of a word, or all of a number or label; spaces in the value are ignored.
function matchesWord(column, found, wanted) {
  if (found === null) return wanted === "unknown";
  if (column.kind === "word") return found.replaceAll(" ", "").startsWith(wanted);
  const label = column.labels[found];
  return String(found) === wanted || label?.replaceAll(" ", "").toLowerCase() === wanted;
}

// Reads a whole filter; without text every job passes.
function readFilter(written, columns) {
  const tests = written
    .split(/\s+/)
    .filter(Boolean)
    .map((term) => condition(term, columns));
  return (run, job) => tests.every((test) => test(run, job));
}
