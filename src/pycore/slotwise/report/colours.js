// Colours of jobs under each choice of "Colour by", in both themes.

const THEMES = {
  light: {
    ramp: ["#a9c9e8", "#6fb1c4", "#7cc09a", "#e9c94f", "#f09a3e", "#d9513c", "#8e1f4f"],
    sizes: ["#cfd8e3", "#9fc6dc", "#5aa5c8", "#3a7cb8", "#3b53a4", "#41307f", "#2b1650"],
    kinds: [
      "#3f74c9",
      "#e2863b",
      "#3f9e6e",
      "#c94f5d",
      "#8066bd",
      "#a9793d",
      "#d477b4",
      "#5d9fae",
      "#b3b03d",
      "#6b7fd7",
    ],
    other: "#b6bec9",
    good: "#6f9fd4",
    bad: "#d2503f",
    lines: ["#2463d1", "#d9622b", "#2f8f5b", "#8a4fbf", "#b08a1f", "#c2417c", "#3f8f9c"],
  },
  dark: {
    ramp: ["#3a6690", "#3d8899", "#4f9f74", "#cfae3c", "#e08a36", "#d9513c", "#b0478c"],
    sizes: ["#3b4653", "#3c6a86", "#4591b8", "#5fb3dc", "#93cdea", "#c6e3f2", "#f4fafd"],
    kinds: [
      "#6b9bea",
      "#ec9a55",
      "#5cba8a",
      "#e37784",
      "#a68de0",
      "#c99b5f",
      "#e59acb",
      "#7fc0ce",
      "#cdca62",
      "#93a3f0",
    ],
    other: "#5d6876",
    good: "#5486bd",
    bad: "#e4614f",
    lines: ["#7aa8ff", "#ff9a5c", "#63cf96", "#c294f5", "#dcb74e", "#f082b4", "#74c9d6"],
  },
};
const isDark = matchMedia("(prefers-color-scheme: dark)");
const palette = () => THEMES[isDark.matches ? "dark" : "light"];
// A colour of the style sheet, read once per theme: reading the style costs more than drawing.
let styles = {};
const styleColour = (name) =>
  (styles[name] ??= getComputedStyle(document.documentElement)
    .getPropertyValue(`--${name}`)
    .trim());

// Upper bounds of waits, in seconds, with their legend.
const WAIT_CLASSES = [
  [0, "no wait"],
  [MINUTE, "≤ 1 min"],
  [10 * MINUTE, "≤ 10 min"],
  [HOUR, "≤ 1 h"],
  [6 * HOUR, "≤ 6 h"],
  [DAY, "≤ 1 d"],
  [Infinity, "longer"],
];

// Up to seven classes of processors with powers of two as upper bounds, and their names.
function sizeClasses(processors) {
  let widest = 1;
  for (let i = 0; i < processors.length; i++) widest = Math.max(widest, processors[i]);
  const step = Math.max(1, Math.ceil(Math.log2(widest) / 5));
  const classes = [[1, "1 processor"]];
  for (let bits = step; classes[classes.length - 1][0] < widest; bits += step) {
    const low = classes[classes.length - 1][0] + 1;
    const high = Math.min(2 ** bits, widest);
    classes.push([
      high,
      `${low === high ? count(low) : `${count(low)} to ${count(high)}`} processors`,
    ]);
  }
  return classes;
}

// Returns for each value the number of the first class with a bound not below it.
function classify(values, classes) {
  const numbers = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    let k = 0;
    while (values[i] > classes[k][0]) k++;
    numbers[i] = k;
  }
  return numbers;
}

// Numbers the ten values with the most processor-seconds 0 to 9, all others 10.
function classifyKinds(values, weights, nameOf) {
  const totals = new Map();
  for (let i = 0; i < values.length; i++)
    totals.set(values[i], (totals.get(values[i]) || 0) + weights[i]);
  const ranked = [...totals]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, 10)
    .map(([value]) => value);
  const number = new Map(ranked.map((value, rank) => [value, rank]));
  const numbers = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) numbers[i] = number.get(values[i]) ?? 10;
  const names = ranked.map(nameOf);
  if (totals.size > ranked.length) names.push(`${count(totals.size - ranked.length)} others`);
  return { numbers, names };
}

// Colourings of one run: name -> { label, classes() -> { numbers (a job), names }, colours() }.
function colourings(trace, run, labels) {
  const kinds = (column, noun) => () => {
    const weights = new Float64Array(trace.n);
    for (let i = 0; i < trace.n; i++)
      weights[i] = run.started(i) ? (run.end[i] - run.start[i]) * trace.processors[i] : 0;
    const nameOf = (value) =>
      value < 0
        ? `no ${noun}`
        : labels[noun]?.[value]
          ? `${noun} ${value} ${labels[noun][value]}`
          : `${noun} ${value}`;
    return classifyKinds(column, weights, nameOf);
  };
  const kindColours = () => [...palette().kinds, palette().other];
  const all = {
    wait: {
      label: "wait",
      classes: () => ({
        numbers: classify(run.wait, WAIT_CLASSES),
        names: WAIT_CLASSES.map((c) => c[1]),
      }),
      colours: () => palette().ramp,
    },
    size: {
      label: "processors",
      colours: () => palette().sizes,
      classes: () => ({
        numbers: classify(trace.processors, trace.sizes),
        names: trace.sizes.map((c) => c[1]),
      }),
    },
    state: {
      label: "state",
      classes: () => {
        const numbers = Uint8Array.from(run.state, (state) => Math.min(state, 2));
        const others = run.byStart.some((job) => numbers[job] === 2);
        return { numbers, names: [...STATES.slice(0, 2), ...(others ? ["otherwise"] : [])] };
      },
      colours: () => [palette().good, palette().bad, palette().other],
    },
    backfilled: {
      label: "how it started",
      classes: () => ({
        numbers: Uint8Array.from(run.backfilled),
        names: ["in turn", "by backfill"],
      }),
      colours: () => [palette().good, palette().kinds[1]],
    },
  };
  for (const noun of ["user", "group", "queue", "partition"]) {
    if (new Set(trace[noun]).size > 1)
      all[noun] = { label: noun, classes: kinds(trace[noun], noun), colours: kindColours };
  }
  return all;
}
