"""Cost of driving a replay from outside, in CPU microseconds of the fastest round.

Each move sets the priority of one waiting job, steps to the next instant, and reads three columns
of the queue (job_id, processors and requested_time). One job ends and one arrives per instant, so
the queue length stays the same.
"""

from __future__ import annotations

import argparse
import copy
import time
from typing import TYPE_CHECKING, Any

import numpy as np

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

RUNNING = 64
ROUNDS, MOVES = 20, 100


def steady(n_jobs: int, waiting: int) -> sw.Trace:
    """Return a log in which `RUNNING` jobs run and `waiting` jobs wait from the first second."""
    first = RUNNING + waiting
    submit = np.concatenate([np.zeros(first, int), 10 * np.arange(1, n_jobs - first + 1)])
    run_time = np.full(n_jobs, 10 * RUNNING)
    run_time[:RUNNING] = 10 * np.arange(1, RUNNING + 1)
    return sw.Trace.from_columns(submit, run_time, np.ones(n_jobs, int), max_processors=RUNNING)


def fastest(act: Callable[[], Any], rounds: int = ROUNDS, times: int = MOVES) -> float:
    """Return the CPU microseconds of one call in the fastest round."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(times):
            act()
        best = min(best, time.process_time() - began)
    return 1e6 * best / times


def simulation(n_jobs: int, waiting: int, backfill: str) -> sw.Simulation:
    """Return a simulation in progress in which a priority has been set."""
    site = sw.Site(machine=RUNNING, policy=sw.Policy(backfill=backfill))
    sim = sw.Simulation(steady(n_jobs, waiting), site)
    sim.run(until=1)
    sim.set_priority(int(sim.queue.job_id[0]), 1)
    sim.step()
    return sim


def parts_of_a_move(n_jobs: int, waiting: int, backfill: str) -> tuple[float, float, float]:
    """Return the costs of a step, of a priority change and a step, and of a whole move.

    The job and its new priority are random, so the job moves past half the queue on average. The
    second figure includes the time to read the clock; the third does not.
    """
    sim = simulation(n_jobs, waiting, backfill)
    step = fastest(sim.step)
    dice = np.random.default_rng(1)
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        places = dice.integers(waiting, size=MOVES).tolist()
        priorities = dice.random(MOVES).tolist()
        spent = 0.0
        for place, priority in zip(places, priorities, strict=True):
            number = int(sim.queue.job_id[place])
            began = time.process_time()
            sim.set_priority(number, priority)
            sim.step()
            spent += time.process_time() - began
        best[0] = min(best[0], spent)
        began = time.process_time()
        for place, priority in zip(places, priorities, strict=True):
            queue = sim.queue
            numbers = queue.job_id
            queue.processors  # noqa: B018
            queue.requested_time  # noqa: B018
            sim.set_priority(int(numbers[place]), priority)
            sim.step()
        best[1] = min(best[1], time.process_time() - began)
    assert len(sim.queue) == waiting
    return step, 1e6 * best[0] / MOVES, 1e6 * best[1] / MOVES


def middle_of_a_year(n_jobs: int) -> sw.Simulation:
    """Return a simulation in the middle of a generated log."""
    trace = sw.generate("lublin", n_jobs=n_jobs, processors=35_232, load=0.85, seed=1)
    sim = sw.Simulation(trace)
    sim.run(until=int(trace.submit[n_jobs // 2]))
    return sim


def first_move_of_a_copy(n_jobs: int) -> tuple[float, float, float]:
    """Return the costs of a copy, of a copy and its first step, and of both if all copies are kept.

    While earlier copies are kept, a new one cannot reuse their memory.
    """
    sim = middle_of_a_year(n_jobs)
    kept: list[sw.Simulation] = []

    def step_a_kept_copy() -> None:
        kept.append(copy.copy(sim))
        kept[-1].step()

    return (
        fastest(lambda: copy.copy(sim), 20, 10),
        fastest(lambda: copy.copy(sim).step(), 20, 10),
        fastest(step_a_kept_copy, 20, 10),
    )


def branches(n_jobs: int, n_branches: int) -> float:
    """Run copies of a half-finished simulation for one simulated day; return the CPU seconds."""
    sim = middle_of_a_year(n_jobs)
    until = sim.now + 86_400
    began = time.process_time()
    for _ in range(n_branches):
        branch = copy.copy(sim)
        branch.run(until=until)
    spent = time.process_time() - began
    assert branch.now == until
    return spent


def main() -> None:
    """Print the tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, nargs="+", default=[30_000, 100_000, 1_000_000])
    parser.add_argument("--waiting", type=int, nargs="+", default=[16, 128, 1_000, 5_000, 20_000])
    options = parser.parse_args()
    print("| jobs | waiting | backfill | step | and a priority | and three columns |")
    print("| ---: | ---: | --- | ---: | ---: | ---: |")
    cases = [(options.jobs[-2], waiting) for waiting in options.waiting]
    cases += [(n_jobs, 128) for n_jobs in options.jobs]
    for n_jobs, waiting in cases:
        for backfill in ("first-fit", "easy"):
            parts = parts_of_a_move(n_jobs, waiting, backfill)
            figures = " | ".join(f"{part:.1f}" for part in parts)
            print(f"| {n_jobs:,} | {waiting:,} | `{backfill}` | {figures} |", flush=True)
    print("\n| jobs | copy | copy and first step | the same, copies kept |")
    print("| ---: | ---: | ---: | ---: |")
    for n_jobs in (1_000, 10_000, 100_000, 1_000_000):
        figures = " | ".join(f"{each:.1f}" for each in first_move_of_a_copy(n_jobs))
        print(f"| {n_jobs:,} | {figures} |", flush=True)
    print(f"\n10,000 branches with a day each, 100,000 jobs: {branches(100_000, 10_000):.1f} s")


if __name__ == "__main__":
    main()
