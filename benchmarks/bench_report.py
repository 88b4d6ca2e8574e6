"""Time to write a report, and to redraw its Gantt chart in a browser, by number of jobs.

Run as ``python benchmarks/bench_report.py [--jobs 10000 100000 1000000] [--json]``; needs chromium
and playwright (``make test-browser`` installs both). A redraw is timed until its pixels can be
read; rendering is in software. The benchmark checks that the full view shows every bar.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

import slotwise as sw
from slotwise.report import write_report

PROCESSORS = 35_232
# JavaScript that draws the Gantt chart several times, waiting each time until its pixels can be
# read. It returns the shortest time in milliseconds, and facts such as the number of bars drawn.
REDRAW = """(rounds) => {
  const { gantt } = slotwise;
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const began = performance.now();
    gantt.draw();
    gantt.surface.context.getImageData(0, 0, 1, 1);
    times.push(performance.now() - began);
  }
  return { ms: Math.min(...times), ...gantt.drawn };
}"""


def trace_of(jobs: int) -> sw.Trace:
    """Generate a log with a load of about 0.8, log-normal run times and power-of-two sizes."""
    random = np.random.default_rng(7)
    run = np.clip(random.lognormal(8, 1.5, jobs), 1, 2 * 86400).astype(np.int64)
    processors = 2 ** random.integers(0, 11, jobs)
    span = int((run * processors).sum() / (0.8 * PROCESSORS))
    return sw.Trace.from_columns(
        np.sort(random.integers(0, span, jobs)),
        run,
        processors,
        requested_time=2 * run,
        user=random.integers(1, 200, jobs),
        max_processors=PROCESSORS,
    )


def measure(browser: Any, jobs: int, folder: Path) -> dict[str, float]:
    """Write one report, open it, and redraw it at several zooms."""
    result = sw.simulate(trace_of(jobs))
    path = folder / f"{jobs}.html"
    began = time.perf_counter()
    write_report(result, path)
    row: dict[str, float] = {"jobs": jobs, "write_ms": 1000 * (time.perf_counter() - began)}
    row["bytes_a_job"] = path.stat().st_size / jobs
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    began = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
    row["open_ms"] = 1000 * (time.perf_counter() - began)
    whole = page.evaluate(REDRAW, 15)
    assert whole["culled"] == 0
    assert page.evaluate("slotwise.trace.n") == jobs
    row["whole_ms"], row["bars"] = whole["ms"], whole["visible"]
    page.evaluate("slotwise.view.zoomTime(10, 0.4)")
    row["tenth_ms"] = page.evaluate(REDRAW, 15)["ms"]
    # Zoom in until there are few enough bars for the chart to draw each one separately.
    while (near := page.evaluate(REDRAW, 15))["mode"] == "heat":
        page.evaluate("slotwise.view.zoomTime(1.2, 0.4)")
    row["bars_ms"], row["bars_drawn"] = near["ms"], near["bars"]
    all_charts = REDRAW.replace("gantt.draw()", "slotwise.drawNow()")
    page.evaluate("slotwise.view.reset()")
    row["all_charts_ms"] = page.evaluate(all_charts, 15)["ms"]
    page.close()
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--json", action="store_true", help="rows as JSON on stdout")
    arguments = parser.parse_args()
    program = shutil.which("chromium")
    if program is None:
        sys.exit("chromium is not installed; as root: apt-get install chromium")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        rows = [measure(browser, jobs, Path(folder)) for jobs in arguments.jobs]
        version = browser.version
        browser.close()
    if arguments.json:
        print(json.dumps({"chromium": version, "rows": rows}))
        return
    print(f"chromium {version}, software rendering, 1400 x 900; times in ms")
    print("jobs, bars, writing, opening, Gantt whole, a tenth, bars one by one (how many),")
    print("all charts whole, bytes a job")
    for r in rows:
        print(
            f"{r['jobs']:>9,.0f}{r['bars']:>11,.0f}{r['write_ms']:>7.0f}{r['open_ms']:>7.0f}"
            f"{r['whole_ms']:>8.1f}{r['tenth_ms']:>8.1f}{r['bars_ms']:>8.1f}"
            f" ({r['bars_drawn']:,.0f}){r['all_charts_ms']:>9.1f}{r['bytes_a_job']:>7.1f}"
        )


if __name__ == "__main__":
    main()
