"""Nodes with more resources than one step of a plan stores inline."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

NAMES = [f"r{number}" for number in range(12)]


def machine(**last: int) -> sw.Nodes:
    """Return two nodes with the given amounts; other resources have an amount of 1."""
    amounts: dict[str, Any] = dict.fromkeys(NAMES, 1) | last
    return sw.Nodes([sw.NodeType(count=2, cores=8, memory="8GB", gpus=1, **amounts)], "first-fit")


def replay(each: dict[str, list[int]], nodes: sw.Nodes, **policy: Any) -> sw.Result:
    n_jobs = len(next(iter(each.values())))
    demands = sw.Demands([1] * n_jobs, cores=[1] * n_jobs, **each)
    trace = sw.Trace.from_columns([0] * n_jobs, [10] * n_jobs, [1] * n_jobs, [10] * n_jobs)
    site = sw.Site(machine=nodes, policy=sw.Policy(**policy))
    return sw.simulate(trace.with_demands(demands), site)


def test_a_machine_counts_as_many_resources_as_it_has() -> None:
    assert machine().resources == ("cores", "memory", "gpus", *NAMES)


@pytest.mark.parametrize("reserve", ["numbers", "nodes"])
@pytest.mark.parametrize(
    "backfill", ["none", "first-fit", "easy", "depth", "replan", "conservative"]
)
def test_the_fifteenth_resource_holds_jobs_apart(backfill: str, reserve: str) -> None:
    # Each of two nodes has one unit of the last resource. Three jobs request it, so the third
    # starts at 10. A fourth job does not request it, and waits for the third only without backfill.
    result = replay({"r11": [1, 1, 1, 0]}, machine(), backfill=backfill, reserve=reserve)
    assert result.start.tolist() == [0, 0, 10, 10 if backfill == "none" else 0]


def test_units_share_the_further_resources_of_a_node() -> None:
    # Each node has 7 of the last resource, and each unit needs 3. So node 0 takes two units, and
    # node 1 takes the third.
    demands = sw.Demands([3], cores=[1], r11=[3])
    trace = sw.Trace.from_columns([0], [10], [3], [10]).with_demands(demands)
    result = sw.simulate(trace, sw.Site(machine=machine(r11=7)))
    assert [column.tolist() for column in result.places(0)] == [[0, 1], [2, 1]]


def test_a_demand_beyond_a_further_resource_is_rejected() -> None:
    result = replay({"r11": [2, 1]}, machine())
    assert result.reject_reason.tolist() == [sw.RejectReason.TOO_LARGE, 0]


def test_limits_count_further_resources() -> None:
    demands = sw.Demands([1, 1], cores=[1, 1], r11=[2, 2])
    trace = sw.Trace.from_columns([0, 0], [10, 10], [1, 1], [10, 10], user=[1, 1])
    site = sw.Site(machine=machine(r11=9), limits=sw.Limits(per_user={"r11": 3}))
    assert sw.simulate(trace.with_demands(demands), site).start.tolist() == [0, 10]


def test_few_resources_start_the_same_beside_unused_ones() -> None:
    plain = sw.Nodes([sw.NodeType(count=3, cores=4, gpus=1)], "first-fit")
    rich = sw.Nodes([sw.NodeType(count=3, cores=4, gpus=1, **dict.fromkeys(NAMES, 1))], "first-fit")
    n_jobs = 60
    demands = sw.Demands(
        [1 + row % 3 for row in range(n_jobs)],
        cores=[1 + row % 2 for row in range(n_jobs)],
        gpus=[int(row % 5 == 0) for row in range(n_jobs)],
    )
    trace = sw.Trace.from_columns(
        [7 * row for row in range(n_jobs)],
        [20 + 31 * row % 90 for row in range(n_jobs)],
        demands.processors,
        [120] * n_jobs,
    ).with_demands(demands)
    for backfill in ("easy", "conservative"):
        starts = [
            sw.simulate(trace, sw.Site(machine=nodes, policy=sw.Policy(backfill=backfill))).start
            for nodes in (plain, rich)
        ]
        assert starts[0].tolist() == starts[1].tolist()
