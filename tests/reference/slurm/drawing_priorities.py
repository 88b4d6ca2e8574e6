"""Random priorities for a drawn workload: weights, QOS, associations, and factors of jobs."""

from __future__ import annotations

import dataclasses
import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.slurm.fair_share import Shares
from reference.slurm.parameters import Weights
from reference.slurm.standing import Standing

if TYPE_CHECKING:
    from random import Random

    from reference.slurm.drawing_replays import DrawnReplay
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine

ACCOUNTS = ("a", "b", "c")
# On the first date, every period except NONE resets usage; on the second, only DAILY does.
DATES = ((2023, 1, 1), (2023, 1, 2), (2023, 2, 1), (2023, 4, 1), (2023, 10, 1), (2024, 2, 29))
PERIODS = ("NONE", "NONE", "DAILY", "WEEKLY", "MONTHLY", "QUARTERLY", "YEARLY")


@dataclass(frozen=True)
class DrawnPriorities:
    """A workload with the weights and factors of its priorities; `zero` is the date at time 0."""

    replay: DrawnReplay
    weights: Weights
    standing: Standing
    zero: datetime.datetime
    shares: Shares | None


def draw_priorities(draw: Random, replay: DrawnReplay) -> DrawnPriorities:
    """Give partitions and jobs random factors, and draw weights, priorities, shares and a date."""
    partitions = {
        name: dataclasses.replace(each, factor=draw.choice((0, 1, 1, 5, 7)))
        for name, each in replay.machine.partitions.items()
    }
    if all(each.factor == 0 for each in partitions.values()):  # Slurm would divide by 0
        partitions = replay.machine.partitions
    machine = dataclasses.replace(replay.machine, partitions=partitions)
    jobs = tuple(_with_factors(draw, job) for job in replay.jobs)
    # The first midnight comes soon after the first submission.
    midnight = datetime.datetime(*draw.choice(DATES))
    passed = jobs[0].submit + draw.choice((10, 300, 700))
    return DrawnPriorities(
        dataclasses.replace(replay, machine=machine, jobs=jobs),
        draw_weights(draw, machine),
        _standing(draw),
        midnight - datetime.timedelta(seconds=passed),
        _shares(draw, jobs),
    )


def _shares(draw: Random, jobs: tuple[Job, ...]) -> Shares | None:
    """Return shares of accounts and users, some without jobs; or None, which gives equal shares."""
    if draw.random() < 0.4:
        return None
    owners = {(job.account, job.user) for job in jobs} | {("a", "4"), ("d", "1")}
    return Shares(
        {account: draw.choice((0, 1, 1, 3, 20)) for account in sorted({a for a, _ in owners})},
        {owner: (owner[0], draw.choice((0, 1, 1, 2, 7))) for owner in sorted(owners)},
        draw.choice((0, 1, 1)),
    )


def _with_factors(draw: Random, job: Job) -> Job:
    return dataclasses.replace(
        job,
        account=draw.choice(ACCOUNTS[:2]),
        qos=draw.choice(("normal", "high", "low")),
        nice=draw.choice((0, 0, 0, 50, -30)),
        site_factor=draw.choice((0, 0, 0, 40, -20)),
    )


def _standing(draw: Random) -> Standing:
    """Return priorities by QOS and association; some names are missing, and some are unused."""
    found = Standing()
    for name in ("normal", "high", "low", "top"):
        if draw.random() < 0.8:
            found.qos[name] = draw.choice((0, 1, 10, 33, 100))
    for account in ACCOUNTS:
        if draw.random() < 0.6:
            found.accounts[account] = draw.choice((0, 3, 10, 70))
        for user in ("1", "2", "3"):
            if draw.random() < 0.3:
                found.users[account, user] = draw.choice((0, 1, 10, 90))
    return found


def draw_weights(draw: Random, machine: Machine) -> Weights:
    """Return weights, some of them 0; the weights of TRES may be negative."""

    def weight() -> int:
        return draw.choice((0, 0, 10, 100, 300))

    names = ["cpu", "mem", "node"]
    if any(node.gpus for node in machine.nodes):
        names.append("gres/gpu")
    tres = {name: draw.choice((-50.0, 12.5, 100.0, 300.0)) for name in names if draw.random() < 0.4}
    return Weights(
        age=weight(),
        max_age=draw.choice((600, 3600)),
        job_size=weight(),
        favor_small=draw.random() < 0.5,
        relative_to_time=draw.random() < 0.3,
        partition=weight(),
        fair_share=draw.choice((0, 300, 1000)),
        half_life=draw.choice((0, 600, 3600)),
        damping=draw.choice((1, 1, 3)),
        period=draw.choice((60, 300)),
        qos=weight(),
        association=weight(),
        tres=tres,
        reset=draw.choice(PERIODS),
    )
