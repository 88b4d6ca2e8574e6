"""Report page in a real browser: mouse and keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from browser.pages import a_wide_job, drawn, middle_of, until, view, zoomed_into

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import slotwise as sw

    Open = Callable[..., Any]

pytestmark = pytest.mark.browser


def test_the_wheel_zooms_around_the_pointer_if_the_chart_has_the_focus(
    open_page: Open, report: Path
) -> None:
    page = open_page(report)
    page.locator("#gantt").focus()
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


def test_the_wheel_scrolls_the_page_without_the_focus(open_page: Open, report: Path) -> None:
    page = open_page(report)
    for chart in ("#busy", "#gantt", "#overview"):
        page.mouse.move(*middle_of(page, chart))
        whole, scrolled = view(page), page.evaluate("scrollY")
        page.mouse.wheel(0, -200)
        until(page, f"scrollY < {scrolled}")
        assert view(page) == whole


def test_the_wheel_zooms_while_ctrl_is_held(open_page: Open, report: Path) -> None:
    page = open_page(report)
    x, y = middle_of(page, "#gantt")
    scrolled = page.evaluate("scrollY")
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -500)
    until(page, "!slotwise.view.isWhole()")
    assert page.evaluate("scrollY") == scrolled


def test_the_wheel_scrolls_the_page_once_everything_is_shown(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("#gantt").focus()
    page.mouse.move(*middle_of(page, "#gantt"))
    whole, scrolled = view(page), page.evaluate("scrollY")
    page.mouse.wheel(0, 200)
    until(page, f"scrollY > {scrolled}")
    assert view(page) == whole


def test_shift_and_the_wheel_zoom_processors(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("#gantt").focus()
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


def test_search_for_a_missing_job_reports_it(open_page: Open, report: Path) -> None:
    page = open_page(report)
    before = view(page)
    page.fill("#job-id", "999999")
    page.press("#job-id", "Enter")
    assert "No job 999999" in page.locator("#found").inner_text()
    assert view(page) == before


def test_search_answers_beside_its_box(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    job = a_wide_job(results[0])
    row = int(np.flatnonzero(results[0].trace.job_id == job)[0])
    page.fill("#job-id", str(job))
    page.press("#job-id", "Enter")
    # The trace begins at 2000-01-01 UTC.
    start = np.datetime64("2000-01-01") + np.timedelta64(int(results[0].start[row]), "s")
    said = page.locator("#found").inner_text()
    assert said.startswith(f"Job {job}: waited ")
    assert said.endswith(f"started {str(start).replace('T', ' ')}")
    button = page.locator("#search button").bounding_box()
    answer = page.locator("#found").bounding_box()
    assert abs(answer["y"] + answer["height"] / 2 - button["y"] - button["height"] / 2) < 8
    assert 0 < answer["x"] - button["x"] - button["width"] < 30


def test_a_rejected_job_is_found_and_shown_as_rejected(
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


def test_the_overview_moves_the_window(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.evaluate("slotwise.view.zoomTime(20, 0)")
    page.evaluate("slotwise.drawNow()")
    x, y = middle_of(page, "#overview")
    page.mouse.click(x, y)
    window = view(page)
    half = page.evaluate("slotwise.view.limits.t1 / 2")
    assert (window["t0"] + window["t1"]) / 2 == pytest.approx(half, rel=0.05)
