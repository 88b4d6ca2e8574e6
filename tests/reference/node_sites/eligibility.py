"""Checks the limits of a site with nodes, and finds the waiting jobs that a pass may start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.dependencies import array_has_room, released_at
from reference.sites.calendar import is_open

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.node_sites.state import State
    from reference.node_sites.values import NodeJob, NodeLimits, Places

HOLDERS = ("user", "group", "account", "qos")


def _same(one: NodeJob, other: NodeJob, holder: str) -> bool:
    return bool(getattr(one, holder) == getattr(other, holder) != -1)


def amount_of(state: State, job: NodeJob, resource: str, places: Places | None) -> int:
    """Return the amount of a resource that a job takes.

    A job that has not been placed yet takes as many nodes as it requests.
    """
    if resource == "nodes":
        return job.nodes_asked if places is None else len(places)
    return job.units * job.each[state.site.resources.index(resource)]


def limits_leave_room(
    state: State, limits: NodeLimits, job: NodeJob, own: Iterable[NodeJob], places: Places | None
) -> bool:
    """Check one set of limits on running jobs; `own` contains the jobs that count towards them."""
    running = list(own)
    counted: list[tuple[int | None, int]] = [
        (limits.running, len(running) + 1),
        (limits.processors_in_use, sum(o.processors for o in running) + job.processors),
    ]
    for holder in HOLDERS:
        theirs = [other for other in running if _same(job, other, holder)]
        if getattr(job, holder) == -1:
            continue
        counted.append((limits.running_per.get(holder), len(theirs) + 1))
        in_use = sum(o.processors for o in theirs) + job.processors
        counted.append((limits.processors_per.get(holder), in_use))
    for (holder, resource), most in limits.amounts.items():
        if holder != "total" and getattr(job, holder) == -1:
            continue
        theirs = [o for o in running if holder == "total" or _same(job, o, holder)]
        used = sum(
            amount_of(state, o, resource, state.places_of(o.position)) for o in theirs
        ) + amount_of(state, job, resource, places)
        counted.append((most, used))
    return all(limit is None or count <= limit for limit, count in counted)


def within_limits(state: State, job: NodeJob, places: Places | None = None) -> bool:
    """Return whether a job may run under the limits of the site and of its queue."""
    running = [running.job for running in state.running]
    queue = state.queue(job)
    own = [other for other in running if state.queue(other) is queue]
    counted = [(state.site.limits, running), (queue.limits, own), *_named(state, job, running)]
    return all(limits_leave_room(state, limits, job, jobs, places) for limits, jobs in counted)


def _named(
    state: State, job: NodeJob, jobs: Iterable[NodeJob]
) -> list[tuple[NodeLimits, list[NodeJob]]]:
    """Return the named limits that apply to a job, each with the jobs that it counts."""
    every = list(jobs)
    return [
        (named.limits, [other for other in every if named.covers(other)])
        for named in state.site.named
        if named.covers(job)
    ]


def _among_the_first(state: State, job: NodeJob) -> bool:
    """Return whether the job is among the few jobs per user that a pass considers."""
    if job.user == -1:
        return True
    queue = state.queue(job)
    for most, waiting in (
        (state.site.limits.queued_per_user, state.waiting),
        (queue.limits.queued_per_user, [o for o in state.waiting if state.queue(o) is queue]),
        *((limits.queued_per_user, own) for limits, own in _named(state, job, state.waiting)),
    ):
        earlier = [
            other
            for other in waiting
            if other.user == job.user
            and (other.submit, other.position) < (job.submit, job.position)
        ]
        if most is not None and len(earlier) >= most:
            return False
    return True


def is_eligible(state: State, job: NodeJob, any_hour: bool = False) -> bool:
    """Return whether the job might start now; `any_hour` ignores the hours of its queue."""
    released = released_at(state, job)
    if released is None or released > state.now:
        return False
    if not any_hour and not is_open(state.site, state.queue(job), state.now):  # type: ignore[arg-type]
        return False
    if not array_has_room(state, job):
        return False
    return within_limits(state, job) and _among_the_first(state, job)


def is_starving(state: State, job: NodeJob) -> bool:
    after = state.queue(job).starvation
    return after is not None and state.now - job.submit >= after


def may_be_submitted(state: State, job: NodeJob) -> bool:
    """Return whether the limits on waiting and running jobs admit one more job."""
    inside = [*state.waiting, *(running.job for running in state.running)]
    queue = state.queue(job)
    for limits, own in (
        (state.site.limits, inside),
        (queue.limits, [other for other in inside if state.queue(other) is queue]),
        *_named(state, job, inside),
    ):
        counts = [(limits.submitted, len(own) + 1)]
        for holder, most in limits.submitted_per.items():
            if getattr(job, holder) != -1:
                theirs = [other for other in own if _same(job, other, holder)]
                counts.append((most, len(theirs) + 1))
        if any(most is not None and count > most for most, count in counts):
            return False
    return True
