"""A simulation on one-core nodes matches one on processors, whatever interventions are made."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference.one_core_nodes import BACKFILLS, LARGEST, TRACE, one_core_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = LARGEST + 3
# Without queues, the rules for holding and cancelling differ between nodes and processors.
QUEUES = [sw.Queue("a", trace_queues=[0, 1], priority=1), sw.Queue("b", starvation=900)]


def simulations(backfill: Any) -> list[sw.Simulation]:
    policy = sw.Policy(backfill=backfill)
    return [
        sw.Simulation(TRACE, sw.Site(machine, policy, queues=QUEUES))
        for machine in (SIZE, one_core_nodes(SIZE))
    ]


def interfere(sim: sw.Simulation) -> None:
    """Submit, cancel, hold, release and prioritise jobs, at the same instants in every run."""
    first = int(TRACE.submit[0])
    sim.run(until=first + 40)
    waiting = sim.queue.job_id.tolist()
    if waiting:
        sim.hold(waiting[0])
        sim.set_priority(waiting[-1], 3)
    sim.submit(processors=SIZE // 2, run_time=50, requested_time=80, queue=1)
    sim.run(until=first + 120)
    if waiting and waiting[0] in sim.queue.job_id.tolist():
        sim.release(waiting[0])
    later = sim.queue.job_id.tolist()
    if len(later) > 2:
        sim.cancel(later[1])
    sim.submit(processors=1, run_time=5, requested_time=5, user=1)
    sim.run(until=first + 180)


def assert_same(sims: list[sw.Simulation]) -> None:
    expected, found = (sim.result() for sim in sims)
    for column in ("start", "end", "state"):
        assert np.array_equal(getattr(expected, column), getattr(found, column)), column


@pytest.mark.parametrize("backfill", BACKFILLS, ids=str)
def test_interventions_have_the_same_effect(backfill: Any) -> None:
    sims = simulations(backfill)
    for sim in sims:
        interfere(sim)
        sim.run()
    assert_same(sims)


@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_another_policy_takes_over(backfill: str) -> None:
    sims = simulations("replan")
    for sim in sims:
        interfere(sim)
        sim.set_policy(sw.Policy(backfill=backfill, order="sjf"))
        sim.run()
    assert_same(sims)


@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_starts_are_estimated_alike(backfill: str) -> None:
    estimates = []
    for sim in simulations(backfill):
        interfere(sim)
        estimates.append(
            [sim.estimate_start(processors=p, requested_time=t) for p, t in ((1, 5), (9, 400))]
        )
    assert estimates[0] == estimates[1]


def through_bytes(sim: sw.Simulation) -> sw.Simulation:
    return sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))


@pytest.mark.parametrize("demands", [False, True])
@pytest.mark.parametrize("again", [copy.copy, through_bytes])
def test_a_copy_goes_on_as_the_simulation_does(
    again: Callable[[sw.Simulation], sw.Simulation], demands: bool
) -> None:
    machine = sw.Nodes([sw.NodeType(count=20, cores=8, gpus=1), sw.NodeType(count=9, cores=4)])
    trace = TRACE
    if demands:
        n = len(TRACE)
        asked = sw.Demands(
            np.arange(n) % 4 + 1,
            cores=np.arange(n) % 3 + 1,
            gpus=(np.arange(n) % 5 == 0).astype(int),
            exclusive=["job" if row % 7 == 0 else "no" for row in range(n)],
        )
        trace = TRACE.with_columns(processors=asked.processors).with_demands(asked)
    sim = sw.Simulation(trace, sw.Site(machine, queues=QUEUES))
    interfere(sim)
    other = again(sim)
    sim.run()
    other.run()
    assert np.array_equal(sim.result().start, other.result().start)
    for row in range(len(sim.trace)):
        for mine, theirs in zip(sim.result().places(row), other.result().places(row), strict=True):
            assert np.array_equal(mine, theirs)


def test_a_dispatcher_starts_jobs_on_nodes() -> None:
    def dispatch(queue: Any, machine: Any) -> Any:
        return queue.job_id[: machine.free // 4]

    machine = sw.Nodes([sw.NodeType(count=2, cores=4)])
    trace = sw.Trace.from_columns([0, 0, 0], [10, 10, 10], [4, 4, 4])
    result = sw.simulate(trace, sw.Site(machine, sw.External(dispatch)))
    assert result.start.tolist() == [0, 0, 10]  # the third job waits for 4 free cores
    assert [result.places(row)[0].tolist() for row in range(3)] == [[0], [1], [0]]
