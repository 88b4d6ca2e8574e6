"""External dispatchers on machines with nodes: what they see, and how they choose nodes."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import slotwise as sw

CENTRE = sw.Nodes(
    [
        sw.NodeType(hosts="gpu[1-2]", cores=4, gpus=2, features=["a100"]),
        sw.NodeType(hosts="cpu[1-2]", cores=8),
    ],
    "first-fit",
)
QUEUES = [sw.Queue("gpu", trace_queues=[1], nodes=["gpu[1-2]"]), sw.Queue("all")]


def trace_of(n_jobs: int = 2, **rules: Any) -> sw.Trace:
    """Return jobs of two units of two cores, submitted at 0, that run for 10 s."""
    demands = sw.Demands([2] * n_jobs, cores=[2] * n_jobs, **rules)
    return sw.Trace.from_columns(
        [0] * n_jobs, [10] * n_jobs, [4] * n_jobs, [10] * n_jobs, queue=[0] * n_jobs
    ).with_demands(demands)


def dispatched(answers: list[Any], trace: sw.Trace, **site: Any) -> sw.Result:
    """Replay under a dispatcher that gives one answer per pass, then starts all waiting jobs."""
    left = list(answers)

    def dispatch(queue: Any, machine: Any) -> Any:
        return left.pop(0) if left else queue.job_id

    given = {"machine": CENTRE, "queues": QUEUES, "policy": sw.External(dispatch)} | site
    return sw.simulate(trace, sw.Site(**given))


def places(result: sw.Result, row: int) -> list[list[int]]:
    return [column.tolist() for column in result.places(row)]


def test_a_dispatcher_names_nodes_by_name_or_number() -> None:
    # Each named node gets at least one unit.
    result = dispatched([[(1, ["cpu2", "gpu2"]), (2, [3])]], trace_of())
    assert result.start.tolist() == [0, 0]
    assert places(result, 0) == [[1, 3], [1, 1]]
    assert places(result, 1) == [[3], [2]]


def test_a_dispatcher_names_the_units_of_each_node() -> None:
    # Nodes 2 and 3 each have room for four units; if they are given as a list, node 2 is filled
    # first.
    demands = sw.Demands([5], cores=[2])
    trace = sw.Trace.from_columns([0], [10], [10], [10]).with_demands(demands)
    assert places(dispatched([[(1, {"cpu1": 2, 3: 3})]], trace), 0) == [[2, 3], [2, 3]]
    assert places(dispatched([[(1, ["cpu1", 3])]], trace), 0) == [[2, 3], [4, 1]]


@pytest.mark.parametrize(
    ("units", "fault"),
    [
        ({"gpu1": 3, "cpu1": 2}, "node 0 is listed for 3 units, but has room for only 2"),
        ({"gpu1": 2, "cpu1": 2}, "node 0 is listed twice, but 4 nodes are listed for 5 units"),
        ({"gpu1": 5.5}, "job 1 with 5.5 units on node 'gpu1'"),
        ({"gpu1": 0, "cpu1": 5}, "job 1 with 0 units on node 'gpu1'"),
        ({"gpu7": 5}, "no node with that name"),
    ],
)
def test_wrong_units_of_nodes_are_refused(units: dict[str, Any], fault: str) -> None:
    demands = sw.Demands([5], cores=[2])
    trace = sw.Trace.from_columns([0], [10], [10], [10]).with_demands(demands)
    with pytest.raises(sw.ReplayError) as caught:
        dispatched([[(1, units)]], trace)
    assert fault in str(caught.value)


def test_a_job_without_nodes_is_placed_by_the_rule() -> None:
    assert places(dispatched([[1, 2]], trace_of()), 1) == [[1], [2]]


def test_the_view_shows_demands_and_what_is_free() -> None:
    seen: dict[str, Any] = {}

    def dispatch(queue: Any, machine: Any) -> Any:
        if machine.now == 1:
            seen["units"] = queue.units.tolist()
            seen["each"] = {name: amounts.tolist() for name, amounts in queue.each.items()}
            seen["rules"] = (queue.per_node.tolist(), queue.nodes.tolist())
            seen["on_nodes"] = {n: a.tolist() for n, a in machine.free_on_nodes.items()}
            seen["in_types"] = {n: a.tolist() for n, a in machine.free_in_types.items()}
            seen["nodes_for"] = machine.nodes_for(2).tolist()
            return None
        return [(1, ["gpu1"])] if machine.now == 0 else queue.job_id

    demands = sw.Demands(
        [1, 1], cores=[3, 2], gpus=[1, 1], per_node=[0, 1], constraint=["", "a100"]
    )
    trace = sw.Trace.from_columns([0, 1], [10, 10], [3, 2], [10, 10]).with_demands(demands)
    outage = sw.Outage(start=0, duration=50, nodes=["cpu2"])
    site = sw.Site(machine=CENTRE, policy=sw.External(dispatch), outages=[outage])
    sw.simulate(trace, site)
    assert seen == {
        "units": [1],
        "each": {"cores": [2], "gpus": [1]},
        "rules": ([1], [0]),
        "on_nodes": {"cores": [1, 4, 8, 0], "gpus": [1, 2, 0, 0]},
        "in_types": {"cores": [5, 8], "gpus": [3, 0]},
        "nodes_for": [0, 1],
    }


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (
            [(1, ["gpu9"])],
            "job 1 on node 'gpu9', but the machine has no node with that name",
        ),
        ([(1, [7])], "node 7 does not exist; the machine has nodes 0 to 3"),
        ([(1, [-1])], "node -1 does not exist; the machine has nodes 0 to 3"),
        ([(1, ["cpu1", "cpu1"])], "lists node 2 twice for job 1; list each node only once"),
        (
            [(1, ["cpu1", "cpu2", "gpu1"])],
            "3 nodes are listed for 2 units; list at most one node per unit",
        ),
        ([(1, ["cpu1"]), (2, ["gpu1"]), (1, ["gpu2"])], "job 1: the answer lists the job twice"),
        ([(1, [2]), (2, [2])], ""),
        (
            [(1, ["gpu1"]), (2, ["gpu1"])],
            "node 0 currently has no room for one unit of the job",
        ),
    ],
)
def test_wrong_nodes_are_refused(answer: Any, fault: str) -> None:
    if not fault:
        assert dispatched([answer], trace_of()).start.tolist() == [0, 0]
        return
    with pytest.raises(sw.ReplayError) as caught:
        dispatched([answer], trace_of())
    assert fault in str(caught.value)


def test_nodes_above_their_room_are_refused() -> None:
    demands = sw.Demands([3], cores=[3])
    trace = sw.Trace.from_columns([0], [10], [9], [10]).with_demands(demands)
    with pytest.raises(sw.ReplayError, match=r"3 units, but the listed nodes have room for only 2"):
        dispatched([[(1, ["gpu1", "gpu2"])]], trace)


@pytest.mark.parametrize(
    ("rules", "nodes", "fault"),
    [
        ({"constraint": "a100"}, ["cpu1"], "node 2 does not satisfy the job's constraint"),
        (
            {"nodes": 2},
            ["cpu1"],
            "the number of listed nodes is 1; the job requests exactly 2",
        ),
        ({"per_node": 1}, ["cpu1"], "2 units, but the listed nodes have room for only 1"),
        ({"exclusive": "job"}, ["cpu1"], "2 units, but the listed nodes have room for only 1"),
    ],
)
def test_rules_of_demands_hold_on_named_nodes(rules: Any, nodes: list[str], fault: str) -> None:
    with pytest.raises(sw.ReplayError) as caught:
        dispatched([[(1, nodes)]], trace_of(**rules))
    assert fault in str(caught.value)


def test_nodes_of_another_queue_are_refused() -> None:
    trace = trace_of().with_columns(queue=[1, 0])
    with pytest.raises(sw.ReplayError, match=r"node 2 is not a node of the job's queue; choose"):
        dispatched([[(1, ["cpu1"])]], trace)


def test_nodes_that_are_away_or_will_be_are_refused() -> None:
    away = sw.Outage(start=0, duration=50, nodes=["cpu1"])
    with pytest.raises(sw.ReplayError, match="node 2 is unavailable; choose available nodes"):
        dispatched([[(1, ["cpu1"])]], trace_of(), outages=[away])
    soon = sw.Outage(start=5, duration=50, nodes=["cpu1"], mode="drain")
    with pytest.raises(
        sw.ReplayError, match="requested time overlaps a downtime or a reservation on node 2"
    ):
        dispatched([[(1, ["cpu1"])]], trace_of(), outages=[soon])


def test_a_limit_of_nodes_counts_those_named() -> None:
    limits = sw.Limits(total={"nodes": 1})
    with pytest.raises(
        sw.ReplayError, match="on the listed nodes, the job would exceed a limit on nodes"
    ):
        dispatched([[(1, ["cpu1", "cpu2"])]], trace_of(), limits=limits)


def test_copies_and_snapshots_repeat_the_nodes() -> None:
    def dispatch(queue: Any, machine: Any) -> Any:
        return [(job, ["cpu2"]) for job in queue.job_id[:1]] if machine.free == 24 else None

    site = sw.Site(machine=CENTRE, queues=QUEUES, policy=sw.External(dispatch))
    sim = sw.Simulation(trace_of(3), site)
    sim.run(until=12)
    kept = sw.Snapshot.from_bytes(sim.snapshot().to_bytes(), dispatch=dispatch)
    sims = [sim, copy.copy(sim), sw.Simulation.restore(kept)]
    for each in sims:
        each.run()
        result = each.result()
        assert result.start.tolist() == [0, 10, 20]
        assert [places(result, row) for row in range(3)] == [[[3], [2]]] * 3


def test_stepping_shows_demands() -> None:
    sim = sw.Simulation(trace_of(2, per_node=1), sw.Site(machine=CENTRE, queues=QUEUES))
    sim.run(until=0)
    assert sim.running.units.tolist() == [2, 2]
    assert sim.running.per_node.tolist() == [1, 1]
    assert sim.running.each["cores"].tolist() == [2, 2]
    assert sim.queue.units.tolist() == []


def test_processors_have_no_demands_to_show() -> None:
    trace = sw.Trace.from_columns([0], [10], [1], [10])
    sim = sw.Simulation(trace, sw.Site(2))
    with pytest.raises(ValueError, match="jobs request only processors on this machine"):
        _ = sim.queue.units


@pytest.mark.parametrize(
    ("reserved", "down", "left"),
    [
        # Jobs 1 and 2 share cpu1. Job 3 takes cpu2, after the last pass shown.
        ({"nodes": ["cpu[1-2]"]}, [], [2, 1, 1]),
        # With cpu2 down, job 3 runs outside, on cpu3.
        ({"nodes": ["cpu[1-2]"]}, ["cpu2"], [1, 0, 0]),
        # In a reservation by number, each job takes an idle node. Job 3 runs outside, on cpu3.
        ({"node_type": "cpu", "node_count": 2}, [], [2, 1, 0]),
        # With two nodes down, only one is left for the reservation; job 3 waits for it.
        ({"node_type": "cpu", "node_count": 2}, ["cpu[2-3]"], [1, 0, 0]),
    ],
)
def test_the_view_counts_the_nodes_without_a_job_in_a_reservation(
    reserved: dict[str, Any], down: list[str], left: list[int]
) -> None:
    seen = []

    def dispatch(queue: Any, machine: Any) -> Any:
        seen.append((machine.now, dict(machine.free_in_reservations)))
        return queue.job_id if len(seen) == 1 or not down else []

    trace = sw.Trace.from_columns(
        [0, 1, 2], [50, 50, 50], [4, 4, 4], [50, 50, 50], user=[1, 1, 1]
    ).with_demands(sw.Demands([1, 1, 1], cores=[4, 4, 4]))
    course = sw.Reservation("course", start=0, duration=60, users=[1], **reserved)
    machine = sw.Nodes([sw.NodeType(name="cpu", hosts="cpu[1-3]", cores=8)], "first-fit")
    outages = [sw.Outage(0, 60, nodes=down, mode="sudden")] if down else []
    site = sw.Site(machine, sw.External(dispatch), reservations=[course], outages=outages)
    sw.simulate(trace, site)
    assert seen[:3] == [(now, {"course": n}) for now, n in enumerate(left)]
