"""Instants at which a site changes without an arrival or a completion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.sites import calendar
from reference.sites.calendar import DAY, is_open
from reference.sites.eligibility import factor, released_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.sites.state import State
    from reference.sites.values import Queue, SiteJob


def next_change(state: State, next_crash: float) -> float:
    """Return the next instant at which an outage, crash, repair or reservation begins or ends."""
    ends = [absence.end for absence in state.absences if absence.end > state.now]
    changes = [calendar.next_change(event, state.now) for event in state.site.events]
    return min([next_crash, *ends, *changes])


def next_eligibility(state: State) -> float:
    """Return the next instant at which a job may start merely because time has passed."""
    instants: list[float] = [
        instant for job in state.waiting for instant in _of_job(state, job) if instant > state.now
    ]
    instants += [fence.start for fence in state.fences.values() if fence.start > state.now]
    instants += [p.start for p in state.promises.values() if p.start > state.now]
    return min(instants, default=math.inf)


def _of_job(state: State, job: SiteJob) -> Iterator[float]:
    queue = state.queue(job)
    if queue.starvation is not None:
        yield job.submit + queue.starvation
    if queue.hours:
        yield next_opening(state, queue)
    released = released_at(state, job)
    if released is not None:
        yield released
    for pool in state.pools_of(job):
        threshold = state.pools[pool].threshold
        if threshold is not None:
            yield first_second_above(state, job, threshold)


def next_opening(state: State, queue: Queue) -> float:
    """Return the next instant at which the queue is open and was closed a second before."""
    midnight = state.now - (state.now - state.site.midnight) % DAY
    openings = [midnight + day * DAY + begin for day in (0, 1) for begin, _ in queue.hours]
    return min(
        (
            at
            for at in openings
            if at > state.now
            and is_open(state.site, queue, at)
            and not is_open(state.site, queue, at - 1)
        ),
        default=math.inf,
    )


def first_second_above(state: State, job: SiteJob, threshold: float) -> float:
    """Return the first second at which a job's factor, which only rises, exceeds the threshold."""
    if state.queue(job).priority <= 0:
        return math.inf
    before, at = job.submit - 1, job.submit
    while factor(state, job, at) <= threshold:
        before, at = at, at + 2 * (at - before)
    while at - before > 1:
        middle = (before + at) // 2
        if factor(state, job, middle) > threshold:
            at = middle
        else:
            before = middle
    return at
