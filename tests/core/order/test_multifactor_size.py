"""The ``multifactor`` order by size alone, as the backfill order and as the order of a queue."""

from __future__ import annotations

import pytest

import slotwise as sw

BY_SIZE = {"name": "multifactor", "job_size": 1000}


@pytest.mark.parametrize("order", ["largest", BY_SIZE])
def test_behind_the_head_the_larger_job_starts_first(order: str | dict[str, object]) -> None:
    # Job 0 holds 4 of 8 processors until 100, when job 1, the head, takes all 8. At 2, the larger
    # of jobs 2 and 3 takes the 4 free processors. If job 2 started at 52, it would run until 102
    # and delay the head.
    trace = sw.Trace.from_columns(
        submit=[0, 1, 2, 2],
        run_time=[100, 100, 50, 50],
        requested_time=[100, 100, 50, 50],
        processors=[4, 8, 1, 4],
    )
    policy = sw.Policy(order="fcfs", backfill="easy", backfill_order=order)
    assert sw.simulate(trace, sw.Site(8, policy=policy)).start.tolist() == [0, 100, 200, 2]


@pytest.mark.parametrize("order", ["largest", BY_SIZE])
def test_the_order_of_a_queue_ranks_by_size(order: str | dict[str, object]) -> None:
    # The machine is full until 100. Then job 2, on all 8 processors, starts before job 1, on one.
    trace = sw.Trace.from_columns(
        submit=[0, 1, 1],
        run_time=[100, 50, 50],
        requested_time=[100, 50, 50],
        processors=[8, 1, 8],
        queue=[1, 1, 1],
    )
    site = sw.Site(
        8, policy=sw.Policy(order="fcfs", backfill="none"), queues=[sw.Queue("q", order=order)]
    )
    assert sw.simulate(trace, site).start.tolist() == [0, 150, 100]
