"""Random sites and small workloads for replays under Slurm's rules."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.slurm.drawing import (
    MINUTE,
    Shape,
    draw_kind,
    draw_limits,
    draw_machine,
    draw_parameters,
)
from reference.slurm.held_back import Limit

if TYPE_CHECKING:
    from random import Random

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters

SHAPE = Shape(nodes=(2, 12), kinds=(1, 5))


@dataclass(frozen=True)
class DrawnReplay:
    """Jobs, numbered from 0 in order of submission; epilogs take `epilog` seconds."""

    machine: Machine
    parameters: Parameters
    jobs: tuple[Job, ...]
    epilog: int


def draw_replay(draw: Random, most_jobs: int = 60) -> DrawnReplay:
    """Return jobs that are submitted faster than the machine can run them."""
    machine = draw_machine(draw, SHAPE)
    kinds = [draw_kind(draw, machine) for _ in range(draw.randint(*SHAPE.kinds))]
    parameters = dataclasses.replace(
        draw_parameters(draw),
        bf_interval=draw.choice((30, 30, 60, 45)),
        sched_interval=draw.choice((60, 60, 20, 90)),
        batch_sched_delay=draw.choice((3, 0, 10)),
        defer=draw.random() < 0.2,
        has_epilog=draw.random() < 0.5,
        sched_min_interval=draw.choice((2e-6, 2e-6, 2e-6, 0.9, 1.5, 5, 25, 75)),
    )
    between = draw.choice((0, 5, 20))  # seconds between submissions
    jobs: list[Job] = []
    now = 600_000 + draw.choice((0, 30, 7))
    for number in range(draw.randint(20, most_jobs)):
        now += draw.choice((0, 0, 1, between, draw.randint(0, 2 * between)))
        limit = MINUTE * draw.choice((1, 2, 5, 5, 10, 15))
        run = limit if draw.random() < 0.2 else draw.randint(1, limit)
        jobs.append(
            dataclasses.replace(
                draw.choice(kinds),
                number=number,
                submit=now,
                limit=limit,
                run=run,
                user=str(draw.randint(1, 3)),
            )
        )
    drawn = DrawnReplay(machine, parameters, tuple(jobs), draw.choice((0, 0, 0, 1, 40)))
    if draw.random() < 0.4:
        drawn = dataclasses.replace(drawn, jobs=tuple(with_dependencies(draw, jobs)))
    if draw.random() < 0.4:
        limits = draw_limits(draw, machine, jobs)
        given = dataclasses.replace(parameters, limits=limits, assoc_limit_stop=draw.random() < 0.3)
        drawn = dataclasses.replace(drawn, parameters=given)
    if draw.random() < 0.3:
        limits = draw_submit_limits(draw, drawn)
        given = dataclasses.replace(drawn.parameters, submit_limits=limits)
        drawn = dataclasses.replace(drawn, parameters=given)
    if drawn.epilog and draw.random() < 0.5:
        given = dataclasses.replace(drawn.parameters, complete_wait=draw.choice((1, 10, 45)))
        drawn = dataclasses.replace(drawn, parameters=given)
    return drawn


def draw_submit_limits(draw: Random, drawn: DrawnReplay) -> tuple[Limit, ...]:
    """Return limits on submitted jobs, at most one of each kind; some jobs exceed them."""
    found: dict[tuple[str, str], Limit] = {}
    for _ in range(draw.choice((1, 1, 2))):
        per = draw.choice(("user", "user", "all"))
        partition = draw.choice(("", "", draw.choice(list(drawn.machine.partitions))))
        found[per, partition] = Limit(draw.choice((1, 3, 6, 12)), "jobs", per, partition)
    return tuple(found.values())


def with_dependencies(draw: Random, jobs: list[Job]) -> list[Job]:
    """Let some jobs fail, depend on earlier jobs, or be tasks of arrays with a limit."""
    made: list[Job] = []
    array, left, limit = 0, 0, 0
    for job in jobs:
        after = []
        if made and draw.random() < 0.3:
            for earlier in draw.sample(made, min(len(made), draw.choice((1, 1, 2)))):
                kind = draw.choice(("afterany", "afterok", "afterok", "afternotok"))
                after.append((kind, earlier.number))
        if left == 0 and draw.random() < 0.15:
            array, left, limit = array + 1, draw.randint(2, 6), draw.choice((0, 1, 2))
        task = {"array": array, "array_limit": limit} if left else {}
        left = max(left - 1, 0)
        made.append(dataclasses.replace(job, after=tuple(after), fails=draw.random() < 0.2, **task))
    return made
