"""One-pool sites for the fast planner, some with a rule that it does not support.

Jobs arrive in bursts from few users, with few different requests, so that many identical jobs wait
at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from reference.dependencies import with_dependencies
from reference.policy import Policy
from reference.sites.drawing import SiteCase
from reference.sites.values import (
    Crashes,
    Interruption,
    Limits,
    Outage,
    Queue,
    Reservation,
    Site,
    SiteJob,
)

if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = ("limits", "lifted", "windows", "hours", "all")
ORDERS: tuple[Any, ...] = (
    "fcfs",
    "saf",
    "lifo",
    "priority",
    {"name": "priority", "queue_time": 5, "expansion": 100, "cores": 1},
    {"name": "fairshare", "half_life": 900},
)
HALF_HOUR = 1800


@dataclass(frozen=True)
class OnePool:
    """A case drawn from a seed, and the name of its additional rule."""

    case: SiteCase
    beside: str


def few_kinds(draw: Random, n_jobs: int, processors: int) -> tuple[SiteJob, ...]:
    """Draw bursts of jobs with few users and requests, so that many jobs wait in one class."""
    jobs: list[SiteJob] = []
    submit = 0
    for position in range(n_jobs):
        submit += draw.choice((0, 0, 0, 60, 300, 900))
        asked = draw.choice((0, 600, 1800, 3600))
        run_time = min(asked, draw.choice((0, 300, 600, 1700, 3600)))
        width = draw.choice((1, 1, 2, 3, processors // 2, processors))
        user, group = draw.choice((-1, 1, 1, 2, 3)), draw.choice((-1, 1, 2))
        queue = draw.choice((-1, 1, 2))
        jobs.append(
            SiteJob(position, submit, run_time, asked or run_time, width, user, group, queue)
        )
    return tuple(jobs)


def ruled_case(seed: int, kind: str, order: Any, n_jobs: int = 60) -> SiteCase:
    """Draw a one-pool site with the rules of this kind, and a burst of jobs on it."""
    draw = Random(seed)
    processors = draw.choice((4, 6, 8))
    site = Site(processors, Policy(order=order))
    if kind in ("limits", "lifted", "all"):
        limits = Limits(
            running_per_user=draw.choice((None, 1, 2)),
            processors_per_user=draw.choice((None, processors // 2, processors)),
            processors_per_group=draw.choice((None, processors)),
            running=draw.choice((None, None, 3)),
            lifted_when_idle=kind == "lifted" or draw.random() < 0.3,
        )
        site = replace(site, limits=limits)
    if kind in ("windows", "all"):
        once = Outage(draw.randint(1, 9) * HALF_HOUR, draw.choice((900, HALF_HOUR)))
        recurring = Outage(HALF_HOUR, draw.choice((900, 2700)), every=draw.choice((5, 7)) * 3600)
        site = replace(site, outages=draw.choice(((once,), (recurring,), (once, recurring))))
    if kind in ("hours", "all"):
        first = Queue("first", trace_queues=(1,), hours=((draw.randint(0, 20) * 1800, 43_200),))
        rest = Queue("rest", limits=Limits(running_per_user=draw.choice((None, 2))))
        midnight = -HALF_HOUR * draw.randint(0, 47)
        site = replace(site, queues=(first, rest), midnight=midnight)
    return SiteCase(few_kinds(draw, n_jobs, processors), site)


def drawn(seed: int) -> OnePool:
    """Draw the case for a seed; of three consecutive seeds, at least one has no additional rule."""
    draw = Random(-1 - seed)
    kind, order = KINDS[seed % len(KINDS)], draw.choice(ORDERS)
    case = ruled_case(seed, kind, order, draw.choice((15, 30, 60)))
    if kind != "hours" and order in ("fcfs", "saf", "lifo") and draw.random() < 0.5:
        case = _with_policy(case, backfill="conservative")
    beside = "nothing" if seed % 3 == 0 else draw.choice(tuple(BESIDE))
    return OnePool(BESIDE[beside](draw, case), beside)


def _with_policy(case: SiteCase, **fields: Any) -> SiteCase:
    return replace(case, site=replace(case.site, policy=replace(case.site.policy, **fields)))


def _with_site(case: SiteCase, **fields: Any) -> SiteCase:
    return replace(case, site=replace(case.site, **fields))


def _with_queue(case: SiteCase, **fields: Any) -> SiteCase:
    queues = case.site.queues or (Queue("all"),)
    return _with_site(case, queues=(*queues[:-1], replace(queues[-1], **fields)))


def _with_outage(draw: Random, case: SiteCase, processors: int | None, mode: str) -> SiteCase:
    start = draw.randint(0, 12) * 900
    outage = Outage(start, draw.choice((600, 2700)), processors, draw.choice((None, 14_400)), mode)
    return _with_site(case, outages=(*case.site.outages, outage))


def _with_estimates(draw: Random, case: SiteCase) -> SiteCase:
    return _with_policy(case, estimates=draw.choice(("exact", "user-history")))


def _overrunning(draw: Random, case: SiteCase) -> SiteCase:
    # For a job without a request, its run time is the request.
    longer = [draw.choice((0, 0, 900)) if job.requested_time else 0 for job in case.jobs]
    jobs = [
        replace(job, run_time=job.run_time + more)
        for job, more in zip(case.jobs, longer, strict=True)
    ]
    kills = case.site.policy.backfill == "conservative" or draw.random() < 0.5
    return _with_policy(replace(case, jobs=tuple(jobs)), kill_at_limit=kills)


def _reserving(draw: Random, case: SiteCase) -> SiteCase:
    start = draw.randint(1, 12) * 900
    kept = Reservation("kept", start, 1800, draw.randint(1, case.site.processors), users=(1,))
    return _with_site(case, reservations=(kept,))


BESIDE: dict[str, Callable[[Random, SiteCase], SiteCase]] = {
    "nothing": lambda draw, case: case,
    "dependencies": lambda draw, case: replace(
        _with_site(case, dependencies=True), jobs=with_dependencies(draw, case.jobs, 600)
    ),
    "dependencies not respected": lambda draw, case: replace(
        case, jobs=with_dependencies(draw, case.jobs, 600)
    ),
    "kill": lambda draw, case: _with_outage(draw, case, None, "kill"),
    "sudden": lambda draw, case: _with_outage(draw, case, 1 + draw.randint(0, 3), "sudden"),
    "a part drained": lambda draw, case: _with_outage(draw, case, 1 + draw.randint(0, 3), "drain"),
    "crash": lambda draw, case: _with_site(
        case, crashes=Crashes(times=(draw.randint(1, 9) * 1000,), repair=draw.choice((0, 600)))
    ),
    "checkpoints": lambda draw, case: _with_site(
        case, interruption=Interruption("from-checkpoint", checkpoint_every=500, checkpoint_cost=60)
    ),
    "estimates": _with_estimates,
    "overruns": _overrunning,
    "passes": lambda draw, case: _with_policy(case, passes=draw.choice(("per-event", "700s"))),
    "arrivals first": lambda draw, case: _with_policy(case, event_order="arrivals-first"),
    "other backfill": lambda draw, case: _with_policy(
        case, backfill=draw.choice(("none", "first-fit", "relaxed", "depth", "multiple-queue"))
    ),
    "starvation": lambda draw, case: _with_queue(case, starvation=1800),
    "order of a queue": lambda draw, case: _with_queue(case, order="ljf"),
    "priority of a queue": lambda draw, case: _with_queue(case, priority=2.0),
    "reservation": _reserving,
}
