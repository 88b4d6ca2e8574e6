"""Reasons for the rejection of one job, in words."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

NODES = sw.Nodes([sw.NodeType(hosts="g[1-4]", cores=8, memory="64GB", gpus=4)])


def reason_of(site: sw.Site, **columns: Any) -> str:
    """Return why the second of two jobs is rejected; the first one is small and starts."""
    demands = columns.pop("demands", None)
    trace = sw.Trace.from_columns(
        [0, 0], [60, 60], [1, columns.pop("processors", 1)], user=[1, 1], job_id=[1, 2], **columns
    )
    if demands is not None:
        trace = trace.with_demands(demands)
    result = sw.simulate(trace, site)
    assert result.start.tolist()[0] == 0
    with pytest.raises(ValueError, match="job 2 never started") as fault:
        result.explain(2)
    return (
        str(fault.value).removeprefix("job 2 never started ").removesuffix("; nothing to explain")
    )


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"per_user": {"gpus": 4}}, "it requests 8 gpus, but limits.per_user allows 4 gpus"),
        (
            {"total": {"memory": "1GB"}},
            "it requests 2 GB of memory, but limits.total allows 1 GB of memory",
        ),
        (
            {"processors_per_user": 1},
            "it requests 2 processors, but limits.processors_per_user allows 1",
        ),
        ({"per_user": {"nodes": 1}}, "it requests 2 nodes, but limits.per_user allows 1 node"),
    ],
)
def test_a_limit_is_named_with_its_resource(limits: dict[str, Any], why: str) -> None:
    asked = sw.Demands([1, 2], cores=[1, 1], gpus=[0, 4], memory=[0, 1 << 20], nodes=[0, 2])
    site = sw.Site(machine=NODES, limits=sw.Limits(**limits))
    assert reason_of(site, processors=2, demands=asked) == f"(rejected: {why})"


def test_limits_of_queues_and_named_limits_are_named() -> None:
    queue = sw.Queue("q", processors=(1, None), per_user={"gpus": 2})
    asked = sw.Demands([1, 1], cores=[1, 1], gpus=[0, 4])
    site = sw.Site(machine=NODES, queues=[queue])
    assert "it requests 4 gpus, but queue.q.per_user allows 2 gpus" in reason_of(
        site, demands=asked
    )
    named = sw.NamedLimits(users=[1], total={"gpus": 3})
    site = sw.Site(machine=NODES, named_limits=[named])
    assert "it requests 4 gpus, but named_limit[0].total allows 3 gpus" in reason_of(
        site, demands=asked
    )


def test_other_reasons_name_the_request() -> None:
    assert reason_of(sw.Site(machine=sw.Processors(4)), processors=8) == (
        "(rejected: it requests 8 processors, more than the machine has)"
    )
    queue = sw.Queue("q", processors=(1, 4))
    assert reason_of(sw.Site(machine=sw.Processors(8), queues=[queue]), processors=8) == (
        "(rejected: no queue accepts a job of 8 processors for 00:01:00)"
    )
    asked = sw.Demands([1, 1], cores=[1, 1], gpus=[0, 5])
    assert "a unit requests 5 gpus, and no node has more than 4" in reason_of(
        sw.Site(machine=NODES), demands=asked
    )
