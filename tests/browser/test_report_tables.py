"""Report page in a real browser: tables of jobs and groups."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from browser.pages import until
from slotwise.report import write_report
from slotwise.result.job_groups import JobGroups

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Open = Callable[..., Any]

pytestmark = pytest.mark.browser


def rows_of(page: Any, table: str) -> list[list[str]]:
    """Return the texts of the cells in the body of a table."""
    cells: list[list[str]] = page.evaluate(
        """(id) => [...document.querySelectorAll(`#${id} tbody tr`)].map((line) =>
          [...line.children].map((cell) => cell.textContent))""",
        table,
    )
    return cells


def filtered(page: Any, written: str) -> str:
    """Filter the table of jobs, and return the text shown beside the filter."""
    page.fill("#job-filter", written)
    page.press("#job-filter", "Enter")
    said: str = page.locator("#job-filter-said").inner_text()
    return said


def test_the_filter_finds_the_jobs_that_meet_every_condition(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    trace, wait = results[0].trace, results[0].wait
    long = (trace.user == 3) & (wait > 3600) & (trace.processors >= 16)
    assert (
        filtered(page, "user=3 wait>1h processors>=16")
        == f"{np.count_nonzero(long):,} of 20,000 jobs"
    )
    ids = trace.job_id[np.flatnonzero(long)[:25]]
    assert [row[0] for row in rows_of(page, "job-table")] == [str(job) for job in ids]
    assert filtered(page, "state=rejected") == "1 of 20,000 jobs"
    assert filtered(page, "17") == "1 of 20,000 jobs"
    assert filtered(page, "") == "20,000 of 20,000 jobs"
    # A filter with <= includes the given duration; 1.5h is 5400 s.
    short = np.count_nonzero((results[0].start >= 0) & (wait <= 5400))
    assert filtered(page, "wait<=1.5h") == f"{short:,} of 20,000 jobs"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("waits>1h", "“waits” is not a column; use one of job, user, "),
        ("wait>long", "“long” is not a duration; write seconds or, for example, wait>10min."),
        ("processors=many", "“many” is not a number; write, for example, processors=64."),
        ("state>killed", "“state>killed” compares words; state takes = or != only."),
        ("<b>", "“<b>” is not a condition; write a column, a sign and a value: wait>1h."),
    ],
)
def test_a_wrong_filter_is_explained_beside_its_box(
    open_page: Open, report: Path, written: str, said: str
) -> None:
    page = open_page(report)
    assert filtered(page, "user=3") != ""
    before = rows_of(page, "job-table")
    assert filtered(page, written).startswith(said)
    assert rows_of(page, "job-table") == before


def test_a_heading_sorts_and_the_pages_go_on(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    page.locator("#jobs").scroll_into_view_if_needed()
    heading = page.locator("#job-table thead").get_by_role("button", name="wait", exact=True)
    heading.click()
    heading.click()
    ids, wait = results[0].trace.job_id, results[0].wait
    first = page.locator("#job-table tbody tr").first.locator("th").inner_text()
    assert wait[ids == int(first)] == wait.max()
    assert page.locator("#job-table th[aria-sort=descending]").inner_text().startswith("wait")
    page.locator("#job-after").click()
    assert page.locator("#job-page").inner_text().startswith("26 to 50 of 20,000")
    assert page.locator("#job-before").is_enabled()


def test_the_csv_has_the_jobs_found_as_numbers_of_the_log(
    open_page: Open, report: Path, results: list[sw.Result], tmp_path: Path
) -> None:
    page = open_page(report)
    page.get_by_label("easy", exact=True).check()
    filtered(page, "user=2 wait>=1h")
    with page.expect_download() as download:
        page.locator("#job-csv").click()
    assert download.value.suggested_filename == "slotwise-jobs.csv"
    download.value.save_as(tmp_path / "jobs.csv")
    with (tmp_path / "jobs.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    result = results[1]
    found = np.flatnonzero((result.trace.user == 2) & (result.wait >= 3600))
    for column, values in (
        ("job", result.trace.job_id),
        ("submit", result.trace.submit),
        ("start", result.start),
        ("end", result.end),
        ("wait", result.wait),
        ("processors", result.trace.processors),
    ):
        assert [int(line[column]) for line in lines] == values[found].tolist()
    assert {line["user"] for line in lines} == {"2"}


def test_names_in_the_csv_are_quoted_and_never_formulas(open_page: Open, tmp_path: Path) -> None:
    log = tmp_path / "named.swf"
    log.write_text(
        '; MaxProcs: 4\n; Queue: 1 =1+1, "all"\n1 0 -1 10 1 -1 -1 1 10 -1 1 7 1 1 1 1 -1 -1\n'
    )
    write_report(sw.simulate(sw.read_swf(log)), tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    page.locator("#jobs").scroll_into_view_if_needed()
    head, line, end = page.evaluate("slotwise.jobs.csv()").split("\n")
    assert end == ""
    (row,) = csv.DictReader([head, line])
    assert row["queue"] == '\'=1+1, "all"'
    assert row["user"] == "7"


def test_a_row_shows_its_job_on_the_chart(open_page: Open, report: Path) -> None:
    page = open_page(report)
    filtered(page, "job=1234")
    page.locator("#job-table tbody button").click()
    assert page.evaluate("slotwise.trace.job_id[slotwise.gantt.selected]") == 1234
    assert "1234" in page.locator("#job").inner_text()


@pytest.mark.parametrize("by", ["user", "class"])
def test_the_table_of_groups_agrees_with_the_metrics_of_each_group(
    open_page: Open, report: Path, results: list[sw.Result], by: str
) -> None:
    page = open_page(report)
    page.get_by_label("easy", exact=True).check()
    page.locator("#by-group").scroll_into_view_if_needed()
    page.select_option("#group-by", by)
    groups = JobGroups.of(results[1], by)
    metrics = dict(
        zip(
            map(str, groups.labels),
            groups.metrics(results[1], 10, (0, 0)),
            strict=True,
        )
    )
    rows = rows_of(page, "group-table")
    assert {row[0] for row in rows} == set(metrics)
    for label, jobs, *waits, slowdown, _ in rows:
        row = metrics[label]
        assert jobs == f"{row['n_started']:,.0f}"
        expected = [row[f"{name}_wait"] for name in ("mean", "median", "p95", "max")]
        assert [seconds_of(wait) for wait in waits] == pytest.approx(expected, abs=0.51)
        # Numbers below 1,000 have two decimals; larger ones have none.
        mean = row["mean_bounded_slowdown"]
        assert slowdown == (f"{mean:.2f}" if mean < 1000 else f"{mean:,.0f}")


def seconds_of(clock: str) -> int:
    """Return the seconds in a duration such as ``1:53:57`` or ``27d 15:37:37``."""
    days, _, time = clock.rpartition("d ")
    hours, minutes, seconds = map(int, time.split(":"))
    return int(days.replace(",", "") or 0) * 86400 + hours * 3600 + minutes * 60 + seconds


def test_queues_of_the_site_have_a_table(open_page: Open, tmp_path: Path) -> None:
    # The first queue accepts jobs of up to 100 s, which are two of the three jobs.
    site = sw.Site(4, queues=[sw.Queue("<b>short", walltime=(0, 100)), sw.Queue("long")])
    trace = sw.Trace.from_columns([0, 0, 0], [50, 60, 500], [1, 1, 1], requested_time=[50, 60, 500])
    write_report(sw.simulate(trace, site), tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    page.locator("#by-group").scroll_into_view_if_needed()
    page.select_option("#group-by", "queue")
    until(page, "document.querySelectorAll('#group-table tbody tr').length === 2")
    assert [row[:2] for row in rows_of(page, "group-table")] == [["<b>short", "2"], ["long", "1"]]


def test_columns_become_lines_on_a_phone(open_page: Open, report: Path) -> None:
    page = open_page(report, width=390)
    for section in ("decision", "by-group", "jobs"):
        page.locator(f"#{section}").scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    clipped = """() => [...document.querySelectorAll(".scroll")]
      .filter((box) => box.scrollWidth > box.clientWidth).length"""
    assert page.evaluate(clipped) == 0
    # On a phone, each value shows the name of its column.
    cell = page.locator("section[aria-labelledby=metrics-title] tbody td").nth(1)
    assert cell.get_attribute("data-name") == "easy"
