// Winners and losers: the difference in mean wait of each group, as bars with intervals.

const ROW = 24,
  NARROW_ROW = 42; // with the label above the bar

function signedClock(seconds) {
  const sign = Math.round(seconds) > 0 ? "+" : Math.round(seconds) < 0 ? "−" : "";
  return sign + clockDuration(Math.abs(seconds));
}

class Differences {
  constructor(page) {
    this.page = page;
    this.names = page.runs.slice(1).map((run) => run.name);
    const groupings = Object.keys(page.differences[0] ?? {});
    if (!groupings.length) return;
    element("differences").hidden = false;
    for (const by of groupings) element("difference-by").append(new Option(by, by));
    this.names.forEach((name, k) => element("difference-run").append(new Option(name, k)));
    element("difference-run-part").hidden = this.names.length < 2;
    this.hidden = new Hidden();
    this.surface = new Surface("difference", () => this.draw());
    for (const id of ["difference-by", "difference-run"])
      element(id).addEventListener("change", () => this.show());
    this.show();
  }

  colours() {
    return { wins: palette().good, loses: palette().bad, "": palette().other };
  }

  // Shows the chosen grouping of the chosen schedule: chart, notes and table.
  show() {
    if (!this.surface) return;
    const by = element("difference-by").value;
    const run = Number(element("difference-run").value);
    const { groups, others } = this.page.differences[run][by];
    this.groups = groups.slice().sort((a, b) => a.mean - b.mean);
    element("difference-value").textContent =
      `${this.names[run]} minus ${this.page.runs[0].name}, by ${by}`;
    const left = others ? ` Not shown: ${count(others)} with fewer jobs.` : "";
    element("difference-notes").textContent =
      "Lines show the 95 % interval, from resampling weeks of submission. About 1 group in 20 wins " +
      `or loses by chance; a group with jobs in fewer than four weeks has no interval.${left}`;
    this.fillTable(by);
    this.draw();
  }

  fillTable(by) {
    const rows = this.groups.map((group) => [
      group.label,
      count(group.jobs),
      signedClock(group.mean),
      group.low === null ? "-" : signedClock(group.low),
      group.low === null ? "-" : signedClock(group.high),
      group.outcome,
    ]);
    fillTable("difference-table", [by, "jobs", "difference", "from", "to", "outcome"], rows);
  }

  draw() {
    if (!this.groups) return;
    const colours = this.colours();
    const names = { wins: "wins", loses: "loses", "": "interval includes 0, or unknown" };
    const present = Object.keys(names).filter((key) =>
      this.groups.some((group) => group.outcome === key),
    );
    const entries = present.map((key) => ({
      name: names[key],
      colour: colours[key],
      hidden: this.hidden.has(key),
    }));
    fillLegend("difference-legend", entries, (k) => {
      this.hidden.toggle(present[k]);
      this.draw();
    });
    this.drawBars(
      this.groups.filter((group) => !this.hidden.has(group.outcome)),
      colours,
    );
  }

  drawBars(groups, colours) {
    const { surface } = this;
    const narrow = surface.width < 600;
    const row = narrow ? NARROW_ROW : ROW;
    const tall = `${groups.length * row + 34}px`;
    if (surface.canvas.style.height !== tall) {
      surface.canvas.style.height = tall;
      surface.fit();
    }
    const context = surface.begin();
    const left = narrow ? 4 : 220,
      right = surface.width - 110;
    const ends = groups.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]);
    const least = Math.min(0, ...ends),
      most = Math.max(0, ...ends);
    const xOf = (value) => left + ((value - least) / (most - least || 1)) * (right - left);
    this.drawAxis(context, least, most, xOf, groups.length * row + 6);
    groups.forEach((group, k) => {
      const y = (k + 1) * row - ROW / 2 + 4;
      context.fillStyle = colours[group.outcome];
      const x = Math.min(xOf(0), xOf(group.mean));
      context.fillRect(x, y - 7, Math.max(1, Math.abs(xOf(group.mean) - xOf(0))), 14);
      context.fillStyle = styleColour("ink");
      if (group.low !== null) {
        context.fillRect(xOf(group.low), y - 0.5, xOf(group.high) - xOf(group.low), 1);
        for (const end of [group.low, group.high]) context.fillRect(xOf(end) - 0.5, y - 4, 1, 8);
      }
      context.textAlign = narrow ? "left" : "right";
      if (narrow) context.fillText(group.label, left, y - 20, surface.width);
      else context.fillText(group.label, left - 10, y, left - 12);
      context.textAlign = "right";
      context.fillStyle = styleColour("muted");
      context.fillText(signedClock(group.mean), surface.width - 4, y);
    });
  }

  drawAxis(context, least, most, xOf, bottom) {
    const step = niceDuration((most - least) / 4);
    context.textAlign = "center";
    for (let k = Math.ceil(least / step); k * step <= most; k++) {
      const x = Math.round(xOf(k * step));
      context.fillStyle = styleColour(k === 0 ? "muted" : "grid");
      context.fillRect(x, 0, 1, bottom);
      const size = Math.abs(k * step);
      context.fillStyle = styleColour("muted");
      context.fillText(
        k === 0 ? "0" : `${k > 0 ? "+" : "−"}${roundDuration(size)}`,
        x,
        bottom + 14,
      );
    }
  }
}

// A round duration of at least `seconds`.
function niceDuration(seconds) {
  const rounds = [1, 2, 5, 10, 20, 30];
  const all = [
    ...rounds,
    ...rounds.map((n) => n * MINUTE),
    ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((n) => n * DAY),
  ];
  return all.find((step) => step >= seconds) ?? seconds;
}
