// Files saved by the page: pictures of charts, and tables.

const MARGIN = 16,
  LINE = 20;

function saveFile(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// The visible entries of a legend, { name, colour }.
function legendEntries(id) {
  const list = id ? element(id) : null;
  if (!list || list.hidden) return [];
  return [...list.children]
    .filter((item) => item.querySelector("[aria-pressed=false]") === null)
    .map((item) => ({
      name: item.textContent,
      colour: item.querySelector(".swatch").style.background,
    }));
}

// Places entries in lines no wider than `width`; returns { name, colour, x, line }.
function flow(context, entries, width) {
  let x = 0,
    line = 0;
  return entries.map(({ name, colour }) => {
    const size = context.measureText(name).width + 30;
    if (x > 0 && x + size > width) {
      x = 0;
      line++;
    }
    const placed = { name, colour, x, line };
    x += size;
    return placed;
  });
}

// A canvas with the chart, its title above and its legend between, on the colour of the page.
function pictureOf(chart, title, entries) {
  const box = chart.getBoundingClientRect();
  const ratio = chart.width / box.width;
  const picture = document.createElement("canvas");
  const context = picture.getContext("2d");
  context.font = "12px system-ui, sans-serif";
  const placed = flow(context, entries, box.width);
  const lines = placed.length ? placed[placed.length - 1].line + 1 : 0;
  const top = MARGIN + 24 + lines * LINE;
  picture.width = Math.round((box.width + 2 * MARGIN) * ratio);
  picture.height = Math.round((box.height + top + MARGIN) * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = styleColour("card");
  context.fillRect(0, 0, picture.width, picture.height);
  context.textBaseline = "middle";
  context.fillStyle = styleColour("ink");
  context.font = "600 14px system-ui, sans-serif";
  context.fillText(title, MARGIN, MARGIN + 8, box.width);
  context.font = "12px system-ui, sans-serif";
  for (const { name, colour, x, line } of placed) {
    const y = MARGIN + 24 + line * LINE + 6;
    context.fillStyle = colour;
    context.fillRect(MARGIN + x, y - 5, 10, 10);
    context.fillStyle = styleColour("muted");
    context.fillText(name, MARGIN + x + 15, y);
  }
  context.drawImage(chart, MARGIN, top, box.width, box.height);
  return picture;
}

// The words of a heading without its button, for the title of a picture.
function headingOf(button) {
  const parts = [...button.parentElement.querySelectorAll(".name, .value")];
  return parts.map((part) => part.textContent.trim()).filter(Boolean).join(" · ");
}

function listenForPictures() {
  for (const button of document.querySelectorAll("button.png")) {
    const { chart, legend } = button.dataset;
    button.addEventListener("click", () => {
      const title = `${document.querySelector("h1").textContent}: ${headingOf(button)}`;
      pictureOf(element(chart), title, legendEntries(legend)).toBlob((blob) =>
        saveFile(`slotwise-${chart}.png`, blob),
      );
    });
  }
}
