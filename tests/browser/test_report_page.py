"""The report page in a real browser: what is drawn, and what the mouse and the keyboard do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise import _core
from slotwise.report import write_report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Open = Callable[..., Any]

pytestmark = pytest.mark.browser

# How many pixels of a canvas are not transparent, and how many colours they have.
PAINTED = """(id) => {
  const canvas = document.getElementById(id);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  let painted = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 0) continue;
    painted++;
    colours.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  }
  return { share: painted / (data.length / 4), colours: colours.size };
}"""
# The middle of a job's first bar, in pixels of the window.
PLACE = """(id) => {
  const { gantt, trace } = slotwise;
  slotwise.drawNow();
  const [x, y, w, h] = gantt.box(slotwise.shown.barOf[trace.job_id.indexOf(id)]);
  const box = gantt.surface.canvas.getBoundingClientRect();
  return [box.left + x + w / 2, box.top + y + h / 2];
}"""


def drawn(page: Any) -> dict[str, Any]:
    """What the Gantt chart last drew, after drawing what is due."""
    state: dict[str, Any] = page.evaluate("slotwise.drawNow(), slotwise.gantt.drawn")
    return state


def view(page: Any) -> dict[str, float]:
    window: dict[str, float] = page.evaluate(
        "(({ t0, t1, p0, p1 }) => ({ t0, t1, p0, p1 }))(slotwise.view)"
    )
    return window


def until(page: Any, condition: str) -> None:
    """Wait until an expression holds; the page forbids what Playwright's own wait needs."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"not within 5 s: {condition}")


def middle_of(page: Any, selector: str) -> tuple[float, float]:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def zoomed_into(page: Any, job: int) -> tuple[float, float]:
    """Centre on a job; gives where its bar is."""
    page.evaluate(f"slotwise.find('{job}')")
    page.evaluate("slotwise.select(-1)")
    page.locator("#gantt").scroll_into_view_if_needed()
    x, y = page.evaluate(PLACE, job)
    return x, y


def a_wide_job(result: sw.Result) -> int:
    """The id of a job of 64 processors that ran for an hour or more."""
    fits = (result.trace.processors == 64) & (result.end - result.start > 3600)
    return int(result.trace.job_id[np.flatnonzero(fits)[50]])


@pytest.mark.parametrize("chart", ["busy", "queue", "gantt", "overview", "waits", "slowdowns"])
def test_every_chart_is_painted(open_page: Open, report: Path, chart: str) -> None:
    pixels = open_page(report).evaluate(PAINTED, chart)
    assert pixels["share"] > 0.02
    assert pixels["colours"] > 5


