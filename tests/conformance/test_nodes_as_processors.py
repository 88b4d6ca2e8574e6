"""One-core nodes behave like processors: on any site, every start is the same.

Queues with disjoint sets of nodes act like pools: every start is the same as with one pool per
queue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.one_core_nodes import BACKFILLS, CHAINED, LARGEST, TRACE, one_core_nodes

if TYPE_CHECKING:
    from pathlib import Path

ORDERS = [order.name for order in sw.orders()]

QUEUES: dict[str, dict[str, Any]] = {
    "plain": {},
    "tiers": {
        "queues": [
            sw.Queue("high", trace_queues=[0], priority=5),
            sw.Queue("short", walltime=(0, 600), order="sjf"),
            sw.Queue("rest"),
        ]
    },
    "hours": {
        "queues": [
            sw.Queue("night", trace_queues=[1], hours="00:10-00:40"),
            sw.Queue("starves", trace_queues=[2], starvation=300),
            sw.Queue("rest", priority=-1),
        ],
        "clock": sw.Clock(start="1970-01-01T00:00:00"),
    },
    "limits": {"limits": sw.Limits(running_per_user=2, processors_per_group=LARGEST)},
    "queue limits": {
        "queues": [
            sw.Queue("few", trace_queues=[0, 1], running=2, running_per_user=1),
            sw.Queue("rest", queued_per_user=2, starvation=900),
        ],
        "limits": sw.Limits(processors_in_use=LARGEST + 2, lifted_when_idle=True),
    },
}


def assert_equal(trace: sw.Trace, **site: Any) -> None:
    plain = sw.simulate(trace, sw.Site(LARGEST + 3, **site))
    nodes = sw.simulate(trace, sw.Site(one_core_nodes(LARGEST + 3), **site))
    for column in ("start", "end", "state", "backfilled", "queue", "reject_reason"):
        assert np.array_equal(getattr(plain, column), getattr(nodes, column)), column


@pytest.mark.parametrize("queues", QUEUES)
@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_one_core_nodes_start_jobs_as_processors_do(backfill: Any, queues: str) -> None:
    assert_equal(TRACE, policy=sw.Policy(backfill=backfill), **QUEUES[queues])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("backfill", ["easy", "replan", "conservative"])
def test_so_they_do_in_every_order(backfill: str, order: str) -> None:
    given: Any = {"name": "expression", "key": "-area"} if order == "expression" else order
    assert_equal(TRACE, policy=sw.Policy(backfill=backfill, order=given))
    assert_equal(TRACE, policy=sw.Policy(backfill=backfill, order=given), **QUEUES["tiers"])


@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
@pytest.mark.parametrize(
    "policy",
    [
        {"estimates": "exact"},
        {"estimates": "user-history"},
        {"kill_at_limit": False},
        {"passes": "60s"},
        {"passes": "per-event"},
    ],
    ids=str,
)
def test_so_they_do_whatever_is_assumed_of_run_times(backfill: Any, policy: Any) -> None:
    if "estimates" in policy and backfill in ("none", "first-fit"):
        policy = {"kill_at_limit": False, "passes": "30s"}  # these rules do not use estimates
    assert_equal(TRACE, policy=sw.Policy(backfill=backfill, **policy), **QUEUES["tiers"])


@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_so_they_do_with_dependencies(backfill: Any) -> None:
    assert_equal(CHAINED, policy=sw.Policy(backfill=backfill), dependencies=True)


@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_queues_of_disjoint_nodes_are_pools(backfill: Any) -> None:
    sizes = {"a": LARGEST, "b": LARGEST // 2}
    policy = sw.Policy(backfill=backfill)
    limits = sw.Limits(running_per_user=6)

    def queues(**of: Any) -> list[sw.Queue]:
        taken = {"0": [0], "1": [1], "2": [2, 3]}
        where = {"0": "a", "1": "b", "2": "a"}
        return [
            sw.Queue(name, trace_queues=taken[name], starvation=1800, **of[where[name]])
            for name in taken
        ]

    pools = sw.Site(
        sum(sizes.values()),
        policy,
        pools=[sw.Pool(name, size) for name, size in sizes.items()],
        queues=queues(a={"pools": ["a"]}, b={"pools": ["b"]}),
        limits=limits,
    )
    machine = sw.Nodes([sw.NodeType(count=n, cores=1, name=name) for name, n in sizes.items()])
    nodes = sw.Site(
        machine,
        policy,
        queues=queues(a={"nodes": ["type:a"]}, b={"nodes": ["type:b"]}),
        limits=limits,
    )
    expected, found = sw.simulate(TRACE, pools), sw.simulate(TRACE, nodes)
    assert np.array_equal(expected.start, found.start)
    assert np.array_equal(expected.state, found.state)


LOGS = {"KTH-SP2": 100, "SDSC-BLUE": 1152}


@pytest.mark.slow
@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
@pytest.mark.parametrize("log", LOGS)
def test_public_logs_start_as_on_processors(shared_traces: Path, log: str, backfill: Any) -> None:
    trace = sw.read_swf(next(shared_traces.glob(f"{log}*.swf*")))[:8000]
    policy = sw.Policy(backfill=backfill)
    plain = sw.simulate(trace, sw.Site(LOGS[log], policy))
    nodes = sw.simulate(trace, sw.Site(one_core_nodes(LOGS[log]), policy))
    assert np.array_equal(plain.start, nodes.start)
