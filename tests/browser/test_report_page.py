"""Report page in a real browser: charts, colours, narrow screens and unusual logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from browser.pages import PAINTED, drawn, view
from slotwise import _core
from slotwise.report import write_report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Open = Callable[..., Any]

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("chart", ["busy", "queue", "gantt", "overview", "waits", "slowdowns"])
def test_every_chart_is_painted(open_page: Open, report: Path, chart: str) -> None:
    pixels = open_page(report).evaluate(PAINTED, chart)
    assert pixels["share"] > 0.02
    assert pixels["colours"] > 5


def test_the_page_contains_the_schedule_of_the_engine(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    origin = int(results[0].trace.submit[0])
    for k, result in enumerate(results):
        start = page.evaluate(f"Array.from(slotwise.runs[{k}].start)")
        expected = np.where(result.start < 0, -1, result.start - origin)
        assert start == expected.tolist()


def test_the_lines_agree_with_the_timeline_of_the_result(
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


def test_many_bars_are_drawn_as_a_heat_map_and_few_as_bars(open_page: Open, report: Path) -> None:
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
    # One job on 5 of 10 processors for half the time covers a quarter of the plot. Another job, of
    # one processor and 1 s, is far smaller than a pixel, but its area is still added.
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
    # Job 2 was submitted 90,000 s (a day and an hour) after the first job.
    assert "day 1 01:00:00" in page.locator("#job").inner_text()


def test_a_trace_of_one_job_of_no_length_opens(open_page: Open, tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([7], [0], [1], max_processors=1)
    write_report(sw.simulate(trace), tmp_path / "r.html")
    assert drawn(open_page(tmp_path / "r.html"))["bars"] == 1


def test_a_log_that_mostly_overbooks_its_machine_is_shown_whole(
    open_page: Open, tmp_path: Path
) -> None:
    # In the log's own schedule, two jobs that each need the whole machine run at the same time, for
    # 1 s in one case and for 5000 s in the other.
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
    # The job under the pointer is the one that occupies the node.
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


def test_on_a_machine_of_nodes_a_job_names_its_own(tmp_path: Path, open_page: Open) -> None:
    # Each of the two jobs has 3 units of 2 cores. They run one after the other, on the first three
    # of four nodes.
    machine = sw.Nodes([sw.NodeType(hosts="n[08-10],x", cores=2)], "first-fit")
    trace = sw.Trace.from_columns([0, 0], [600, 600], [6, 6]).with_demands(
        sw.Demands([3, 3], cores=[2, 2])
    )
    write_report(sw.simulate(trace, sw.Site(machine=machine)), tmp_path / "nodes.html")
    page = open_page(tmp_path / "nodes.html")
    assert page.inner_text("#gantt-title") == "Jobs on the cores of their nodes, node after node"
    assert drawn(page)["bars"] == 6
    page.evaluate("slotwise.find('2')")
    assert "n08–n10 (3 nodes)" in page.inner_text("#job")
    assert page.evaluate(PAINTED, "gantt")["colours"] > 5
