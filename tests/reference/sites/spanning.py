"""Advance reservations: a job larger than any pool reserves processors in several pools.

Example: pools a and b have 4 and 6 processors. According to the estimates, a is free from 5 onwards
and b from 8 onwards. A job on 5 processors, submitted at 0, finds 4 in a at 5, and 10 in both at 8.
So its reservation (its fence) begins at 8, with 5 × 4 / 10 = 2 in a and 5 × 6 / 10 = 3 in b.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.sites.calendar import least
from reference.sites.eligibility import in_queue_order, is_eligible, is_open_to, is_starving
from reference.sites.plans import plan_of
from reference.sites.state import Fence

if TYPE_CHECKING:
    from reference.sites.state import State
    from reference.sites.values import SiteJob


def serve_spanning_queues(state: State) -> None:
    """Serve queues whose head starves, oldest head first, then the others in file order."""

    def rank(queue: int) -> tuple[int, ...]:
        head = _head_of(state, queue)
        starves = head is not None and is_starving(state, head)
        return (0, head.submit, head.position) if head and starves else (1, queue)

    left = [queue for queue, values in enumerate(state.queues) if values.spanning]
    while left:
        queue = min(left, key=rank)
        if not _serve_head(state, queue):
            left.remove(queue)


def _head_of(state: State, queue: int) -> SiteJob | None:
    """Return the queue's oldest starving eligible job; if none starves, the first eligible job."""
    jobs = [job for job in state.waiting if state.queue_number(job) == queue]
    jobs = [job for job in in_queue_order(state, jobs) if is_eligible(state, job)]
    starving = [job for job in jobs if is_starving(state, job)]
    oldest = min(starving, key=lambda job: (job.submit, job.position), default=None)
    return oldest or next(iter(jobs), None)


def _giving_way(state: State, queue: int, head: SiteJob) -> set[int]:
    """Return the queues whose fences are ignored when the head searches for a start.

    These are the head's own queue and, if the head starves, all queues without an older starving
    head.
    """

    def is_older(job: SiteJob) -> bool:
        return (job.submit, job.position) < (head.submit, head.position)

    others = {
        number
        for number, fence in state.fences.items()
        if not (is_starving(state, fence.job) and is_older(fence.job))
    }
    return {queue} | (others if is_starving(state, head) else set())


def _serve_head(state: State, queue: int) -> bool:
    """Start the head of the queue, or update its fence; return whether it started."""
    head = _head_of(state, queue)
    fence = state.fences.get(queue)
    if fence and (head is None or fence.job != head):
        del state.fences[queue]
        fence = None
    if head is None:
        return False
    without = _giving_way(state, queue, head)
    if not (fence and fence.start == state.now and _is_free(state, without, fence)):
        fence = _fence_to_keep(state, queue, head, fence)
    state.fences.pop(queue, None)
    if fence is None:
        return False
    if fence.start == state.now and _is_free(state, without, fence):
        state.start(head, fence.shares, backfilled=False)
        return True
    state.fences[queue] = fence
    return False


def _is_free(state: State, without: set[int], fence: Fence) -> bool:
    return all(share <= state.free(p, without) for p, share in fence.shares.items())


def _fence_to_keep(state: State, queue: int, head: SiteJob, old: Fence | None) -> Fence | None:
    """Return the old fence if it is valid and no earlier one is possible, otherwise a new one.

    A new fence removes each fence that shares a pool with it and must give way.
    """
    usable = _usable_pools(state, queue)
    without = _giving_way(state, queue, head)
    found = _search(state, without, head, usable)
    holds = old is not None and state.now < old.start and set(old.shares) <= set(usable)
    if old and holds and (found is None or old.start <= found.start):
        return old
    for other in without - {queue}:
        if found and found.shares.keys() & state.fences[other].shares.keys():
            del state.fences[other]
    return found


def _usable_pools(state: State, queue: int) -> list[int]:
    """Return the pools in which no starving eligible job of another queue may run."""
    starving = [
        job
        for job in state.waiting
        if state.queue_number(job) != queue and is_starving(state, job) and is_eligible(state, job)
    ]
    claimed = {
        pool for job in starving for pool in state.pools_of(job) if is_open_to(state, pool, job)
    }
    return [pool for pool in state.site.pools_of(state.queues[queue]) if pool not in claimed]


def _search(state: State, without: set[int], head: SiteJob, usable: list[int]) -> Fence | None:
    """Find the earliest start in all usable pools together; None if there is none."""
    plans = {pool: plan_of(state, pool, without) for pool in usable}
    length = max(1, head.requested_time)
    for time in sorted({t for plan in plans.values() for t in plan.times}):
        start = state.pass_at_or_after(time)
        room = {pool: least(plan, start, length) for pool, plan in plans.items()}
        if sum(room.values()) >= head.processors:
            return Fence(head, start, start + length, _shares(state, head.processors, room))
    return None


def _shares(state: State, processors: int, room: dict[int, int]) -> dict[int, int]:
    """Split processors among pools in proportion to their free processors, rounded down.

    The processors left over go to the pools with the largest remainders; ties are broken by name.
    """
    total = sum(room.values())
    shares = {pool: processors * free // total for pool, free in room.items()}
    by_remainder = sorted(
        room, key=lambda pool: (-(processors * room[pool] % total), state.pools[pool].name)
    )
    for pool in by_remainder[: processors - sum(shares.values())]:
        shares[pool] += 1
    return {pool: share for pool, share in shares.items() if share}
