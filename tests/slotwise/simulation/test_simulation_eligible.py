"""Jobs that become eligible after their submit time, in replays run step by step."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import slotwise as sw
from slotwise.advice.start_forecast import Shape, machine_state


def random_trace(seed: int, n: int = 60) -> sw.Trace:
    chance = np.random.default_rng(seed)
    submit = np.sort(chance.integers(0, 400, n))
    later = np.where(chance.random(n) < 0.5, chance.integers(0, 200, n), 0)
    run_time = chance.integers(1, 60, n)
    return sw.Trace.from_columns(
        submit, run_time, chance.integers(1, 9, n), run_time * 2, eligible=submit + later,
        user=chance.integers(1, 4, n), max_processors=8,
    )  # fmt: skip


SITES = {
    "easy": sw.Site(),
    "conservative": sw.Site(policy=sw.Policy(backfill="conservative")),
    "periodic": sw.Site(policy=sw.Policy(passes="30s")),
    "limits": sw.Site(limits=sw.Limits(running_per_user=2)),
    "outage": sw.Site(outages=[sw.Outage(150, 50, 8, mode="sudden")]),
    "torus": sw.Site(machine=sw.Torus((2, 2, 2))),
}


@pytest.mark.parametrize("name", SITES)
def test_steps_give_the_starts_of_a_whole_replay(name: str) -> None:
    for seed in range(3):
        trace = random_trace(seed)
        whole = sw.simulate(trace, SITES[name])
        assert (whole.start >= trace.eligible).all()
        sim = sw.Simulation(trace, SITES[name])
        while sim.step():
            assert (trace.eligible[sim.queue.row] <= sim.now).all()
        result = sim.result()
        assert result.start.tolist() == whole.start.tolist()
        assert result.end.tolist() == whole.end.tolist()
        assert result.attempts["job"].tolist() == whole.attempts["job"].tolist()


def test_steps_on_nodes_give_the_starts_of_a_whole_replay() -> None:
    trace = random_trace(4)
    site = sw.Site(machine=sw.Nodes([sw.NodeType(count=4, cores=2)]))
    sim = sw.Simulation(trace, site)
    sim.run(until=200)
    sim.submit(processors=2, run_time=5, eligible=230)
    sim.run()
    result = sim.result()
    whole = sw.simulate(sim.trace, site)
    assert result.start.tolist() == whole.start.tolist()
    assert [result.nodes(row).tolist() for row in range(len(result))] == [
        whole.nodes(row).tolist() for row in range(len(result))
    ]


def test_a_job_joins_the_queue_when_it_is_eligible_with_its_row_and_submit_time() -> None:
    # Job 1 is submitted first, but becomes eligible only at 20, after job 2. Both need the whole
    # machine.
    trace = sw.Trace.from_columns([0, 5], [10, 30], [8, 8], eligible=[20, 5], max_processors=8)
    sim = sw.Simulation(trace)
    sim.run(until=10)
    assert (sim.running.job_id.tolist(), sim.queue.job_id.tolist()) == ([2], [])
    sim.run(until=20)
    assert (sim.queue.row.tolist(), sim.queue.submit.tolist()) == ([0], [0])
    assert sim.result().state.tolist() == [sw.State.WAITING, sw.State.RUNNING]
    sim.run()
    assert sim.result().start.tolist() == [35, 5]
    assert sim.result().wait.tolist() == [35, 0]


@pytest.mark.parametrize("name", SITES)
def test_a_submitted_job_starts_no_earlier_than_it_is_eligible(name: str) -> None:
    trace = random_trace(7)
    sim = sw.Simulation(trace, SITES[name])
    sim.run(until=100)
    first = sim.submit(processors=1, run_time=9, eligible=333)
    second = sim.submit(processors=1, run_time=9, eligible=50)  # already eligible
    sim.run(until=200)
    sim.submit(processors=2, run_time=3, submit=210, eligible=220)
    sim.run()
    grown = sim.trace
    rows = {int(number): row for row, number in enumerate(grown.job_id)}
    result = sim.result()
    assert result.start[rows[first]] >= 333
    assert grown.submit[rows[first]] == grown.submit[rows[second]] == 100
    assert grown.eligible[rows[first]] == 333
    assert result.start.tolist() == sw.simulate(grown, SITES[name]).start.tolist()


@pytest.mark.parametrize("name", SITES)
def test_a_snapshot_goes_on_where_it_was(name: str) -> None:
    sim = sw.Simulation(random_trace(9), SITES[name])
    sim.run(until=150)
    number = sim.submit(processors=1, run_time=9, eligible=200)
    held = int(sim.trace.job_id[-1])
    sim.hold(held)
    sim.run(until=190)
    sim.cancel(number)
    kept = sw.Snapshot.from_bytes(sim.snapshot().to_bytes())
    again, other = kept.simulation(), copy.copy(sim)
    for each in (again, other):
        each.release(held)
        each.run()
    assert again.result().start.tolist() == other.result().start.tolist()
    assert again.trace == other.trace
    assert again.result().start[again.trace.job_id == number].tolist() == [-1]


def test_an_estimate_waits_for_the_eligible_time() -> None:
    # The machine is busy until 40. A job is estimated to start at 40, or when it becomes eligible,
    # if that is later.
    sim = sw.Simulation(sw.Trace.from_columns([0], [40], [8], max_processors=8))
    sim.run(until=10)
    assert sim.estimate_start(processors=4, requested_time=5) == 40
    assert sim.estimate_start(processors=4, requested_time=5, eligible=90) == 90


@pytest.mark.parametrize("name", SITES)
def test_a_forecast_with_the_true_run_times_is_the_start_of_a_whole_replay(name: str) -> None:
    for seed in range(3):
        trace = random_trace(seed)
        state = machine_state(trace, SITES[name], 200, [Shape(2, 50)], arrivals=True)
        full = state.simulation.trace
        start = state.simulation._core.start_under(state.rows[0], full.run_time, state.shapes)
        assert start == sw.simulate(full, SITES[name]).start[state.rows[0]]


def test_a_dispatcher_sees_jobs_once_they_are_eligible() -> None:
    seen: list[tuple[int, list[int]]] = []

    def first(queue: sw.JobView, machine: sw.MachineView) -> list[int]:
        seen.append((machine.now, queue.row.tolist()))
        return [int(queue.job_id[0])] if len(queue) and machine.free >= 8 else []

    trace = sw.Trace.from_columns([0, 5], [10, 30], [8, 8], eligible=[20, 5], max_processors=8)
    result = sw.simulate(trace, sw.Site(policy=sw.External(first)))
    assert result.start.tolist() == [35, 5]
    assert seen[0] == (5, [1])
