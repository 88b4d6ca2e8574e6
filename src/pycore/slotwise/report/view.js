// The visible part of time and machine, shared by all charts of the timeline, and its gestures.

const LEFT = 58,
  RIGHT = 10;
const SHORTEST = 10; // seconds

class View {
  constructor(changed) {
    this.changed = changed;
    this.limits = { t0: 0, t1: 1, p1: 1, home: 1 };
    Object.assign(this, { t0: 0, t1: 1, p0: 0, p1: 1 });
  }

  // Sets the whole time and machine, and the processors shown at first; the view stays where it is
  // as far as it lies inside.
  setLimits(t1, p1, home) {
    const whole = this.isWhole();
    const pad = Math.max(SHORTEST / 2, t1 * 0.005);
    this.limits = { t0: -pad, t1: t1 + pad, p1: Math.max(1, p1), home: Math.max(1, home) };
    if (whole) this.reset();
    else this.set(this.t0, this.t1, this.p0, this.p1);
  }

  isWhole() {
    const { limits } = this;
    const whole = (limits.t1 - limits.t0) * (1 - 1e-9); // the difference is rounded
    return this.t1 - this.t0 >= whole && this.p0 <= 0 && this.p1 === limits.home;
  }

  set(t0, t1, p0 = this.p0, p1 = this.p1) {
    const { limits } = this;
    const time = Math.min(limits.t1 - limits.t0, Math.max(SHORTEST, t1 - t0));
    const band = Math.min(limits.p1, Math.max(Math.min(4, limits.p1), p1 - p0));
    this.t0 = Math.min(limits.t1 - time, Math.max(limits.t0, t0));
    this.t1 = this.t0 + time;
    this.p0 = Math.min(limits.p1 - band, Math.max(0, p0));
    this.p1 = this.p0 + band;
    this.changed();
  }

  reset() {
    this.set(this.limits.t0, this.limits.t1, 0, this.limits.home);
  }

  // Shows 1 / factor as much; the point at share `at` of the window (0 to 1) stays in place.
  zoomTime(factor, at = 0.5) {
    const time = Math.max(SHORTEST, (this.t1 - this.t0) / factor);
    const fixed = this.t0 + at * (this.t1 - this.t0);
    this.set(fixed - at * time, fixed + (1 - at) * time);
  }

  zoomProcessors(factor, at = 0.5) {
    const band = Math.max(4, (this.p1 - this.p0) / factor);
    const fixed = this.p0 + at * (this.p1 - this.p0);
    this.set(this.t0, this.t1, fixed - at * band, fixed + (1 - at) * band);
  }

  // Moves by shares of the visible part, to later times and higher processors.
  move(time, processors) {
    const dt = time * (this.t1 - this.t0),
      dp = processors * (this.p1 - this.p0);
    this.set(this.t0 + dt, this.t1 + dt, this.p0 + dp, this.p1 + dp);
  }

  // Centres on a range of time and processors, close enough to see it.
  centreOn(t0, t1, p0, p1) {
    const time = Math.min(this.t1 - this.t0, Math.max(t1 - t0, 60) * 12);
    const band = Math.min(this.p1 - this.p0, Math.max(p1 - p0, this.limits.p1 / 400, 1) * 24);
    const t = Math.abs(t1 - t0) > time ? t0 : (t0 + t1) / 2,
      p = (p0 + p1) / 2;
    this.set(t - time / 2, t + time / 2, p - band / 2, p + band / 2);
  }

  shareOfX(x, width) {
    return (x - LEFT) / (width - LEFT - RIGHT);
  }
  timeOfX(x, width) {
    return this.t0 + this.shareOfX(x, width) * (this.t1 - this.t0);
  }
  xOfTime(t, width) {
    return LEFT + ((t - this.t0) / (this.t1 - this.t0)) * (width - LEFT - RIGHT);
  }
}

// A canvas with as many pixels as the screen offers.
class Surface {
  constructor(id, resized) {
    this.canvas = document.getElementById(id);
    this.context = this.canvas.getContext("2d");
    new ResizeObserver(() => {
      this.fit();
      resized();
    }).observe(this.canvas);
    this.fit();
  }

  fit() {
    const box = this.canvas.getBoundingClientRect();
    this.width = Math.max(LEFT + RIGHT + 20, box.width);
    this.height = Math.max(20, box.height);
    this.ratio = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
  }

  // Clears the canvas and returns its context in CSS pixels.
  begin() {
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    return context;
  }
}

// Magnification of a turn of the wheel. It is 1, and the page scrolls, unless the Gantt chart has
// the focus or Ctrl is held. With the focus alone, zooming out past everything scrolls too.
function wheelFactor(event, view) {
  if (!event.ctrlKey && document.activeElement !== document.getElementById("gantt")) return 1;
  const turn = (event.deltaY || event.deltaX) * (event.deltaMode === 1 ? 16 : 1);
  if (turn > 0 && view.isWhole() && !event.ctrlKey) return 1;
  event.preventDefault();
  return Math.exp(-Math.max(-300, Math.min(300, turn)) * 0.0022);
}

// Wheel, drag, pinch and double click on a chart of the timeline. `area` gives the height of the
// drawn processors, and is null for charts without processors.
function attachGestures(surface, view, area, clicked) {
  const { canvas } = surface;
  const fingers = new Map();
  let travelled = 0;
  const shares = (event) => {
    const box = canvas.getBoundingClientRect();
    const tall = area ? area() : null;
    return {
      time: view.shareOfX(event.clientX - box.left, surface.width),
      processors: tall ? 1 - (event.clientY - box.top - tall.top) / tall.height : 0.5,
    };
  };
  canvas.addEventListener(
    "wheel",
    (event) => {
      const factor = wheelFactor(event, view);
      if (factor === 1) return;
      const at = shares(event);
      if (event.shiftKey && area) view.zoomProcessors(factor, at.processors);
      else view.zoomTime(factor, at.time);
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, shares(event));
    canvas.setPointerCapture(event.pointerId);
    travelled = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = shares(event);
    travelled += Math.hypot(event.movementX, event.movementY);
    fingers.set(event.pointerId, now);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const apart =
        Math.abs(now.time - other.time) / Math.max(0.02, Math.abs(before.time - other.time));
      view.zoomTime(Math.min(2, Math.max(0.5, apart)), other.time);
    } else if (travelled > 3) {
      view.move(before.time - now.time, area ? before.processors - now.processors : 0);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (fingers.delete(event.pointerId) && travelled <= 3) clicked?.(event);
  });
  canvas.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("dblclick", () => view.reset());
}

const KEYS = {
  ArrowLeft: (view) => view.move(-0.15, 0),
  ArrowRight: (view) => view.move(0.15, 0),
  ArrowUp: (view) => view.move(0, 0.15),
  ArrowDown: (view) => view.move(0, -0.15),
  PageUp: (view) => view.move(-0.9, 0),
  PageDown: (view) => view.move(0.9, 0),
  "+": (view) => view.zoomTime(1.5),
  "=": (view) => view.zoomTime(1.5),
  "-": (view) => view.zoomTime(1 / 1.5),
  0: (view) => view.reset(),
  Home: (view) => view.reset(),
};

// Handles keys of the focused chart; returns true for known keys. Shift with up and down zooms
// processors.
function pressKey(event, view) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.shiftKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    view.zoomProcessors(event.key === "ArrowUp" ? 1.5 : 1 / 1.5);
    return true;
  }
  const act = KEYS[event.key];
  act?.(view);
  return act !== undefined;
}