def test_the_page_holds_the_schedule_the_engine_made(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    origin = int(results[0].trace.submit[0])
    for k, result in enumerate(results):
        start = page.evaluate(f"Array.from(slotwise.runs[{k}].start)")
        expected = np.where(result.start < 0, -1, result.start - origin)
        assert start == expected.tolist()


def test_the_lines_agree_with_the_series_of_the_result(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    result = results[1]
    origin = int(result.trace.submit[0])
    series = result.series()
    for at in (origin + 40 * 86400, origin + 77 * 86400 + 1234):
        row = int(np.searchsorted(series["time"], at, side="right")) - 1
        busy = page.evaluate(f"slotwise.runs[1].busy.at({at - origin})")
        queued = page.evaluate(f"slotwise.runs[1].queue.at({at - origin})")
        assert busy == series["busy_processors"][row]
        assert queued == series["queued_jobs"][row]


def test_everything_in_sight_is_a_heat_map_and_few_bars_are_bars(
    open_page: Open, report: Path
) -> None:
    page = open_page(report)
    whole = drawn(page)
    assert whole["mode"] == "heat"
    assert whole["culled"] == 0
    page.evaluate("slotwise.view.zoomTime(50, 0.5)")
    near = drawn(page)
    assert near["mode"] == "bars"
    assert 0 < near["bars"] < whole["visible"] / 20
    assert near["bars"] + near["culled"] == whole["visible"]


def test_the_heat_map_paints_the_processor_seconds_of_the_jobs(
    open_page: Open, tmp_path: Path
) -> None:
    # One job of 5 of 10 processors for half the time: a quarter of the plot, opaque. Another of one
    # processor and 1 s is far smaller than a pixel, and adds its area all the same.
    trace = sw.Trace.from_columns([0, 0], [5000, 1], [5, 1], max_processors=10)
    write_report(sw.simulate(trace), tmp_path / "r.html")
    area = open_page(tmp_path / "r.html").evaluate(
        """() => {
          const window = { t0: 0, t1: 10000, p0: 0, p1: 10 };
          const rgb = [[0, 0, 0]];
          const heat = slotwise.gantt.heat;
          heat.draw(slotwise.shown, window, 333, 77, new Uint8Array(2), rgb);
          let opaque = 0;
          const data = heat.context.getImageData(0, 0, 333, 77).data;
          for (let at = 3; at < data.length; at += 4) opaque += data[at] / 255;
          return opaque / (333 * 77);
        }"""
    )
    assert area == pytest.approx((5000 * 5 + 1) / 100_000, abs=2e-4)


def test_the_wheel_zooms_around_the_pointer(open_page: Open, report: Path) -> None:
    page = open_page(report)
    x, y = middle_of(page, "#gantt")
    page.mouse.move(x - 200, y)
    time_there = """(x) => {
      const { canvas, width } = slotwise.gantt.surface;
      return slotwise.view.timeOfX(x - canvas.getBoundingClientRect().left, width);
    }"""
    before, whole = page.evaluate(time_there, x - 200), view(page)
    page.mouse.wheel(0, -500)
    until(page, "slotwise.view.t1 - slotwise.view.t0 < %f" % (whole["t1"] - whole["t0"]))
    assert page.evaluate(time_there, x - 200) == pytest.approx(before, abs=2)
    assert (view(page)["p0"], view(page)["p1"]) == (0, 256)


def test_the_wheel_scrolls_the_page_where_there_is_no_more_to_show(
    open_page: Open, report: Path
) -> None:
    page = open_page(report)
    page.mouse.move(*middle_of(page, "#gantt"))
    whole, scrolled = view(page), page.evaluate("scrollY")
    page.mouse.wheel(0, 200)
    until(page, f"scrollY > {scrolled}")
    assert view(page) == whole


def test_shift_and_the_wheel_zoom_processors(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.mouse.move(*middle_of(page, "#gantt"))
    page.keyboard.down("Shift")
    page.mouse.wheel(0, -500)
    until(page, "slotwise.view.p1 - slotwise.view.p0 < 256")


def test_dragging_moves_and_a_double_click_shows_everything_again(
    open_page: Open, report: Path
) -> None:
    page = open_page(report)
    whole = view(page)
    page.evaluate("slotwise.view.zoomTime(10)")
    before = view(page)
    x, y = middle_of(page, "#gantt")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 100, y, steps=4)
    page.mouse.up()
    after = view(page)
    span = before["t1"] - before["t0"]
    plot = page.evaluate("slotwise.gantt.surface.width - 68")
    assert after["t0"] - before["t0"] == pytest.approx(100 / plot * span, rel=0.02)
    assert after["t1"] - after["t0"] == pytest.approx(span)
    page.mouse.dblclick(x, y)
    assert view(page) == whole


def test_hovering_shows_the_job_under_the_pointer(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    job = a_wide_job(results[0])
    page.mouse.move(*zoomed_into(page, job))
    tip = page.locator("#tip")
    tip.wait_for(state="visible")
    text = tip.inner_text()
    assert text.startswith(f"Job {job}\n")
    row = int(np.flatnonzero(results[0].trace.job_id == job)[0])
    # The trace begins at 2000-01-01 UTC.
    start = np.datetime64("2000-01-01") + np.timedelta64(int(results[0].start[row]), "s")
    assert str(start).replace("T", " ") in text
    for name in ("user", "submit", "end", "wait", "processors", "ran / requested", "state"):
        assert name in text


def test_a_click_keeps_the_details_of_a_job(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    job = a_wide_job(results[0])
    page.mouse.click(*zoomed_into(page, job))
    assert str(job) in page.locator("#job").inner_text()
    page.locator("#gantt").press("Escape")
    assert page.locator("#job").is_hidden()


def test_search_centres_on_the_job(open_page: Open, report: Path, results: list[sw.Result]) -> None:
    page = open_page(report)
    job = a_wide_job(results[0])
    page.fill("#job-id", str(job))
    page.press("#job-id", "Enter")
    row = int(np.flatnonzero(results[0].trace.job_id == job)[0])
    origin = int(results[0].trace.submit[0])
    centre = (int(results[0].start[row]) + int(results[0].end[row])) / 2 - origin
    window = view(page)
    assert (window["t0"] + window["t1"]) / 2 == pytest.approx(centre, abs=1)
    assert window["t1"] - window["t0"] < 30 * 86400
    assert page.evaluate("slotwise.gantt.selected") == row


def test_search_for_a_job_that_is_not_there_says_so(open_page: Open, report: Path) -> None:
    page = open_page(report)
    before = view(page)
    page.fill("#job-id", "999999")
    page.press("#job-id", "Enter")
    assert "No job 999999" in page.locator("#status").inner_text()
    assert view(page) == before


def test_a_rejected_job_is_found_and_named_as_such(
    open_page: Open, report: Path, trace: sw.Trace
) -> None:
    page = open_page(report)
    page.evaluate(f"slotwise.find('{int(trace.job_id[-1])}')")
    assert "rejected" in page.locator("#job").inner_text()


def test_the_keyboard_reaches_and_moves_the_chart(open_page: Open, report: Path) -> None:
    page = open_page(report)
    chart = page.locator("#gantt")
    chart.focus()
    whole = view(page)
    chart.press("+")
    chart.press("+")
    near = view(page)
    assert near["t1"] - near["t0"] == pytest.approx((whole["t1"] - whole["t0"]) / 2.25)
    chart.press("ArrowRight")
    assert view(page)["t0"] > near["t0"]
    chart.press("Shift+ArrowUp")
    assert view(page)["p1"] - view(page)["p0"] < 256
    chart.press("0")
    assert view(page) == whole
    page.locator("h1").click()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "job-id"


def test_the_keyboard_steps_through_jobs_by_start(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    chart = page.locator("#gantt")
    chart.press("n")
    chart.press("n")
    selected = page.evaluate("slotwise.gantt.selected")
    started = np.flatnonzero(results[0].start >= 0)
    second = started[np.argsort(results[0].start[started], kind="stable")[1]]
    assert selected == second


def test_another_schedule_can_be_chosen(open_page: Open, report: Path) -> None:
    page = open_page(report)
    assert page.evaluate("slotwise.shown.name") == "none"
    page.get_by_label("easy").check()
    assert page.evaluate("slotwise.shown.name") == "easy"
    assert drawn(page)["visible"] == page.evaluate("slotwise.runs[1].bar.job.length")


@pytest.mark.parametrize("choice", ["wait", "user", "size", "state", "backfilled"])
def test_each_colouring_has_a_legend_and_paints_its_colours(
    open_page: Open, report: Path, choice: str
) -> None:
    page = open_page(report)
    page.get_by_label("easy").check()
    page.select_option("#colour", choice)
    page.evaluate("slotwise.view.zoomTime(60)")
    assert drawn(page)["mode"] == "bars"
    assert page.locator("#legend li").count() >= 2
    assert page.evaluate(PAINTED, "gantt")["colours"] >= (3 if choice == "state" else 4)


def test_the_overview_moves_the_window(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.evaluate("slotwise.view.zoomTime(20, 0)")
    page.evaluate("slotwise.drawNow()")
    x, y = middle_of(page, "#overview")
    page.mouse.click(x, y)
    window = view(page)
    half = page.evaluate("slotwise.view.limits.t1 / 2")
    assert (window["t0"] + window["t1"]) / 2 == pytest.approx(half, rel=0.05)


def test_dark_mode_is_dark_and_light_mode_is_light(open_page: Open, report: Path) -> None:
    brightness = """() => {
      const shade = (style) => {
        const [red, green, blue] = style.match(/\\d+/g).map(Number);
        return (red + green + blue) / 3;
      };
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [shade(backgroundColor), shade(color)];
    }"""
    paper, ink = open_page(report, dark=True).evaluate(brightness)
    assert paper < 60 < 180 < ink
    paper, ink = open_page(report).evaluate(brightness)
    assert ink < 60 < 180 < paper


def test_a_narrow_screen_needs_no_sideways_scrolling(open_page: Open, report: Path) -> None:
    page = open_page(report, width=380)
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.evaluate(PAINTED, "gantt")["colours"] > 5


def test_a_trace_without_dates_counts_days(open_page: Open, tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([500_000, 590_000], [90_000, 10], [1, 1], max_processors=2)
    write_report(sw.simulate(trace), tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    page.evaluate("slotwise.find('2')")
    # Submitted 90,000 s = 1 day and 1 h after the first.
    assert "day 1 01:00:00" in page.locator("#job").inner_text()


def test_a_trace_of_one_job_of_no_length_opens(open_page: Open, tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([7], [0], [1], max_processors=1)
    write_report(sw.simulate(trace), tmp_path / "r.html")
    assert drawn(open_page(tmp_path / "r.html"))["bars"] == 1


def test_a_log_that_overbooks_its_machine_is_shown_whole_where_that_is_most_of_it(
    open_page: Open, tmp_path: Path
) -> None:
    # Of the log's own schedule, in order: one second, then half of all work, above the machine.
    for second, home in ((1, 4), (5000, 8)):
        trace = sw.Trace.from_columns([0, 0], [5000, second], [4, 4], max_processors=4, wait=[0, 0])
        result = sw.simulate(trace, sw.Site(policy=sw.Policy(backfill="as-logged")))
        write_report(result, tmp_path / "r.html")
        page = open_page(tmp_path / "r.html")
        assert view(page)["p1"] == home
        assert "up to 8 processors" in page.locator("#gantt-value").inner_text()


def test_an_empty_trace_opens(open_page: Open, tmp_path: Path) -> None:
    nothing = np.array([], dtype=np.int64)
    trace = sw.Trace.from_columns(nothing, nothing, nothing, max_processors=4)
    schedule = _core.Schedule(nothing, nothing, nothing.astype(np.uint8), nothing.astype(np.uint8))
    write_report(sw.Result(trace, sw.Site(), schedule, 4, 0.0), tmp_path / "r.html")
    assert drawn(open_page(tmp_path / "r.html"))["bars"] == 0


def test_hostile_text_stays_text(open_page: Open, tmp_path: Path) -> None:
    evil = "</script><img src=x onerror=\"document.title='owned'\">"
    result = sw.simulate(sw.Trace.from_columns([0], [1], [1], max_processors=1))
    write_report(result, tmp_path / "r.html", title=evil, names=[evil], command=evil)
    page = open_page(tmp_path / "r.html")
    assert page.locator("img").count() == 0
    assert page.locator("h1").inner_text() == evil
    assert "owned" not in page.title().replace(evil, "")


def test_a_torus_is_shown_in_slices_at_the_instant_pointed_at(
    trace: sw.Trace, tmp_path: Path, open_page: Open
) -> None:
    result = sw.simulate(trace, sw.Site(machine=sw.Torus((4, 8, 8))))
    write_report(result, tmp_path / "torus.html")
    page = open_page(tmp_path / "torus.html")
    assert page.is_visible("#torus")
    assert page.inner_text("#gantt-title") == "Jobs on processors, nodes in hilbert order"
    at = int(np.sort(result.start[result.start >= 0])[len(trace) // 2])
    page.evaluate(
        """(t) => {
          slotwise.moment = t - slotwise.page.origin;
          slotwise.drawNow();
        }""",
        at,
    )
    running = int(np.count_nonzero((result.start <= at) & (at < result.end)))
    busy = int(trace.processors[(result.start <= at) & (at < result.end)].sum())
    said = page.inner_text("#torus-value")
    assert f"{running} jobs on {busy} of 256 nodes" in said
    assert page.evaluate(PAINTED, "torus")["colours"] >= running
    # A job under the pointer is the one that has the node.
    first = page.evaluate("slotwise.torus.jobUnder(slotwise.shown, 1, 15)")
    node = sw.Torus((4, 8, 8)).position([0, 0, 0])
    on_it = [
        row
        for row in np.flatnonzero((result.start <= at) & (at < result.end))
        if any(begin <= node < end for begin, end in result.nodes(int(row)))
    ]
    assert first == (on_it[0] if on_it else -1)


def test_a_machine_without_places_shows_no_torus(report: Path, open_page: Open) -> None:
    page = open_page(report)
    assert not page.is_visible("#torus")
