"""Conservative backfilling: promises, sweeps, overruns."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

Replay = Callable[..., sw.Result]

# The example in conservative_planner.hpp: (submit, run_time, requested_time, processors) of A to D.
EXAMPLE = [(0, 40, 100, 6), (0, 50, 50, 8), (0, 200, 200, 4), (0, 90, 90, 4)]


def starts(result: sw.Result) -> list[int]:
    return [int(t) for t in result.start]


def test_moves_promises_up_in_order_when_a_job_ends_early(replay: Replay) -> None:
    # B is promised a start at 100, C at 150, and D at 0. C (4 processors for 200 s) does not fit
    # beside B. A ends at 40, and D holds 4 processors until 90. B moves to 90, and C after it to
    # 140.
    result = replay(EXAMPLE, 10, backfill="conservative")
    assert starts(result) == [0, 90, 140, 0]
    assert result.backfilled.tolist() == [False, False, False, True]


def test_keeps_the_promise_of_every_waiting_job(replay: Replay) -> None:
    # A holds 6 of 10 processors until 100. B (8 for 50 s) is promised a start at 100, and C (10 for
    # 10 s) at 150. D (2 for 160 s) leaves B its 8 processors, so under easy D starts and C waits
    # until 160. Under conservative, D may not delay C either, so D starts after C.
    rows = [(0, 100, 100, 6), (0, 50, 50, 8), (0, 10, 10, 10), (0, 160, 160, 2)]
    assert starts(replay(rows, 10, backfill="easy")) == [0, 100, 160, 0]
    assert starts(replay(rows, 10, backfill="conservative")) == [0, 100, 150, 160]


def test_sweeps_in_policy_order(replay: Replay) -> None:
    # A holds all processors until it ends at 10 instead of 100. B (50 s) is promised a start at
    # 100, and C (20 s) at 150. Under fcfs, B moves to 10, then C to 60. Under sjf, C moves to 10,
    # then B to 30.
    rows = [(0, 10, 100, 2), (1, 50, 50, 2), (2, 20, 20, 2)]
    assert starts(replay(rows, 2, backfill="conservative")) == [0, 10, 60]
    assert starts(replay(rows, 2, backfill="conservative", order="sjf")) == [0, 30, 10]


def test_only_promises_that_fit_into_what_became_free_move(replay: Replay) -> None:
    # On 3 processors, A (1) and B (2) start at 0. C (3 for 10 s) is promised a start at 100. D (2
    # for 60 s) and E (1 for 60 s) are promised a start at 110. B ends at 30 instead of 100, and A
    # runs until 100. C keeps its promise, and D moves to 30.
    rows = [(0, 100, 100, 1), (0, 30, 100, 2), (1, 10, 10, 3), (2, 60, 60, 2), (3, 60, 60, 1)]
    assert starts(replay(rows, 3, backfill="conservative")) == [0, 0, 100, 30, 110]


def test_an_overrun_postpones_the_promises_it_makes_infeasible(replay: Replay) -> None:
    # A was estimated to end at 10, but runs until 15. From 10 onwards, B's promise is postponed by
    # one second every second. C (1 processor) fits beside A throughout, and is not affected.
    rows = [(0, 15, 10, 3), (0, 5, 5, 3), (0, 8, 8, 1)]
    result = replay(rows, 4, backfill="conservative", kill_at_limit=False)
    assert starts(result) == [0, 15, 0]


def test_a_job_of_length_0_holds_its_processors_for_the_pass_only(replay: Replay) -> None:
    # Both jobs need the whole machine. The first ends at the instant at which it starts; the next
    # pass moves the second job to that instant.
    assert starts(replay([(5, 0, 0, 2), (5, 9, 10, 2)], 2, backfill="conservative")) == [5, 5]


def test_periodic_passes_promise_instants_at_which_a_pass_runs(replay: Replay) -> None:
    # Passes run at 0, 30, 60, and so on. B arrives at 5, and is promised a start at 60, the first
    # pass after A ends.
    rows = [(0, 40, 40, 1), (5, 10, 10, 1)]
    assert starts(replay(rows, 1, backfill="conservative", passes="30s")) == [0, 60]


def test_scores_that_drift_are_taken_at_the_instant(replay: Replay) -> None:
    # wfp3 = (wait / request)^3 * processors. When A ends at 40, B scores (39/100)^3 * 2, and C,
    # submitted 5 s later, scores (34/10)^3 * 2. C moves first and starts at 40; B follows at 50.
    rows = [(0, 40, 90, 2), (1, 100, 100, 2), (6, 10, 10, 2)]
    assert starts(replay(rows, 2, backfill="conservative", order="wfp3")) == [0, 50, 40]


def test_mean_wait_on_kth_is_the_textbook_figure(shared_traces: Path) -> None:
    # The README of the traces gives a mean wait of 7319.37 s for the normalised log.
    trace = sw.read_swf(shared_traces / "reference" / "KTH-SP2.normalised.swf.gz")
    site = sw.Site(machine=sw.Processors(100), policy=sw.Policy(backfill="conservative"))
    assert round(float(sw.simulate(trace, site).wait.mean()), 2) == 7319.37


def test_pyss_switches_give_every_start_of_pyss(shared_traces: Path) -> None:
    folder = shared_traces / "reference"
    trace = sw.read_swf(folder / "KTH-SP2.normalised.swf.gz")
    policy = sw.Policy(
        backfill="conservative",
        event_order="arrivals-first",
        passes="per-event",
        ending_now="free",
        compression="every-end",
        promises="per-arrival",
    )
    result = sw.simulate(trace, sw.Site(machine=sw.Processors(100), policy=policy))
    with gzip.open(folder / "KTH-SP2.pyss.conservative.csv.gz", "rt") as file:
        expected = np.loadtxt(file, delimiter=",", skiprows=1, dtype=np.int64)
    assert np.array_equal(np.column_stack([trace.job_id, result.start]), expected)
