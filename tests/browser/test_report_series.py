"""Report page in a real browser: legends, differences, scales, and pictures of charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from browser.pages import PAINTED, drawn
from slotwise.report import write_report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Open = Callable[..., Any]

pytestmark = pytest.mark.browser


def test_a_legend_hides_and_shows_the_lines_of_a_schedule(open_page: Open, report: Path) -> None:
    page = open_page(report)
    drawn(page)
    before = page.evaluate(PAINTED, "queue")
    button = page.locator("#runs-legend").get_by_role("button", name="none")
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    drawn(page)
    assert page.evaluate(PAINTED, "queue")["share"] < before["share"]
    button.click()
    drawn(page)
    assert page.evaluate(PAINTED, "queue") == before


def test_a_legend_hides_the_jobs_of_a_colour(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.select_option("#colour", "user")
    page.evaluate("slotwise.view.zoomTime(60)")
    drawn(page)
    before = page.evaluate(PAINTED, "gantt")
    legend = page.locator("#legend").get_by_role("button")
    for k in range(legend.count()):
        legend.nth(k).click()
    drawn(page)
    assert page.evaluate(PAINTED, "gantt")["colours"] < before["colours"]
    page.evaluate("slotwise.view.reset()")
    assert drawn(page)["mode"] == "heat"
    # Every job is hidden, so none can be found under the pointer.
    bars = """() => {
      const { width, height } = slotwise.gantt.surface;
      let found = 0;
      for (let k = 1; k < 40; k++) found += slotwise.gantt.barAt(width * k / 40, height / 2) >= 0;
      return found;
    }"""
    assert page.evaluate(bars) == 0
    for k in range(legend.count()):
        legend.nth(k).click()
    assert page.evaluate(bars) > 0


def test_a_legend_hides_a_distribution(open_page: Open, report: Path) -> None:
    page = open_page(report)
    names = "slotwise.distributions.waits.lines.map((line) => line.name)"
    assert page.evaluate(names) == ["none", "easy"]
    page.locator("#lines-legend").get_by_role("button", name="none").click()
    assert page.evaluate(names) == ["easy"]


def test_the_difference_chart_has_the_changes_of_each_group(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    page.select_option("#difference-by", "user")
    assert page.evaluate(PAINTED, "difference")["colours"] > 3
    none, easy = results
    started = (none.start >= 0) & (easy.start >= 0)
    found = page.evaluate(
        "slotwise.differences.groups.map(({ label, jobs, mean }) => [label, jobs, mean])"
    )
    expected: list[tuple[float, str, int]] = []
    for user in range(1, 7):
        rows = started & (none.trace.user == user)
        change = (easy.wait - none.wait)[rows]
        expected.append((float(change.mean()), str(user), int(rows.sum())))
    assert found == [[label, jobs, mean] for mean, label, jobs in sorted(expected)]
    assert page.locator("#difference-value").inner_text() == "easy minus none, by user"


def test_the_decision_is_the_first_part_of_a_comparison(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    assert page.locator("main > section").first.get_attribute("id") == "decision"
    compared = sw.compare(results[0], results[1])
    figure = page.locator("#decision .figure")
    assert float(str(figure.get_attribute("title")).removesuffix(" s")) == pytest.approx(
        compared.mean
    )
    assert "95 % interval" in page.locator("#decision").inner_text()


def test_one_result_has_no_decision(open_page: Open, tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([0, 0], [9, 9], [1, 1], max_processors=1)
    write_report(sw.simulate(trace), tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    assert page.locator("#decision").count() == 0
    assert page.locator("#differences").is_hidden()
    assert page.locator("#runs-legend").is_hidden()


def test_queues_that_differ_tenfold_have_a_logarithmic_scale(
    open_page: Open, tmp_path: Path
) -> None:
    # 200 jobs of 100 s arrive together. On one processor, a job starts every 100 s, so 199, 198, …
    # jobs wait, about 100 on average. On two processors, 198, 196, … jobs wait, again about 100 on
    # average. On 199 processors, only one job waits.
    zeros = np.zeros(200, dtype=np.int64)
    trace = sw.Trace.from_columns(zeros, zeros + 100, zeros + 1)
    for sizes, is_logarithmic in (((1, 199), True), ((1, 2), False)):
        results = [sw.simulate(trace, sw.Site(size)) for size in sizes]
        write_report(results, tmp_path / "r.html", names=["first", "second"])
        page = open_page(tmp_path / "r.html")
        drawn(page)
        assert page.evaluate("slotwise.queue.isLogarithmic") is is_logarithmic
        said = page.locator("#queue-value").inner_text()
        assert ("logarithmic scale" in said) is is_logarithmic


@pytest.mark.parametrize(
    "chart", ["busy", "queue", "gantt", "overview", "waits", "slowdowns", "difference"]
)
def test_each_chart_is_saved_as_a_picture(
    open_page: Open, report: Path, tmp_path: Path, chart: str
) -> None:
    page = open_page(report)
    with page.expect_download() as download:
        page.locator(f"button[data-chart={chart}]").click()
    assert download.value.suggested_filename == f"slotwise-{chart}.png"
    download.value.save_as(tmp_path / "chart.png")
    head = (tmp_path / "chart.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    # Width and height follow the PNG signature and the name of the first chunk.
    wide, tall = int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    canvas = page.locator(f"#{chart}").bounding_box()
    assert wide == pytest.approx(canvas["width"] + 32, abs=2)
    assert canvas["height"] + 40 < tall < canvas["height"] + 120


def test_the_torus_is_saved_as_a_picture(trace: sw.Trace, tmp_path: Path, open_page: Open) -> None:
    write_report(sw.simulate(trace, sw.Site(machine=sw.Torus((4, 8, 8)))), tmp_path / "torus.html")
    page = open_page(tmp_path / "torus.html")
    with page.expect_download() as download:
        page.locator("button[data-chart=torus]").click()
    assert download.value.suggested_filename == "slotwise-torus.png"
