"""Improvements on every stretch of a log, to show whether the first stretch is typical."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.studies.row import Keys, Row, mean_of
from slotwise.studies.torus.comparison import Contest, Grid, compare
from slotwise.studies.torus.paper import METRICS, SOLVERS
from slotwise.studies.torus.sites import DEFAULT, window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.workloads import Workload

TABLE = "all stretches"
STATISTICS = ("least", "quarter", "median", "three quarters", "most", "better in")


def stretch_rows(run: StudyRun, stretches: Sequence[Workload], grid: Grid) -> list[Row]:
    """Return the distribution of the improvements of Tables I to III over the log's stretches.

    Each stretch contributes its mean over the seeds. "better in" is the percentage of stretches on
    which the window is better.
    """
    contests = {
        f"{solver} {behind}": Contest(window(solver, backfilling=behind == "yes"), DEFAULT)
        for solver in SOLVERS
        for behind in ("no", "yes")
    }
    by_stretch = [compare(run, stretch, contests, grid) for stretch in stretches]
    rows = []
    for contest in contests:
        solver, behind = contest.rsplit(" ", 1)
        for metric in METRICS:
            for alpha, beta in grid:
                found = [
                    mean_of(pairs[contest, alpha, beta].improvements(metric))
                    for pairs in by_stretch
                ]
                keys: Keys = {
                    "solver": solver, "backfilling": behind, "metric": metric,
                    "beta": beta, "alpha": alpha,
                }  # fmt: skip
                rows += [
                    Row(TABLE, {**keys, "statistic": name}, value)
                    for name, value in zip(STATISTICS, _statistics(found), strict=True)
                ]
    return rows


def _statistics(found: Sequence[float]) -> list[float]:
    values = np.array(found)
    quarters = np.percentile(values, [0, 25, 50, 75, 100])
    return [*map(float, quarters), float(100 * (values > 0).mean())]
