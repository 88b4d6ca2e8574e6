"""Cost of replays and of a dispatching study on nodes with several resources.

The replays have 100,000 jobs on 1,500 nodes.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

import slotwise as sw
from slotwise.studies.dispatch import lists, objectives, workloads
from slotwise.studies.dispatch.aggregated import Aggregated
from slotwise.studies.dispatch.checker import faults
from slotwise.studies.dispatch.per_node import PerNode
from slotwise.studies.dispatch.problem import Problem, Running
from slotwise.studies.dispatch.sites import read_site
from slotwise.studies.dispatch.solver import Limits, solve
from yardstick.clock import clocked, recorded_replay
from yardstick.task import Task

CORES = 24
MACHINE = sw.Nodes(
    [
        sw.NodeType(count=1200, cores=CORES, memory="128GB"),
        sw.NodeType(count=300, cores=CORES, memory="128GB", gpus=2),
    ]
)
STARTS = {
    ("easy", 100_000): "089c4571",
    ("conservative", 100_000): "75fb3ef2",
    ("easy", 2000): "cd5e0c4d",
    ("conservative", 2000): "cfd702cf",
}
"""First digits of the hash of all starts, by backfill rule and number of jobs."""

WAITING = 150


def workload(jobs: int, load: float = 0.85) -> sw.Trace:
    """Draw jobs from Lublin's model for 36,000 cores; add memory, and GPUs for one job in ten.

    A job that fits on one node is one unit; a larger job consists of whole-node units.
    """
    drawn = sw.generate("lublin", n_jobs=jobs, processors=1500 * CORES, load=load, seed=1)
    random = np.random.default_rng(0)
    cores = np.minimum(drawn.processors, CORES)
    units = -(-drawn.processors // CORES)
    memory = random.choice([1, 2, 4], jobs) * cores * (1 << 20)
    gpus = ((random.random(jobs) < 0.1) & (units <= 200)).astype(np.int64)
    return sw.Trace.from_columns(
        drawn.submit, drawn.run_time, units * cores, drawn.requested_time
    ).with_demands(sw.Demands(units, cores=cores, memory=memory, gpus=gpus))


def easy(jobs: int = 100_000) -> dict[str, Any]:
    return replayed("easy", jobs)


def conservative(jobs: int = 100_000) -> dict[str, Any]:
    return replayed("conservative", jobs)


def replayed(backfill: str, jobs: int) -> dict[str, Any]:
    """Replay the workload; every start must match the recorded one."""
    trace = workload(jobs)
    site = sw.Site(machine=MACHINE, policy=sw.Policy(backfill=backfill, reserve="nodes"))
    return recorded_replay(trace, site, STARTS[backfill, jobs], f"{backfill} on nodes")


def activation(waiting: int = WAITING) -> Problem:
    """Build a problem from generated EURORA jobs; running jobs occupy most nodes."""
    trace = sw.generate("eurora", batch=2, seed=1)
    demands = trace.demands
    assert demands is not None
    each = demands.on(workloads.MACHINE)
    now = 7200

    def problem(rows: slice, running: tuple[Running, ...] = ()) -> Problem:
        return Problem(
            workloads.MACHINE, now, demands.units[rows], each[rows], trace.requested_time[rows],
            trace.submit[rows], read_site().expected_waits(trace)[rows], running,
        )  # fmt: skip

    before = problem(slice(waiting, None))
    plan = lists.list_schedule(before, np.arange(len(before)))
    running = tuple(
        Running(now + int(before.duration[i]), tuple(before.each[i].tolist()), *plan.places(int(i)))
        for i in np.flatnonzero(plan.start == now)
    )
    return problem(slice(waiting), running)


def list_schedule(rounds: int = 101) -> dict[str, Any]:
    """Plan the waiting jobs one after another, in the order of their submit times."""
    problem = activation()
    order = np.arange(len(problem))
    assert problem.plan is not None  # the first access places the running jobs, which is not timed
    cpu, wall = [], []
    for _ in range(rounds):
        plan, *seconds = clocked(lambda: lists.list_schedule(problem, order))
        wall.append(seconds[0])
        cpu.append(seconds[1])
    if found := faults(problem, plan):
        raise AssertionError(found[0])
    return {"jobs": WAITING, "wall": statistics.median(wall), "cpu": statistics.median(cpu)}


def first_solution(rounds: int = 5) -> dict[str, Any]:
    """Build the aggregated model of weighted tardiness, and find a first solution."""
    return solved_once(Aggregated, rounds)


def first_faithful_solution(rounds: int = 5) -> dict[str, Any]:
    """Build the dispatch paper's per-node model, and find a first solution."""
    return solved_once(PerNode, rounds)


def solved_once(formulation: type[Aggregated | PerNode], rounds: int) -> dict[str, Any]:
    """Build the model with a list schedule as its hint, and find a first solution."""
    problem = activation()
    hint = lists.list_schedule(problem, np.arange(len(problem)))
    cpu, wall = [], []
    for _ in range(rounds):
        at = time.perf_counter(), time.process_time()
        model = formulation(problem, hint)
        model.timing.aim(objectives.TARDINESS)
        status, solved = solve(model.model, Limits(work=30), first=True)
        wall.append(time.perf_counter() - at[0])
        cpu.append(time.process_time() - at[1])
    if status not in ("FEASIBLE", "OPTIMAL"):
        raise AssertionError(f"no first solution: {status}")
    if found := faults(problem, model.plan(solved)):
        raise AssertionError(found[0])
    return {"jobs": WAITING, "wall": statistics.median(wall), "cpu": statistics.median(cpu)}


TASKS: dict[str, Task] = {
    "nodes: easy on 1,500": Task(easy, "cpu", target=0.6, held=2.2),
    "nodes: conservative on 1,500": Task(conservative, "cpu", target=6, held=20),
    "dispatch: list schedule": Task(list_schedule, "cpu", target=0.001),
    "dispatch: model, first solution": Task(first_solution, "cpu", target=0.3),
    "dispatch: faithful, first solution": Task(first_faithful_solution, "cpu", target=0.3),
}
