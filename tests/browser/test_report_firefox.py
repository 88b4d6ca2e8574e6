"""Report page in Debian's Firefox: opening, drawing, search, filters and the page address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from browser.marionette import Firefox, firefox_program
from browser.pages import PAINTED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import slotwise as sw

pytestmark = pytest.mark.browser

READY = "document.documentElement.dataset.ready === 'yes'"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Start Debian's Firefox; skip the test if it is missing."""
    program = firefox_program()
    if program is None:
        pytest.skip("no Firefox is installed: as root, apt-get install firefox-esr")
    with Firefox(program, tmp_path_factory.mktemp("profile")) as running:
        yield running


def test_every_chart_is_painted(firefox: Firefox, report: Path) -> None:
    firefox.open(report.as_uri())
    firefox.until(READY)
    firefox.evaluate("slotwise.drawNow()")
    for chart in ("busy", "queue", "gantt", "overview", "waits", "slowdowns", "difference"):
        painted = firefox.evaluate(f"return ({PAINTED})(arguments[0])", chart)
        assert painted["share"] > 0.02, chart
        assert painted["colours"] > 2, chart


def test_the_address_keeps_the_view(firefox: Firefox, report: Path) -> None:
    firefox.open(f"{report.as_uri()}#t=86400,172800&p=0,128&job=17&colour=user&schedule=easy")
    firefox.until(READY)
    assert firefox.evaluate("return [slotwise.view.t0, slotwise.view.p1]") == [86400, 128]
    assert firefox.evaluate("return slotwise.shown.name") == "easy"
    firefox.evaluate("slotwise.view.set(1000, 9000, 0, 64)")
    firefox.until("location.hash.startsWith('#t=1000,9000&p=0,64&job=17')")


def test_a_job_is_found_and_the_table_filtered(
    firefox: Firefox, report: Path, results: list[sw.Result]
) -> None:
    firefox.open("about:blank")
    firefox.open(report.as_uri())
    firefox.until(READY)
    firefox.evaluate(
        """document.getElementById("job-id").value = "17";
        document.getElementById("search").requestSubmit();
        document.getElementById("job-filter").value = "wait>1h";
        document.getElementById("job-filter-form").requestSubmit();"""
    )
    said = "return [...document.querySelectorAll('#found, #job-filter-said')].map(e => e.innerText)"
    found, filtered = firefox.evaluate(said)
    assert found.startswith("Job 17: waited ")
    assert filtered == f"{np.count_nonzero(results[0].wait > 3600):,} of 20,000 jobs"
