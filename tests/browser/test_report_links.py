"""Report page in a real browser: its address stores the view, so a link restores it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from browser.pages import a_wide_job, until, view

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import slotwise as sw

    Open = Callable[..., Any]

pytestmark = pytest.mark.browser


def opened_at(open_page: Open, report: Path, fragment: str) -> Any:
    page = open_page(report)
    page.goto("about:blank")
    page.goto(f"{report.as_uri()}#{fragment}")
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


def test_an_address_opens_the_view_that_wrote_it(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    page = open_page(report)
    job = a_wide_job(results[1])
    assert page.evaluate("location.hash") == ""
    page.get_by_label("easy", exact=True).check()
    page.select_option("#colour", "user")
    page.evaluate(f"slotwise.find('{job}')")
    page.evaluate("slotwise.view.set(86400, 172800, 0, 128)")
    until(page, "location.hash.includes('t=86400')")
    fragment = page.evaluate("location.hash.slice(1)")
    assert fragment == f"t=86400,172800&p=0,128&job={job}&colour=user&schedule=easy"
    again = opened_at(open_page, report, fragment)
    assert view(again) == {"t0": 86400, "t1": 172800, "p0": 0, "p1": 128}
    assert again.evaluate("slotwise.trace.job_id[slotwise.gantt.selected]") == job
    assert again.evaluate("slotwise.shown.name") == "easy"
    assert again.input_value("#colour") == "user"
    assert again.get_by_label("easy", exact=True).is_checked()


def test_a_job_in_the_address_is_found(
    open_page: Open, report: Path, results: list[sw.Result]
) -> None:
    job = a_wide_job(results[0])
    page = opened_at(open_page, report, f"job={job}")
    assert str(job) in page.locator("#job").inner_text()
    window = view(page)
    assert window["t1"] - window["t0"] < 30 * 86400


def test_a_new_fragment_changes_the_view(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.evaluate("location.hash = 't=1000,9000'")
    until(page, "slotwise.view.t0 === 1000 && slotwise.view.t1 === 9000")
    page.evaluate("location.hash = ''")
    until(page, "slotwise.view.isWhole()")


def test_a_new_fragment_outlasts_a_pending_write_of_the_old_view(
    open_page: Open, report: Path
) -> None:
    page = open_page(report)
    page.evaluate("location.hash = 't=1000,9000', slotwise.link.writeNow()")
    until(page, "slotwise.view.t0 === 1000 && slotwise.view.t1 === 9000")
    page.evaluate("location.hash = '', slotwise.link.writeNow()")
    until(page, "slotwise.view.isWhole()")
    assert page.evaluate("location.hash") == ""


def test_an_unsuitable_fragment_changes_nothing(open_page: Open, report: Path) -> None:
    page = opened_at(open_page, report, "t=9,1&p=NaN,x&colour=none&schedule=%00&job=%3Cimg%3E&=&&")
    assert page.evaluate("slotwise.view.isWhole()")
    assert page.evaluate("slotwise.gantt.selected") == -1
    assert page.input_value("#colour") == "wait"
    assert "No job <img>" in page.locator("#found").inner_text()
    assert page.locator("img").count() == 0
