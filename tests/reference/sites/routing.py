"""Finds the queue that takes a job, and decides whether the job can ever start there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.sites.calendar import fits_inside, has_a_place
from reference.sites.values import LIMIT, MAINTENANCE, NO_QUEUE, NO_REASON, TOO_LARGE

if TYPE_CHECKING:
    from reference.sites.values import Limits, Queue, Site, SiteJob


def _contains(queue: Queue, job: SiteJob) -> bool:
    least, most = queue.processors
    above, up_to = queue.walltime
    requested = max(job.requested_time, 1)
    wide = least <= job.processors and (most is None or job.processors <= most)
    return queue.has_ranges and wide and above < requested and (up_to is None or requested <= up_to)


def queue_of(site: Site, job: SiteJob) -> int | None:
    """Return the queue that the trace gives the job, or the first whose ranges contain the job."""
    queues = list(enumerate(site.all_queues))
    mapped = [at for at, queue in queues if job.trace_queue in queue.trace_queues]
    fitting = [at for at, queue in queues if _contains(queue, job)]
    return next(iter(mapped + fitting), None)


def pools_of(site: Site, queue: Queue, job: SiteJob, first_submit: int) -> list[int]:
    """Return the pools of the queue in which the job could ever start, in order of preference."""
    wide = _wide_enough(site, queue, job)
    return [pool for pool in wide if has_a_place(site, [pool], job, queue, first_submit)]


def _wide_enough(site: Site, queue: Queue, job: SiteJob) -> list[int]:
    return [p for p in site.pools_of(queue) if job.processors <= site.all_pools[p].processors]


def _breaks(limits: Limits, job: SiteJob, spans: bool) -> bool:
    """Return whether the job by itself exceeds a limit on processors.

    Limits per user or group reject no job if they may be lifted. They are never lifted for jobs
    that span pools.
    """
    bounds = [limits.processors_in_use]
    if spans or not limits.lifted_when_idle:
        bounds.append(limits.processors_per_user if job.user != -1 else None)
        bounds.append(limits.processors_per_group if job.group != -1 else None)
    return any(bound is not None and job.processors > bound for bound in bounds)


def reason_to_reject(site: Site, job: SiteJob, first_submit: int) -> int:
    """Return the reason to reject the job; NO_REASON if it may wait."""
    at = queue_of(site, job)
    if at is None:
        return NO_QUEUE
    queue = site.all_queues[at]
    sizes = [site.all_pools[pool].processors for pool in site.pools_of(queue)]
    if job.processors > (sum(sizes) if queue.spanning else max(sizes)):
        return TOO_LARGE
    named = [each.limits for each in site.named if each.covers(job)]
    if any(_breaks(limits, job, queue.spanning) for limits in (queue.limits, site.limits, *named)):
        return LIMIT
    if queue.spanning:
        fits = has_a_place(site, site.pools_of(queue), job, queue, first_submit)
    else:
        wide = _wide_enough(site, queue, job)
        inside = fits_inside(site, wide, job, queue, first_submit)
        fits = inside or bool(pools_of(site, queue, job, first_submit))
    return NO_REASON if fits else MAINTENANCE
