"""Passes, and events at the same instant, on small cases with 10 processors.

Rows are (submit, run_time, requested_time, processors).
"""

from __future__ import annotations

from collections.abc import Callable

from reference import Outcome
from reference.jobs import COMPLETED, KILLED, REJECTED

Starts = Callable[..., list[int]]
Outcomes = Callable[..., list[Outcome]]


def test_one_pass_an_instant_sees_every_arrival_of_it(starts: Starts) -> None:
    # Shortest job first: in one pass the second job goes first; with a pass after each arrival the
    # first has already started.
    rows = [(0, 10, 10, 10), (0, 1, 1, 10)]
    assert starts(*rows, order="sjf") == [1, 0]
    assert starts(*rows, order="sjf", passes="per-event") == [0, 10]


def test_processors_freed_at_an_instant_serve_its_arrivals(starts: Starts) -> None:
    assert starts((0, 5, 5, 10), (5, 1, 1, 10)) == [0, 5]


def test_a_job_of_length_0_makes_a_further_pass_at_its_instant(starts: Starts) -> None:
    # Both jobs need all processors. The first has length 0, so a further pass at 0 starts the
    # second.
    assert starts((0, 0, 0, 10), (0, 5, 5, 10), backfill="none") == [0, 0]


def test_periodic_passes_count_from_the_first_submit(starts: Starts) -> None:
    # Passes run at 3, 13, 23, …: the second job waits until 13 although processors are free. That
    # pass also considers the third job, submitted at 13.
    rows = [(3, 5, 5, 2), (4, 5, 5, 2), (13, 5, 5, 2)]
    assert starts(*rows, passes="10s") == [3, 13, 13]


def test_a_job_of_length_0_makes_a_further_periodic_pass(starts: Starts) -> None:
    assert starts((0, 0, 0, 10), (0, 5, 5, 10), passes="10s") == [0, 0]


def test_a_period_passes_even_if_nothing_has_happened_since_the_last(starts: Starts) -> None:
    # The order is wfp3 = (wait/request)^3 x processors, on 7 processors, with a pass every 3 s. At
    # 3, the wide job has (3/2)^3 x 6 = 20.25 and the narrow job (1/1)^3 x 1 = 1, so the wide job is
    # first and blocks the other. At 6, they have (6/2)^3 x 6 = 162 and (4/1)^3 x 1 = 64. At 9, the
    # first job has ended.
    rows = [(0, 7, 7, 2), (0, 2, 2, 6), (2, 1, 1, 1)]
    assert starts(*rows, processors=7, order="wfp3", backfill="none", passes="3s") == [0, 9, 9]
    # The order is unicef = wait/(log2(processors) x request), and the wide job requests 1 s. At 3,
    # the wide job has 3/2.585 = 1.16 and the narrow job 1/1. At 6, they have 2.32 and 4, so the
    # narrow job is first and starts, although nothing happened between 3 and 6.
    rows = [(0, 7, 7, 2), (0, 1, 1, 6), (2, 1, 1, 1)]
    assert starts(*rows, processors=7, order="unicef", backfill="none", passes="3s") == [0, 9, 6]


def test_conservative_promises_lie_on_the_grid_of_periodic_passes(starts: Starts) -> None:
    # The first job ends at 12, and the next pass is at 20.
    rows = [(0, 12, 12, 10), (1, 5, 5, 10)]
    assert starts(*rows, backfill="conservative", passes="10s") == [0, 20]


def test_a_job_is_cut_at_its_request_by_default(outcomes: Outcomes) -> None:
    rows = [(0, 20, 10, 10), (1, 5, 5, 10)]
    assert outcomes(*rows) == [(0, 10, KILLED, False), (10, 15, COMPLETED, False)]
    assert outcomes(*rows, kill_at_limit=False) == [
        (0, 20, COMPLETED, False),
        (20, 25, COMPLETED, False),
    ]


def test_an_overrunning_job_is_estimated_to_end_the_next_second(starts: Starts) -> None:
    # The first job should end at 10, but runs until 20. At 12, it is estimated to end at 13, so the
    # third (1 s) overtakes the second. At 13, it is estimated to end at 14, so the fourth (2 s)
    # runs after the second.
    rows = [(0, 20, 10, 6), (1, 5, 5, 10), (12, 1, 1, 4), (13, 2, 2, 4)]
    assert starts(*rows, kill_at_limit=False) == [0, 20, 12, 25]


def test_a_job_wider_than_the_machine_is_rejected_and_blocks_no_job(outcomes: Outcomes) -> None:
    rows = [(0, 5, 5, 11), (0, 5, 5, 10)]
    assert outcomes(*rows, backfill="none") == [(-1, -1, REJECTED, False), (0, 5, COMPLETED, False)]


def test_backfilled_means_started_past_a_waiting_job_that_comes_first(outcomes: Outcomes) -> None:
    # The third job overtakes the second; the fourth starts with the second and overtakes no job.
    rows = [(0, 10, 10, 6), (1, 5, 5, 8), (2, 8, 8, 4), (11, 1, 1, 2)]
    assert [o.backfilled for o in outcomes(*rows)] == [False, False, True, False]
