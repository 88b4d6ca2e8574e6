"""Workloads so long that the queues of a site fill several blocks of their containers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from reference.sites.drawing import SiteCase
from reference.sites.values import Limits, Pool, Queue, Site, SiteJob

if TYPE_CHECKING:
    from reference.policy import Policy

POOLS = (Pool("small", 24), Pool("large", 40), Pool("common", 16, threshold=1.5))
QUEUES = (
    Queue("debug", (1, 8), (0, 60), priority=3.0, pools=(0, 1), starvation=200),
    Queue("short", (1, 40), (0, 120), priority=1.0, pools=(1, 2), order="saf"),
    Queue("wide", (41, 64), priority=1.0, pools=(0, 1), spanning=True),
    Queue("long", priority=1.0, pools=(0, 1, 2), starvation=900, limits=Limits(running_per_user=6)),
)


def crowd_on_a_site(seed: int, policy: Policy, n_jobs: int = 130) -> SiteCase:
    """Make a burst of jobs in all queues; some jobs depend on earlier jobs."""
    draw = random.Random(seed)
    jobs: list[SiteJob] = []
    submit = 0
    for position in range(n_jobs):
        submit += draw.choice((0, 0, 0, 1, 2, 5))
        run_time = draw.choice((0, 1, 5, 20, 60, 90, draw.randint(1, 300)))
        asked = draw.choice((run_time, 60, 120, 300, draw.randint(1, 300))) or run_time
        width = draw.choice((1, 1, 1, 2, 2, 3, 5, 8, 8, 20, 40, 50, 65))
        preceding = draw.choice((-1, -1, -1, position - 1))
        user = draw.choice((-1, 1, 2, 3))
        jobs.append(SiteJob(position, submit, run_time, asked, width, user, preceding=preceding))
    limits = Limits(processors_per_user=60, queued_per_user=40)
    site = Site(80, policy, POOLS, QUEUES, limits, dependencies=True)
    return SiteCase(tuple(jobs), site)
