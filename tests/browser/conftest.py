"""Fixtures: a browser, and report pages opened in it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.report import write_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Open = Callable[..., Any]

JOBS = 20_000


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start Debian's chromium through Playwright; skip the test if either is missing."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: run make test-browser"
    )
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("no chromium is installed: run make test-browser as root, or install it")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield running
        running.close()


@pytest.fixture(scope="session")
def trace() -> sw.Trace:
    """Generate 20,000 jobs of six users over 100 days for 256 processors; one job is too large."""
    random = np.random.default_rng(1)
    run = np.maximum(1, random.lognormal(7.5, 1.6, JOBS)).astype(np.int64)
    processors = 2 ** random.integers(0, 7, JOBS)
    processors[-1] = 300
    return sw.Trace.from_columns(
        np.sort(random.integers(0, 100 * 86400, JOBS)),
        run,
        processors,
        requested_time=run * 2,
        user=random.integers(1, 7, JOBS),
        max_processors=256,
        unix_start_time=946_684_800,  # 2000-01-01 00:00 UTC
    )


@pytest.fixture(scope="session")
def results(trace: sw.Trace) -> list[sw.Result]:
    """Replay the trace without backfilling and under EASY."""
    return [sw.simulate(trace, sw.Site(policy=sw.Policy(backfill=b))) for b in ("none", "easy")]


@pytest.fixture(scope="session")
def report(results: list[sw.Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(results, path)
    return path


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Return a function that opens a page and fails if the page logs an error."""
    contexts: list[Any] = []
    errors: list[str] = []

    def open_it(path: Path, *, dark: bool = False, width: int = 1300) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: errors.append(message.text) if message.type == "error" else None,
        )
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert errors == []
