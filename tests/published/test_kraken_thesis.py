"""Slotwise reproduces Table 1 and Figure 8 of the thesis on Kraken's priority formula.

Vanderlan, "Analyzing supercomputer utilization under queuing with a priority formula and a strict
backfill policy", University of Tennessee 2011. Its times are in minutes.
"""

from __future__ import annotations

import pytest

import slotwise as sw

MINUTE = 60
# Minutes and cores that jobs 3 to 7 request; all are queued at minute 3.
JOBS = {3: (3, 9), 4: (6, 3), 5: (5, 3), 6: (4, 7), 7: (1, 8)}


def scores_after(waited: int) -> dict[int, float]:
    """Score the five jobs when each has waited for this many minutes."""
    requested, cores = zip(*JOBS.values(), strict=True)
    seconds = [minutes * MINUTE for minutes in requested]
    trace = sw.Trace.from_columns([3 * MINUTE] * 5, seconds, cores, seconds)
    found = sw.scores(trace, "priority", now=(3 + waited) * MINUTE)
    return dict(zip(JOBS, found.tolist(), strict=True))


def test_table_1_scores_at_minute_3() -> None:
    assert scores_after(0) == {3: 109, 4: 103, 5: 103, 6: 107, 7: 108}


def test_table_1_scores_at_minute_11() -> None:
    # The table gives jobs 4 and 5 a wait of 8 minutes.
    after = scores_after(8)
    assert f"{after[4]:.7f}" == "276.3333333"
    assert after[5] == 303


@pytest.mark.parametrize("cores", [9, 10, 11])
def test_figure_8_strict_backfilling_under_the_formula(cores: int) -> None:
    # Eight cores are free at minute 3; another job holds the others until minute 8. Job 3 is the
    # head and starts at 8. Before that, job 7 and then job 6 run; jobs 4 and 5 start at 11.
    rows = [(0, 8, cores - 8), *((3, requested, size) for requested, size in JOBS.values())]
    submit, minutes, size = zip(*rows, strict=True)
    seconds = [m * MINUTE for m in minutes]
    trace = sw.Trace.from_columns([m * MINUTE for m in submit], seconds, size, seconds)
    site = sw.Site(machine=sw.Processors(cores), policy=sw.Policy(order="priority"))
    result = sw.simulate(trace, site)
    starts = dict(zip(JOBS, (result.start[1:] // MINUTE).tolist(), strict=True))
    assert starts == {7: 3, 6: 4, 3: 8, 5: 11, 4: 11}
