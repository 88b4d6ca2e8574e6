// Text of numbers, durations and dates, and the ticks of axes.

const MINUTE = 60,
  HOUR = 3600,
  DAY = 86400;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (number) => String(number).padStart(2, "0");
const count = (number) => Math.round(number).toLocaleString("en-US");

// Writes a duration for sentences, in its two largest units.
function duration(seconds) {
  if (seconds < MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < HOUR)
    return `${Math.floor(seconds / MINUTE)} min ${two(Math.floor(seconds % MINUTE))} s`;
  if (seconds < DAY)
    return `${Math.floor(seconds / HOUR)} h ${two(Math.floor((seconds % HOUR) / MINUTE))} min`;
  return `${count(Math.floor(seconds / DAY))} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}

// Writes a duration as in the tables: 0:00:37, 1:53:57, 27d 15:37:37.
function clockDuration(seconds) {
  const whole = Math.round(seconds);
  const days = Math.floor(whole / DAY),
    hours = Math.floor((whole % DAY) / HOUR);
  const time = `${two(Math.floor((whole % HOUR) / MINUTE))}:${two(whole % MINUTE)}`;
  return days ? `${count(days)}d ${two(hours)}:${time}` : `${hours}:${time}`;
}

// Writes a round duration of a tick: 10 min, 6 h, 10 d.
function roundDuration(seconds) {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${seconds / MINUTE} min`;
  if (seconds < DAY) return `${seconds / HOUR} h`;
  return `${count(seconds / DAY)} d`;
}

function shortCount(number) {
  if (number >= 1e6) return `${+(number / 1e6).toPrecision(3)}M`;
  if (number >= 1e4) return `${+(number / 1e3).toPrecision(3)}k`;
  return number >= 100 || Number.isInteger(number) ? count(number) : String(+number.toPrecision(2));
}

// Writes a ratio with two decimals, from 1,000 on with none.
const ratioText = (number) => (number < 1000 ? number.toFixed(2) : count(number));

// Gives a step of 1, 2 or 5 times a power of ten, at least 1; about `most` steps reach `top`.
function niceStep(top, most) {
  const rough = Math.max(1, top / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * (1 - 1e-9));
}

function niceTicks(top, most) {
  const step = niceStep(top, most);
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

// Calendar time of seconds since the first submission; days and hours if the date is unknown.
class Clock {
  constructor(spec) {
    this.dated = spec !== null;
    this.shift = spec ? spec.epoch + spec.offset : 0;
    this.zone = spec ? spec.zone : "since the first submission";
  }

  parts(t) {
    const date = new Date((t + this.shift) * 1000);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth(),
      day: date.getUTCDate(),
      time: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`,
      second: two(date.getUTCSeconds()),
    };
  }

  full(t) {
    const p = this.parts(Math.floor(t));
    if (this.dated) return `${p.year}-${two(p.month + 1)}-${two(p.day)} ${p.time}:${p.second}`;
    const sign = t < 0 ? "−" : "";
    const s = Math.abs(Math.floor(t));
    const [hours, minutes] = [Math.floor((s % DAY) / HOUR), Math.floor((s % HOUR) / MINUTE)];
    return `${sign}day ${Math.floor(s / DAY)} ${two(hours)}:${two(minutes)}:${two(s % MINUTE)}`;
  }

  // Text of a tick; `step` is the distance of ticks in seconds. The first tick of an axis adds what
  // the others omit.
  tick(t, step, first) {
    const p = this.parts(t);
    const midnight = (t + this.shift) % DAY === 0;
    const time = step < MINUTE ? `${p.time}:${p.second}` : p.time;
    if (step < DAY && first)
      return this.dated
        ? `${p.day} ${MONTHS[p.month]} ${time}`
        : `day ${Math.floor(t / DAY)} ${time}`;
    if (step < DAY && !midnight) return time;
    if (!this.dated) return `day ${count(Math.abs(t / DAY))}`; // never −0
    if (step >= 28 * DAY)
      return p.month === 0 || step >= 365 * DAY
        ? String(p.year)
        : MONTHS[p.month] + (first ? ` ${p.year}` : "");
    return `${p.day} ${MONTHS[p.month]}${first ? ` ${p.year}` : ""}`;
  }

  // Round instants in [t0, t1], about `most` in number, and their distance.
  ticks(t0, t1, most) {
    const rough = (t1 - t0) / Math.max(1, most);
    const steps = [
      1,
      2,
      5,
      10,
      15,
      30,
      60,
      120,
      300,
      600,
      900,
      1800,
      HOUR,
      2 * HOUR,
      3 * HOUR,
      6 * HOUR,
      12 * HOUR,
      DAY,
      2 * DAY,
      7 * DAY,
      14 * DAY,
    ];
    let step = steps.find((size) => size >= rough);
    if (!step && this.dated) return this.monthTicks(t0, t1, rough);
    while (!step)
      step =
        [30, 60, 120, 300, 600, 1200, 3000, 6000, 1e5, 1e6, 1e7, 1e8]
          .map((d) => d * DAY)
          .find((size) => size >= rough) || rough;
    const times = [];
    for (let t = Math.ceil((t0 + this.shift) / step) * step; t <= t1 + this.shift; t += step)
      times.push(t - this.shift);
    return { step, times };
  }

  monthTicks(t0, t1, rough) {
    const every =
      [1, 2, 3, 6, 12, 24, 60, 120, 1200].find((months) => months * 30.5 * DAY >= rough) || 12000;
    const first = this.parts(t0);
    const times = [];
    for (
      let month = Math.floor((first.year * 12 + first.month) / every) * every;
      ;
      month += every
    ) {
      const at = new Date(0);
      at.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
      const time = at.getTime() / 1000 - this.shift;
      if (time > t1) break;
      if (time >= t0) times.push(time);
    }
    return { step: every * 30 * DAY, times };
  }
}
