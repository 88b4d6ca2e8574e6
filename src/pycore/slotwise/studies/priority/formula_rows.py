"""Table 1, Figure 8, equations 4 and 5: the formula against the simulator's own priorities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.weights.formula import KRAKEN, catch_up, head_start
from slotwise.replay.scoring import scores
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.policy import Policy
from slotwise.studies.priority import paper
from slotwise.studies.row import Row
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.studies.run import StudyRun

MINUTE = 60
CORE_STEPS = ((100, 60), (1000, 60), (1000, 1440), (12_000, 240))
"""Values of Δc (cores) and r (minutes) in equation 4."""
TIME_STEPS = ((120, 60, 60), (1440, 720, 60), (240, 60, 30))
"""Values of r, Δr and t₀ in equation 5, in minutes."""


def formula_rows(run: StudyRun) -> list[Row]:
    """Return the rows, and register one picture that shows Figures 1 and 3."""
    from slotwise.studies.priority.figures import priority_lines

    run.picture("figures-1-and-3", priority_lines)
    return [*_table_1(), *_figure_8(), *_equation_4(), *_equation_5()]


def points(
    submit: Sequence[float], requested: Sequence[float], cores: Sequence[int], now: float
) -> list[float]:
    """Return the scores of jobs under the simulator's order; all times are in minutes."""
    seconds = [round(MINUTE * minutes) for minutes in requested]
    trace = Trace.from_columns(
        [round(MINUTE * minutes) for minutes in submit], seconds, cores, seconds
    )
    return list(map(float, scores(trace, KRAKEN.order(), round(MINUTE * now))))


def _table_1() -> list[Row]:
    rows = []
    for job, requested, cores, waited, score in paper.TABLE_1:
        ours = points([0], [requested], [cores], waited)[0]
        rows.append(Row("1", {"job": job, "waited": waited}, ours, paper=score))
    return rows


def _figure_8() -> list[Row]:
    queued = {job: (r, c) for job, r, c, waited, _ in paper.TABLE_1 if waited == 0}
    requested, cores = zip(*queued.values(), strict=True)
    free = cores[0] - 1  # one of job 3's nine cores is still busy
    seconds = [MINUTE * paper.FIGURE_8_BUSY, *(MINUTE * r for r in requested)]
    submit = [0, *[3 * MINUTE] * len(queued)]
    trace = Trace.from_columns(submit, seconds, [cores[0] - free, *cores], seconds)
    policy = Policy(order=KRAKEN.order(), backfill="easy")
    start = simulate(trace, Site(Processors(cores[0]), policy)).start[1:] // MINUTE
    found = dict(zip(queued, start.tolist(), strict=True))
    return [
        Row("figure 8", {"job": job}, float(found[job]), paper=float(minute))
        for job, minute in paper.FIGURE_8.items()
    ]


def _equation_4() -> list[Row]:
    rows = []
    for more, requested in CORE_STEPS:
        minutes = head_start(more, requested)
        # The simulator computes the scores of both jobs; the smaller job is submitted `minutes`
        # earlier.
        small, large = points([0, minutes], [requested] * 2, [12, 12 + more], minutes + 60)
        keys = {"more_cores": more, "requested": requested}
        rows.append(Row("eq. 4", keys, minutes, more={"points_apart": small - large}))
    return rows


def _equation_5() -> list[Row]:
    rows = []
    for requested, less, waited in TIME_STEPS:
        minutes = catch_up(requested, less, waited)
        long, short = points([0, waited], [requested, requested - less], [12, 12], waited + minutes)
        keys = {"requested": requested, "less": less, "waited": waited}
        rows.append(Row("eq. 5", keys, minutes, more={"points_apart": float(np.abs(long - short))}))
    return rows
