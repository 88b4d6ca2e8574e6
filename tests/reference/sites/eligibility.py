"""Decides which waiting jobs a pass may start, and in which order a pool tries them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.dependencies import array_has_room, released_at
from reference.orders import score
from reference.sites.calendar import is_open
from reference.sites.routing import reason_to_reject

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.orders import Order
    from reference.sites.state import State
    from reference.sites.values import Limits, Queue, SiteJob


def _limits_leave_room(
    limits: Limits, job: SiteJob, running: list[SiteJob], waiting: list[SiteJob], lifted: bool
) -> bool:
    """Check one set of limits against the jobs that count towards it.

    With `lifted`, limits on the running jobs of users and groups are ignored.
    """
    of_user = [other for other in running if other.user == job.user != -1]
    of_group = [other for other in running if other.group == job.group != -1]
    counted: list[tuple[int | None, int]] = [
        (limits.running, len(running) + 1),
        (limits.processors_in_use, sum(o.processors for o in running) + job.processors),
    ]
    personal: list[tuple[int | None, int]] = []
    if job.user != -1:
        ahead = [o for o in waiting if o.user == job.user and _earlier(o, job)]
        counted.append((limits.queued_per_user, len(ahead) + 1))
        personal.append((limits.running_per_user, len(of_user) + 1))
        in_use = sum(o.processors for o in of_user) + job.processors
        personal.append((limits.processors_per_user, in_use))
    if job.group != -1:
        personal.append((limits.running_per_group, len(of_group) + 1))
        in_use = sum(o.processors for o in of_group) + job.processors
        personal.append((limits.processors_per_group, in_use))
    checked = counted if lifted else counted + personal
    return all(limit is None or count <= limit for limit, count in checked)


def _earlier(one: SiteJob, other: SiteJob) -> bool:
    return (one.submit, one.position) < (other.submit, other.position)


def is_eligible(state: State, job: SiteJob, lifted: bool = False, any_hour: bool = False) -> bool:
    """Return whether the job might start now.

    With `lifted`, the site's limits on the running jobs of users and groups are ignored. With
    `any_hour`, the hours of the job's queue are ignored.
    """
    released = released_at(state, job)
    queue = state.queue(job)
    if released is None or released > state.now:
        return False
    if not any_hour and not is_open(state.site, queue, state.now):
        return False
    if not array_has_room(state, job):
        return False
    running = [running.job for running in state.running]
    own = [other for other in running if state.queue(other) is queue]
    own_waiting = [other for other in state.waiting if state.queue(other) is queue]
    for named in state.site.named:
        if named.covers(job):
            beside = [other for other in running if named.covers(other)]
            ahead = [other for other in state.waiting if named.covers(other)]
            if not _limits_leave_room(named.limits, job, beside, ahead, lifted=False):
                return False
    return _limits_leave_room(
        queue.limits, job, own, own_waiting, lifted=False
    ) and _limits_leave_room(state.site.limits, job, running, state.waiting, lifted)


def is_starving(state: State, job: SiteJob) -> bool:
    after = state.queue(job).starvation
    return after is not None and state.now - job.submit >= after


def factor(state: State, job: SiteJob, now: int) -> float:
    """Return the priority of the queue times the job's slowdown so far."""
    queue = state.queue(job)
    expected = job.requested_time
    if queue.walltime[1] is not None:
        expected = min(expected, queue.walltime[1])
    return (now - job.submit) / max(1, expected) * queue.priority


def is_open_to(state: State, pool: int, job: SiteJob) -> bool:
    """Return whether a pool's threshold, if it has one, admits the job."""
    threshold = state.pools[pool].threshold
    return threshold is None or factor(state, job, state.now) > threshold


def _order_of(state: State, queue: Queue) -> Order:
    return queue.order or state.policy.order


def _class_of(state: State, queue: Queue) -> float:
    """Return the priority of a queue, or 0 if the order already includes this priority."""
    order = _order_of(state, queue)
    name = order if isinstance(order, str) else order["name"]
    named = name == "expression" and "queue_priority" in order["key"]  # type: ignore[index]
    return 0.0 if name == "priority" or named else queue.priority


def _group_of(state: State, queue: Queue) -> int:
    """Return the first queue whose class and order equal those of the given queue."""

    def alike(other: Queue) -> tuple[float, Order]:
        return _class_of(state, other), _order_of(state, other)

    return next(at for at, other in enumerate(state.queues) if alike(other) == alike(queue))


def in_queue_order(state: State, jobs: Iterable[SiteJob]) -> list[SiteJob]:
    """Sort jobs whose queues have the same order by score, best first."""

    def key(job: SiteJob) -> tuple[float, int, int]:
        order = _order_of(state, state.queue(job))
        points = score(order, job, state.now, state.first_submit, state.usage)
        return -points, job.submit, job.position

    return sorted(jobs, key=key)


def in_pool_order(state: State, pool: int, jobs: Iterable[SiteJob]) -> list[SiteJob]:
    """Sort jobs by class, group and score, or by decreasing factor if the pool has a threshold."""
    jobs = sorted(jobs, key=lambda job: (job.submit, job.position))
    if state.pools[pool].threshold is not None:
        return sorted(jobs, key=lambda job: -factor(state, job, state.now))

    def key(job: SiteJob) -> tuple[float, int]:
        queue = state.queue(job)
        return -_class_of(state, queue), _group_of(state, queue)

    return sorted(in_queue_order(state, jobs), key=key)


def rejected(state: State, jobs: Iterable[SiteJob]) -> dict[int, int]:
    reasons = {job.position: reason_to_reject(state.site, job, state.first_submit) for job in jobs}
    return {position: reason for position, reason in reasons.items() if reason}
