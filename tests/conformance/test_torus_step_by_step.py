"""Stepped simulations of whole sites on a torus: nodes, snapshots, copies and interventions."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from conformance.test_nodes_step_by_step import interfere
from reference.one_core_nodes import BACKFILLS, LARGEST, TRACE

SIZE = LARGEST + 3
FIRST = int(TRACE.submit[0])
AWAY = (FIRST + 100, FIRST + 500)  # an outage that kills jobs
DRAINED = (FIRST + 700, FIRST + 900)
QUEUES = [
    sw.Queue("a", trace_queues=[0, 1], priority=1, processors_in_use=SIZE // 2),
    sw.Queue("b", starvation=900),
]


def site_of(backfill: Any, allocation: str) -> sw.Site:
    """Describe a site on a torus, with queues, limits, two outages and maintenance.

    The outages name their nodes if the allocation is contiguous.
    """
    contiguous = allocation.startswith("contiguous")
    where: dict[str, Any] = {"nodes": ["[2-4]", "9"]} if contiguous else {"processors": 4}
    return sw.Site(
        sw.Torus((SIZE,), order="row"),
        policy=sw.Policy(backfill=backfill, allocation=allocation),
        queues=QUEUES,
        limits=sw.Limits(running_per_user=4),
        outages=[
            sw.Outage(AWAY[0], AWAY[1] - AWAY[0], mode="sudden", **where),
            sw.Outage(DRAINED[0], DRAINED[1] - DRAINED[0], mode="drain", **where),
        ],
        maintenance=[sw.Maintenance(FIRST + 1100, 100)],
    )


def held_by_running(sim: sw.Simulation) -> list[int]:
    result = sim.result()
    rows = {number: row for row, number in enumerate(sim.trace.job_id.tolist())}
    return [
        node
        for job in sim.running.job_id.tolist()
        for begin, end in result.nodes(rows[job]).tolist()
        for node in range(begin, end)
    ]


def is_away(now: int) -> bool:
    return any(begin <= now < end for begin, end in (AWAY, DRAINED))


@pytest.mark.parametrize("allocation", ["first", "least-spread", "contiguous", "contiguous-best"])
@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_no_node_is_held_twice_or_while_it_is_away(backfill: Any, allocation: str) -> None:
    sim = sw.Simulation(TRACE, site_of(backfill, allocation))
    contiguous = allocation.startswith("contiguous")
    while sim.step():
        held = held_by_running(sim)
        assert len(held) == len(set(held)), sim.now
        free = [node for begin, end in sim.slots.tolist() for node in range(begin, end)]
        assert not set(free) & set(held), sim.now
        away = 4 if is_away(sim.now) else 0
        if FIRST + 1100 <= sim.now < FIRST + 1200:
            assert not held
            assert not free
            continue
        assert len(free) == SIZE - len(held) - away, sim.now
        if contiguous and away:
            assert not {2, 3, 4, 9} & set(held), sim.now
        in_a = sum(sim.running.processors[sim.running.queue <= 1].tolist())
        assert in_a <= SIZE // 2
    assert np.array_equal(sim.result().start, sw.simulate(TRACE, sim.site).start)


@pytest.mark.parametrize("allocation", ["first", "contiguous"])
@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_snapshots_and_copies_go_on_as_the_simulation_does(backfill: Any, allocation: str) -> None:
    sim = sw.Simulation(TRACE, site_of(backfill, allocation))
    interfere(sim)
    kept = []
    for until in (200, 450, 800, 1150):
        sim.run(until=FIRST + until)
        snapshot = sim.snapshot()
        kept += [
            copy.copy(sim),
            sw.Simulation.restore(snapshot),
            sw.Simulation.restore(sw.Snapshot.from_bytes(snapshot.to_bytes())),
        ]
    sim.run()
    expected = sim.result()
    for other in kept:
        other.run()
        found = other.result()
        for column in ("start", "end", "state"):
            assert np.array_equal(getattr(expected, column), getattr(found, column)), column
        assert all(
            np.array_equal(expected.nodes(row), found.nodes(row))
            for row in range(len(expected.start))
        )


def test_an_allocation_stays_contiguous_or_stays_otherwise() -> None:
    sim = sw.Simulation(TRACE, site_of("easy", "contiguous"))
    sim.run(until=FIRST + 100)
    with pytest.raises((sw.SiteError, ValueError), match="contiguous"):
        sim.set_policy(sw.Policy(allocation="first"))
    sim.set_policy(sw.Policy(backfill="conservative", order="sjf", allocation="contiguous-worst"))
    sim.run()
    result = sim.result()
    assert (result.start >= 0).tolist() == (result.reject_reason == 0).tolist()


def test_a_dispatcher_starts_jobs_of_queues_on_a_torus() -> None:
    def first_come(queue: sw.JobView, machine: sw.MachineView) -> list[int]:
        free, chosen = machine.free, []
        for job, processors in zip(queue.job_id.tolist(), queue.processors.tolist(), strict=True):
            if processors > free:
                break
            free -= processors
            chosen.append(job)
        return chosen

    processors = sw.Site(SIZE, sw.External(first_come), queues=[sw.Queue("q")])
    torus = processors.replace(machine=sw.Torus((SIZE,)))
    expected, found = (sw.simulate(TRACE, each) for each in (processors, torus))
    assert np.array_equal(expected.start, found.start)
    assert all(len(found.nodes(row)) > 0 for row in np.flatnonzero(found.start >= 0).tolist())


@pytest.mark.parametrize("answer", ["a pair", "free nodes"])
def test_a_dispatcher_of_queues_on_a_torus_chooses_no_nodes(answer: str) -> None:
    def named(queue: sw.JobView, machine: sw.MachineView) -> Any:
        if answer == "free nodes":
            return list(machine.free_nodes)
        return [(job, [0]) for job in queue.job_id.tolist()[:1]]

    site = sw.Site(sw.Torus((SIZE,)), sw.External(named), queues=[sw.Queue("q")])
    with pytest.raises((sw.ReplayError, ValueError), match="Slotwise chooses the nodes"):
        sw.simulate(TRACE, site)


def test_a_new_policy_brings_its_allocation() -> None:
    # At 5, nodes [2, 5) and [6, 10) are free. Job 3 fits in both slots; [2, 5) is the first, and
    # [6, 10) is the larger.
    rows = [(0, 9, 2), (0, 1, 3), (0, 9, 1), (5, 9, 2)]
    submit, run, nodes = zip(*rows, strict=True)
    log = sw.Trace.from_columns(submit, run, nodes, run)
    expected = {"contiguous": [[2, 4]], "contiguous-worst": [[6, 8]]}
    for allocation, placed in expected.items():
        site = sw.Site(sw.Torus((10,)), sw.Policy(allocation="contiguous"), queues=[sw.Queue("q")])
        sim = sw.Simulation(log, site)
        sim.run(until=3)
        sim.set_policy(sw.Policy(allocation=allocation))
        sim.run()
        assert sim.result().nodes(3).tolist() == placed
