"""Advance reservations: a job larger than any pool is fenced in several of them.

Example: pools a of 4 and b of 6; by estimate a is free from 5 and b from 8. A job of 5 submitted
at 0 finds 4 processors in a at 5, and 10 in both at 8: it is fenced from 8, 5 × 4 / 10 = 2 in a
and 5 × 6 / 10 = 3 in b.
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
    for queue, values in enumerate(state.queues):
        while values.spanning and _serve_head(state, queue):
            pass


def _serve_head(state: State, queue: int) -> bool:
    """Start the head of the queue, or see to its fence; tell whether it started."""
    jobs = [job for job in state.waiting if state.queue_number(job) == queue]
    head = next((job for job in in_queue_order(state, jobs) if is_eligible(state, job)), None)
    fence = state.fences.get(queue)
    if fence and (head is None or fence.job != head):
        del state.fences[queue]
        fence = None
    if head is None:
        return False
    if not (fence and fence.start == state.now and _is_free(state, queue, fence)):
        fence = _fence_to_keep(state, queue, head, fence)
    state.fences.pop(queue, None)
    if fence is None:
        return False
    if fence.start == state.now and _is_free(state, queue, fence):
        state.start(head, fence.shares, backfilled=False)
        return True
    state.fences[queue] = fence
    return False


def _is_free(state: State, queue: int, fence: Fence) -> bool:
    return all(share <= state.free(p, without=queue) for p, share in fence.shares.items())


def _fence_to_keep(state: State, queue: int, head: SiteJob, old: Fence | None) -> Fence | None:
    """Give the old fence while it holds and nothing earlier is to be had, else one made anew."""
    usable = _usable_pools(state, queue)
    found = _search(state, queue, head, usable)
    holds = old is not None and state.now < old.start and set(old.shares) <= set(usable)
    if old and holds and (found is None or old.start <= found.start):
        return old
    return found


def _usable_pools(state: State, queue: int) -> list[int]:
    """Give the pools in which no starving eligible job of another queue may run."""
    starving = [
        job
        for job in state.waiting
        if state.queue_number(job) != queue and is_starving(state, job) and is_eligible(state, job)
    ]
    claimed = {
        pool for job in starving for pool in state.pools_of(job) if is_open_to(state, pool, job)
    }
    return [pool for pool in state.site.pools_of(state.queues[queue]) if pool not in claimed]


def _search(state: State, queue: int, head: SiteJob, usable: list[int]) -> Fence | None:
    """Find the earliest place in the usable pools together; None if there is none, ever."""
    plans = {pool: plan_of(state, pool, without=queue) for pool in usable}
    length = max(1, head.requested_time)
    for time in sorted({t for plan in plans.values() for t in plan.times}):
        start = state.pass_at_or_after(time)
        room = {pool: least(plan, start, length) for pool, plan in plans.items()}
        if sum(room.values()) >= head.processors:
            return Fence(head, start, start + length, _shares(state, head.processors, room))
    return None


def _shares(state: State, processors: int, room: dict[int, int]) -> dict[int, int]:
    """Split in proportion to the room: whole parts, then by largest remainder, ties by name."""
    total = sum(room.values())
    shares = {pool: processors * free // total for pool, free in room.items()}
    by_remainder = sorted(
        room, key=lambda pool: (-(processors * room[pool] % total), state.pools[pool].name)
    )
    for pool in by_remainder[: processors - sum(shares.values())]:
        shares[pool] += 1
    return {pool: share for pool, share in shares.items() if share}
