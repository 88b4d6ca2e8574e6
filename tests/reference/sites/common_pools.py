"""Crowded sites with a pool per queue and a common pool with a threshold, drawn from a seed.

Jobs are small compared with the pools, so that many jobs wait although processors are free.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from reference.policy import Policy
from reference.sites.drawing import SiteCase
from reference.sites.values import Limits, Pool, Queue, Site, SiteJob

ORDERS: tuple[Any, ...] = ("fcfs", "fcfs", "saf", "lifo", "wfp3", "priority")
BACKFILLS = (
    "easy",
    "easy",
    "easy",
    "none",
    "first-fit",
    "relaxed",
    "multiple-queue",
    "conservative",
)
HALF_HOUR = 1800


def common_pool_case(seed: int, n_jobs: int = 60) -> SiteCase:
    """Draw a site and a burst of jobs on it; half of the sites have no limits or opening hours."""
    draw = Random(seed)
    unit = draw.choice((1, 10, 300))
    backfill = draw.choice(BACKFILLS) if draw.random() < 0.5 else "easy"
    passes = draw.choice(("per-event", f"{3 * unit}s")) if draw.random() < 0.2 else "per-instant"
    policy = Policy(order=draw.choice(ORDERS), backfill=backfill, passes=passes)
    own = [Pool(f"own {n}", draw.choice((3, 5, 8, 16))) for n in range(draw.randint(1, 3))]
    common = Pool("common", draw.choice((3, 6, 12)), threshold=draw.choice((0.0, 0.5, 2.0)))
    pools = (*own, common) if draw.random() < 0.7 else (common, *own)
    has_rules = draw.random() < 0.5
    queues = _queues(draw, unit, pools, has_hours=has_rules and draw.random() < 0.3)
    limits = Limits()
    if has_rules:
        limits = Limits(
            running_per_user=draw.choice((None, 2)),
            processors_per_group=draw.choice((None, 6)),
            queued_per_user=draw.choice((None, None, 4)),
        )
    size = sum(pool.processors for pool in pools)
    jobs = _jobs(draw, unit, n_jobs, max(pool.processors for pool in pools))
    return SiteCase(jobs, Site(size, policy, pools, queues, limits))


def _queues(
    draw: Random, unit: int, pools: tuple[Pool, ...], *, has_hours: bool
) -> tuple[Queue, ...]:
    """Draw a queue for each pool except the common pool, and up to two spanning queues.

    The spanning queues use all pools except the common pool. Each other queue uses its own pool and
    the common pool.
    """
    own = [at for at, pool in enumerate(pools) if pool.threshold is None]
    shared = next(at for at, pool in enumerate(pools) if pool.threshold is not None)
    queues = []
    for number, at in enumerate(own):
        last = number == len(own) - 1
        queues.append(
            Queue(
                f"queue {number}",
                walltime=(0, None if last else (number + 1) * 4 * unit),
                priority=draw.choice((1.0, 1.0, 2.0, 0.5)),
                starvation=draw.choice((None, 5 * unit, 40 * unit)),
                hours=((0, 12 * HALF_HOUR), (13 * HALF_HOUR, 86_400)) if has_hours else (),
                pools=draw.choice(((at, shared), (at, shared), (shared, at))),
            )
        )
    for number in range(draw.choice((0, 1, 1, 2))):
        starvation = draw.choice((None, 30 * unit))
        name = f"wide {number}"
        queues.append(
            Queue(
                name,
                trace_queues=(number + 1,),
                starvation=starvation,
                pools=tuple(own),
                spanning=True,
            )
        )
    return tuple(queues)


def _jobs(draw: Random, unit: int, n_jobs: int, widest: int) -> tuple[SiteJob, ...]:
    jobs: list[SiteJob] = []
    submit = 0
    pace = draw.choice((0, 1, 3)) * unit
    for position in range(n_jobs):
        submit += draw.choice((0, 0, unit, pace, draw.randint(0, 4 * unit)))
        asked = draw.choice((1, 2, 4, 5, 9, draw.randint(1, 20))) * unit
        run_time = min(asked, draw.choice((0, 1, asked, asked, draw.randint(1, 20 * unit))))
        width = draw.choice((1, 1, 2, 2, 3, min(4, widest), widest))
        user, group = draw.choice((-1, 1, 2)), draw.choice((-1, 1, 2))
        queue = draw.choice((-1,) * 12 + (1, 2))
        jobs.append(SiteJob(position, submit, run_time, asked, width, user, group, queue))
    return tuple(jobs)


def two_clusters_case(seed: int, n_jobs: int = 60) -> SiteCase:
    """Draw two groups of pools without a common queue; often, a pool has no waiting jobs."""
    draw = Random(seed)
    unit = draw.choice((1, 10, 300))
    policy = Policy(order=draw.choice(("fcfs", "fcfs", "saf")), backfill="easy")
    pools: list[Pool] = []
    queues: list[Queue] = []
    for group in range(2):
        own = [len(pools) + n for n in range(draw.randint(1, 2))]
        pools += [Pool(f"own {at}", draw.choice((3, 5, 8, 16))) for at in own]
        shared = len(pools)
        threshold = draw.choice((None, 0.0, 0.5, 2.0))
        pools.append(Pool(f"common {group}", draw.choice((3, 6)), threshold=threshold))
        starvation = draw.choice((None, 5 * unit, 40 * unit))
        queues += [
            Queue(
                f"queue {at}",
                trace_queues=(at,),
                priority=draw.choice((1.0, 2.0)),
                starvation=starvation,
                pools=(at, shared),
            )
            for at in own
        ]
        if draw.random() < 0.6:
            name = f"wide {group}"
            wide = {"starvation": draw.choice((None, 30 * unit)), "spanning": True}
            queues.append(Queue(name, trace_queues=(90 + group,), pools=tuple(own), **wide))
    size = sum(pool.processors for pool in pools)
    jobs = _jobs(draw, unit, n_jobs, 3)
    names = [number for queue in queues for number in queue.trace_queues]
    pace = draw.choice((1, 1, 3, 8))
    moved = tuple(
        replace(job, submit=pace * job.submit, trace_queue=draw.choice(names)) for job in jobs
    )
    return SiteCase(moved, Site(size, policy, tuple(pools), tuple(queues)))
