// Legends of charts: each entry is a button that hides and shows its series.

// Fills a list with `entries`, { name, colour, hidden }; `toggle` receives the number of the entry
// pressed. Without `toggle` the entries only explain colours.
function fillLegend(id, entries, toggle) {
  const list = element(id);
  const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
  const items = entries.map(({ name, colour, hidden }, k) => {
    const item = document.createElement("li");
    const inner = toggle ? document.createElement("button") : item;
    inner.append(swatch(colour), name);
    if (toggle) {
      inner.type = "button";
      inner.setAttribute("aria-pressed", String(!hidden));
      inner.title = hidden ? "Show" : "Hide";
      inner.addEventListener("click", () => toggle(k));
      item.append(inner);
    }
    return item;
  });
  list.replaceChildren(...items);
  if (toggle && focused >= 0) list.children[focused]?.firstChild.focus();
}

// Names of hidden series, which charts leave out.
class Hidden {
  constructor() {
    this.names = new Set();
  }

  has(name) {
    return this.names.has(name);
  }

  toggle(name) {
    if (!this.names.delete(name)) this.names.add(name);
  }
}
