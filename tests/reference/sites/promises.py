"""Conservative backfilling on a site: the promise of each waiting job, and one pass.

Example: pools a and b have 4 processors each; 4 of a are busy until 100, and 2 of b until 50. A job
on 3 processors may use both pools, and is promised a start in b at 50. The job in a ends early, at
20, and the waiting job starts there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.sites.calendar import is_open
from reference.sites.eligibility import in_pool_order, is_eligible, is_starving
from reference.sites.plans import plan_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.profile import Profile
    from reference.sites.state import State
    from reference.sites.values import SiteJob


@dataclass(frozen=True)
class Promise:
    """A promised start in a pool, and the length estimated when it was promised (at least 1 s)."""

    pool: int
    start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


def run_round(state: State) -> None:
    """Keep promises, make new ones, and start the jobs whose promises are due."""
    _give_up(state)
    _keep_or_replace(state)
    _compress(state)
    for job in _in_order(state, _may_be_promised(state)):
        if job.position not in state.promises:
            _place(state, _plans(state), job, _length(state, job))
    _start_due(state)


def plan_with_promises(state: State, pool: int) -> Profile:
    """Return a pool's plan, which contains running jobs, known windows, and promises."""
    plan = plan_of(state, pool)
    for position, promise in state.promises.items():
        if promise.pool == pool:
            processors = next(j.processors for j in state.waiting if j.position == position)
            begin = max(promise.start, state.now)
            plan.take(begin, promise.end - begin, processors)
    return plan


def drop_of_those_gone(state: State) -> None:
    """Drop the promises of jobs that are no longer waiting."""
    waiting = {job.position for job in state.waiting}
    for position in [at for at in state.promises if at not in waiting]:
        state.opened.add(state.promises.pop(position).pool)


def _give_up(state: State) -> None:
    drop_of_those_gone(state)
    still = {job.position for job in _may_be_promised(state)}
    for position in [at for at in state.promises if at not in still]:
        state.opened.add(state.promises.pop(position).pool)


def _pools(state: State, job: SiteJob) -> list[int]:
    return [pool for pool in state.pools_of(job) if state.pools[pool].threshold is None]


def _may_be_promised(state: State) -> list[SiteJob]:
    """Return the jobs that might start now, or would if their queue were open."""
    return [
        job
        for job in state.waiting
        if _pools(state, job) and is_eligible(state, job, any_hour=True)
    ]


def _in_order(state: State, jobs: Iterable[SiteJob]) -> list[SiteJob]:
    """Return starving jobs, oldest first; then the other jobs, pool by pool."""
    jobs = list(jobs)
    starving = [job for job in jobs if is_starving(state, job)]
    ordered = sorted(starving, key=lambda job: (job.submit, job.position))
    for pool in range(len(state.pools)):
        own = [job for job in jobs if job not in starving and _first_pool(state, job) == pool]
        ordered += in_pool_order(state, pool, own)
    return ordered


def _first_pool(state: State, job: SiteJob) -> int:
    pools = state.site.pools_of(state.queue(job))
    return next(pool for pool in pools if state.pools[pool].threshold is None)


def _promised(state: State) -> list[SiteJob]:
    return _in_order(state, [job for job in state.waiting if job.position in state.promises])


def _length(state: State, job: SiteJob) -> int:
    return max(state.beliefs.of_waiting(job), 1)


def _plans(state: State) -> dict[int, Profile]:
    return {pool: plan_with_promises(state, pool) for pool in range(len(state.pools))}


def _place(state: State, plans: dict[int, Profile], job: SiteJob, length: int) -> None:
    """Promise the earliest start in any pool; in a tie, take the pool that the queue prefers."""
    places = [
        (_earliest(state, plans[pool], job, length), choice, pool)
        for choice, pool in enumerate(_pools(state, job))
    ]
    start, _, pool = min(places)
    plans[pool].take(start, length, job.processors)
    state.promises[job.position] = Promise(pool, start, length)


def _earliest(state: State, plan: Profile, job: SiteJob, length: int) -> int:
    """Return the first instant at which a pass runs, the queue is open, and the job fits."""
    times = (_start_at_or_after(state, job, time) for time in plan.times)
    return next(time for time in times if plan.has_room(time, length, job.processors))


def _start_at_or_after(state: State, job: SiteJob, time: int) -> int:
    queue = state.queue(job)
    return next(
        at for at in _passes_from(state, time) if not queue.hours or is_open(state.site, queue, at)
    )


def _passes_from(state: State, time: int) -> Iterator[int]:
    while True:
        time = state.pass_at_or_after(time)
        yield time
        time += 1


def _keep_or_replace(state: State) -> None:
    """Renew the promises of starving jobs, then the invalid promises of other jobs.

    Valid promises of other jobs are kept.
    """
    plans = {pool: plan_of(state, pool) for pool in range(len(state.pools))}
    waiting = _in_order(state, _may_be_promised(state))
    for job in (job for job in waiting if is_starving(state, job)):
        old = state.promises.pop(job.position, None)
        _place(state, plans, job, old.length if old else _length(state, job))
        if old and old != state.promises[job.position]:
            state.opened.add(old.pool)
    broken = []
    for job in (job for job in waiting if not is_starving(state, job)):
        promise = state.promises.get(job.position)
        if promise is None:
            continue
        plan = plans[promise.pool]
        if promise.start >= state.now and plan.has_room(
            promise.start, promise.length, job.processors
        ):
            plan.take(promise.start, promise.length, job.processors)
        else:
            broken.append((job, promise))
            del state.promises[job.position]
    for job, promise in broken:
        _place(state, plans, job, promise.length)


def _compress(state: State) -> None:
    """If processors may have become free, move each promise to the earliest start."""
    if not state.opened:
        return
    plans = _plans(state)
    for job in _promised(state):
        promise = state.promises[job.position]
        if promise.start <= state.now or not state.opened & set(_pools(state, job)):
            continue
        plans[promise.pool].give_back(promise.start, promise.length, job.processors)
        _place(state, plans, job, promise.length)
        if promise != state.promises[job.position]:
            state.opened.add(promise.pool)
    state.opened.clear()


def _start_due(state: State) -> None:
    passed: set[int] = set()  # pools in which an earlier job may run but still waits
    for job in _promised(state):
        promise = state.promises[job.position]
        due = promise.start <= state.now and is_eligible(state, job)
        if due and job.processors <= state.free(promise.pool):
            del state.promises[job.position]
            shares = {promise.pool: job.processors}
            state.start(job, shares, promise.pool in passed, length=promise.length)
        else:
            passed |= set(_pools(state, job))
