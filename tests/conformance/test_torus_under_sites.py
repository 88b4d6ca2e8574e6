"""Sites on a torus, compared with sites of processors and with the plain torus planner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw
from conformance.test_nodes_with_a_calendar import CALENDARS
from reference.one_core_nodes import BACKFILLS, CHAINED, LARGEST, TRACE

SIZE = LARGEST + 3
PARTS: dict[str, dict[str, Any]] = {
    **CALENDARS,
    "queues": {
        "queues": [
            sw.Queue("wide", (5, None), priority=2, running_per_user=2),
            sw.Queue("rest", priority=1, starvation=900),
        ]
    },
    "limits": {"limits": sw.Limits(running_per_user=2, processors_per_group=LARGEST)},
    "submitted": {"limits": sw.Limits(submitted_per_user=3, over_submitted="hold")},
    "dependencies": {"dependencies": True},
}


def assert_same_schedule(one: sw.Result, other: sw.Result) -> None:
    for column in ("start", "end", "wait", "state", "backfilled", "reject_reason"):
        assert np.array_equal(getattr(one, column), getattr(other, column)), column
    expected, found = one.attempts, other.attempts
    for column in ("job", "start", "end", "reason"):
        assert np.array_equal(expected[column], found[column]), column


def nodes_of(result: sw.Result) -> list[list[list[int]]]:
    return [result.nodes(row).tolist() for row in range(len(result.start))]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_any_free_nodes_start_jobs_as_processors_do(backfill: Any, part: str) -> None:
    policy = {"backfill": backfill}
    processors = sw.simulate(CHAINED, sw.Site(SIZE, policy=sw.Policy(**policy), **PARTS[part]))
    for allocation in ("first", "least-spread"):
        torus = sw.Site(
            sw.Torus((SIZE,)), policy=sw.Policy(**policy, allocation=allocation), **PARTS[part]
        )
        assert_same_schedule(processors, sw.simulate(CHAINED, torus))


@pytest.mark.parametrize("order", ["fcfs", "sjf", "wfp3"])
@pytest.mark.parametrize(
    "allocation", ["first", "least-spread", "contiguous", "contiguous-best", "contiguous-worst"]
)
@pytest.mark.parametrize("backfill", ["none", "first-fit", "easy"])
def test_a_queue_for_all_jobs_changes_no_start_and_no_node(
    backfill: str, allocation: str, order: str
) -> None:
    policy = sw.Policy(order=order, backfill=backfill, allocation=allocation)
    plain = sw.Site(sw.Torus((SIZE,), order="snake"), policy=policy)
    alone, queued = (sw.simulate(TRACE, s) for s in (plain, plain.replace(queues=[sw.Queue("q")])))
    assert_same_schedule(alone, queued)
    assert nodes_of(alone) == nodes_of(queued)
