"""Independent pools are replayed one by one, with the same result as replaying them together."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference.workloads import crowd

BACKFILLS = ["none", "first-fit", "easy", "relaxed", "multiple-queue", "depth", "replan"]
ORDERS = [order.name for order in sw.orders()]
CROWD = crowd(5)
JOBS = [job for job in CROWD.jobs if job.position % 19]
TRACE = sw.Trace.from_columns(
    [job.submit + 1_000 for job in JOBS],
    [job.run_time for job in JOBS],
    [job.processors for job in JOBS],
    [job.requested_time for job in JOBS],
    user=[job.position % 7 for job in JOBS],
    group=[job.position % 3 for job in JOBS],
    requested_memory=[job.position % 11 for job in JOBS],
    queue=[job.position % 5 for job in JOBS],
)
LARGEST = max(job.processors for job in JOBS)
POOLS = [sw.Pool("a", LARGEST), sw.Pool("b", LARGEST // 2)]
# Jobs in queue 4 of the log are rejected, and some jobs in queue 1 are too large for pool "b".
QUEUES = [
    sw.Queue("0", trace_queues=[0], pools=["a"]),
    sw.Queue("1", trace_queues=[1], pools=["b"]),
    sw.Queue("2", trace_queues=[2, 3], pools=["a"]),
]


def site_of(queues: list[sw.Queue] = QUEUES, **policy: Any) -> sw.Site:
    return sw.Site(2 * LARGEST, sw.Policy(**policy), pools=POOLS, queues=queues)


def assert_same(site: sw.Site) -> sw.Result:
    """Compare `simulate` with a stepped simulation, which plans all pools in one loop."""
    simulation = sw.Simulation(TRACE, site)
    simulation.run()
    together, apart = simulation.result(), sw.simulate(TRACE, site)
    for column in ("start", "end", "wait", "state", "backfilled", "queue", "pool", "reject_reason"):
        assert np.array_equal(getattr(apart, column), getattr(together, column)), column
    return apart


@pytest.mark.parametrize(("backfill", "order"), list(product(BACKFILLS, ORDERS)))
def test_pools_alone_give_what_pools_together_give(backfill: str, order: str) -> None:
    given: Any = {"name": "expression", "key": "-area"} if order == "expression" else order
    # "multiple-queue" treats the queues of a pool separately, so each pool gets only one queue
    # here.
    queues = QUEUES[:2] if backfill == "multiple-queue" else QUEUES
    result = assert_same(site_of(queues, backfill=backfill, order=given))
    assert {sw.State.COMPLETED, sw.State.KILLED, sw.State.REJECTED} == set(result.state)


@pytest.mark.parametrize(
    "policy",
    [
        {"estimates": "exact"},
        {"estimates": "user-history"},
        {"kill_at_limit": False},
        {"passes": "60s"},
        {"order": {"name": "expression", "key": "-processors * queue_priority"}},
        {"order": lambda jobs, now: -jobs.area},
    ],
    ids=["exact", "history", "no-kill", "periodic", "expression", "function"],
)
def test_so_do_those_whose_rules_reach_further(policy: dict[str, Any]) -> None:
    assert_same(site_of(**policy))


@pytest.mark.parametrize(
    "key", ["user", "group", "-job_id", "requested_memory", "queue_priority", "-area"]
)
def test_an_expression_reads_the_columns_of_the_whole_trace(key: str) -> None:
    policy = sw.Policy(order={"name": "expression", "key": key})
    weighed = [queue.replace(priority=number % 2) for number, queue in enumerate(QUEUES)]
    assert_same(sw.Site(2 * LARGEST, policy, pools=POOLS, queues=weighed))
    plain = sw.simulate(TRACE, sw.Site(LARGEST, policy))
    one_queue = sw.simulate(TRACE, sw.Site(LARGEST, policy, queues=[sw.Queue("all")]))
    assert np.array_equal(one_queue.start, plain.start)


def test_a_pool_may_have_an_order_of_its_own() -> None:
    own = [QUEUES[0].replace(order="sjf"), QUEUES[1].replace(order="priority")]
    result = assert_same(site_of(own))
    other = sw.simulate(TRACE, site_of())
    assert not np.array_equal(result.start, other.start)


def test_one_pool_takes_every_job() -> None:
    queues = [sw.Queue("narrow", processors=(1, 2)), sw.Queue("wide")]
    site, plain = sw.Site(LARGEST, queues=queues), sw.simulate(TRACE, sw.Site(LARGEST))
    assert np.array_equal(sw.simulate(TRACE, site).start, plain.start)


def test_progress_rises_over_all_pools() -> None:
    reported: list[float] = []
    n = 20_000
    trace = sw.Trace.from_columns(
        np.arange(n), np.full(n, 5), np.full(n, 1), np.full(n, 10), queue=np.arange(n) % 2
    )
    queues = [sw.Queue(str(q), trace_queues=[q], pools=["ab"[q]]) for q in (0, 1)]
    site = sw.Site(20, pools=[sw.Pool("a", 10), sw.Pool("b", 10)], queues=queues)
    sw.simulate(trace, site, progress=reported.append)
    assert reported == sorted(reported)
    assert reported[0] < 0.5 < reported[-1] <= 1


def test_what_progress_raises_ends_the_replay() -> None:
    def stop(_done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sw.simulate(TRACE, site_of(), progress=stop)


def test_a_trace_that_is_rejected_whole_is_reported_by_reason() -> None:
    site = sw.Site(4, pools=[sw.Pool("a", 4)], queues=[sw.Queue("q", (1, 1), (0, 1))])
    trace = sw.Trace.from_columns([0, 0], [5, 5], [2, 4], [5, 5])
    with pytest.raises(sw.SiteError, match="none of the 2 jobs can ever start: 2 not accepted"):
        sw.simulate(trace, site)
