"""Picture for the front page and the README: the same jobs under two rules.

Run: python docs/pictures/first.py (needs ``slotwise[plot]``); it writes first.svg beside itself.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import slotwise as sw

TITLES = {"none": "In order of arrival", "easy": "With backfilling"}


def sixty_jobs() -> sw.Trace:
    """Draw 60 jobs of all sizes that arrive within a day; one in five is wide."""
    random = np.random.default_rng(3)
    wide = random.random(60) < 0.2
    processors = np.where(wide, random.integers(40, 60, 60), random.integers(2, 20, 60))
    run = random.integers(20, 180, 60) * 60
    submit = np.sort(random.integers(0, 22 * 3600, 60))
    return sw.Trace.from_columns(submit, run, processors, run, max_processors=64)


def replays() -> dict[str, sw.Result]:
    """Replay the jobs under each rule."""
    trace = sixty_jobs()
    return {name: sw.simulate(trace, sw.Site(policy=sw.Policy(backfill=name))) for name in TITLES}


def data_of(results: dict[str, sw.Result]) -> str:
    """Return a hash of the data shown, which the picture's file stores as its description."""
    shown = [[*each.start, *each.end, *each.trace.processors] for each in results.values()]
    return (
        "data " + hashlib.sha256(repr([list(map(int, row)) for row in shown]).encode()).hexdigest()
    )


def draw(path: Path) -> dict[str, float]:
    """Draw the picture; return the mean wait under each rule in seconds."""
    results = replays()
    trace = results["easy"].trace
    end = max(int(result.end.max()) for result in results.values())
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    waits = {}
    panels = figure.subplots(2, 1, sharex=True)
    for axes, (name, result) in zip(panels, results.items(), strict=True):
        result.plot.gantt(ax=axes)
        waits[name] = result.metrics()["mean_wait"]
        wait = f"the average wait is {waits[name] / 3600:.1f} hours"
        axes.set_xlabel("hours")
        axes.set_title(f"{TITLES[name]}: {wait}", loc="left")
        first = int(trace.submit.min())
        axes.set_xlim(first, end)
        axes.set_xticks(range(first, end, 5 * 3600))
    with mpl.rc_context({"svg.hashsalt": "slotwise"}):
        figure.savefig(path, metadata={"Date": None, "Description": data_of(results)})
    return waits


if __name__ == "__main__":
    draw(Path(__file__).with_suffix(".svg"))
