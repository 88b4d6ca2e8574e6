"""The order `priority` adds each queue's priority, weighted by Z, to the scores of its jobs."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw

QUEUES = [
    sw.Queue("low", trace_queues=[1]),
    sw.Queue("high", trace_queues=[2], priority=1),
    sw.Queue("middle", trace_queues=[3], priority=0.5),
]


def test_of_equal_jobs_that_of_the_higher_queue_goes_first() -> None:
    # At 100, the second job, which requests 100 s, has waited 99 s: 5·1.65 + 100·(1 + 0.99) + 4 =
    # 211. The third has waited 98 s: 5·1.63 + 100·(1 + 0.98) + 4 = 210. Its queue adds 100·1.
    trace = sw.Trace.from_columns(
        submit=[0, 1, 2], processors=[4] * 3, run_time=[100] * 3, queue=[1, 1, 2]
    )
    site = sw.Site(4, policy=sw.Policy(order="priority"), queues=QUEUES)
    assert sw.simulate(trace, site).start.tolist() == [0, 200, 100]


@pytest.mark.parametrize("backfill", ["none", "first-fit", "easy", "relaxed", "depth", "replan"])
@pytest.mark.parametrize("pools", [(), (sw.Pool("a", 16), sw.Pool("b", 16))])
def test_a_limit_no_job_reaches_changes_nothing_for_identical_jobs(
    backfill: str, pools: tuple[sw.Pool, ...]
) -> None:
    rng = np.random.default_rng(3)
    n = 400
    trace = sw.Trace.from_columns(
        np.cumsum(rng.integers(0, 40, n)),
        rng.integers(50, 400, n),
        rng.choice([1, 4, 8], n),
        rng.choice([400, 800], n),
        queue=rng.integers(1, 4, n),
    )
    own = [["a"], ["a"], ["b"]] if pools else [[], [], []]
    queues = [queue.replace(pools=pools) for queue, pools in zip(QUEUES, own, strict=True)]
    policy = sw.Policy(order="priority", backfill=backfill)
    site = sw.Site(32 if pools else 16, policy, pools=pools, queues=queues)
    limited = sw.simulate(trace, site.replace(limits=sw.Limits(running=10**6)))
    result = sw.simulate(trace, site)
    assert (result.wait > 0).any()
    assert np.array_equal(result.start, limited.start)


def test_an_order_that_weighs_the_priority_may_have_the_lower_queue_first() -> None:
    # At 100, the second job has waited 99 s. The third has waited 50 s, and its queue adds 1.
    trace = sw.Trace.from_columns([0, 1, 50], [100] * 3, [4] * 3, queue=[1, 1, 2])
    weighing = sw.Policy(order={"name": "expression", "key": "wait + queue_priority"})
    starts = [
        sw.simulate(trace, sw.Site(4, policy=policy, queues=QUEUES)).start.tolist()
        for policy in (weighing, sw.Policy())
    ]
    assert starts == [[0, 100, 200], [0, 200, 100]]
