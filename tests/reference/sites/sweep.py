"""One pass: user reservations, advance reservations, then sweeps over the pools.

Example, under easy: pools a and b have 4 processors each. All of a and 2 of b are free; the other 2
of b become free at 9. A starving job on 3 processors may run in b or, as its second choice, in a.
It blocks b, where it has a reservation at 9, and then starts in a. So the sweep is repeated: no job
blocks b any longer, and a waiting job on 2 processors for 20 s starts there.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.sites.eligibility import (
    in_pool_order,
    is_eligible,
    is_open_to,
    is_starving,
)
from reference.sites.promises import drop_of_those_gone, plan_with_promises, run_round
from reference.sites.reservations import start_in_reservations
from reference.sites.spanning import serve_spanning_queues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.profile import Profile
    from reference.sites.state import State
    from reference.sites.values import SiteJob


class Sweep:
    """Tries jobs in pools under a backfill policy ("none" for jobs whose limits are lifted).

    Under conservative, only pools with a threshold are tried; in other pools, jobs have promises.
    """

    def __init__(self, state: State, backfill: str, lifted: bool = False) -> None:
        self.state = state
        self.lifted = lifted
        reservations = {"easy": 1, "relaxed": 1, "depth": state.policy.depth, "replan": math.inf}
        reservations["multiple-queue"] = math.inf
        self.by_queue = backfill == "multiple-queue"
        self.served: set[tuple[int, int]] = set()
        pools = range(len(state.pools))
        self.own_easy = {p for p in pools if state.pools[p].threshold is not None and not lifted}
        self.left = {p: 1 if p in self.own_easy else reservations.get(backfill, 0) for p in pools}
        self.closes = {p for p in pools if backfill == "none" and p not in self.own_easy}
        self.tried = self.own_easy if backfill == "conservative" else set(pools)
        self.plans = {p: plan_with_promises(state, p) for p in pools}
        self.failed: set[int] = set()
        self.started = False

    def run(self) -> bool:
        """Try every eligible job; return whether one started."""
        state = self.state
        starving = [job for job in state.waiting if is_starving(state, job)]
        for job in sorted(starving, key=lambda job: (job.submit, job.position)):
            if is_eligible(state, job, self.lifted):
                any(self.attempt(job, pool) for pool in state.pools_of(job))
        for pool, job in self._choices():
            if job in state.waiting and is_eligible(state, job, self.lifted):
                self.attempt(job, pool)
        for pool in set(self.left) - self.failed:
            state.deadlines.pop(pool, None)
        return self.started

    def _choices(self) -> Iterator[tuple[int, SiteJob]]:
        """Yield each (pool, job) to try, except starving jobs.

        First choices of pools come first, then second choices, and so on.
        """
        state = self.state
        others = [job for job in state.waiting if not is_starving(state, job)]
        most = max(len(state.site.pools_of(queue)) for queue in state.queues)
        for choice in range(most):
            for pool in range(len(state.pools)):
                chosen = [
                    job
                    for job in others
                    if pool in state.pools_of(job)
                    and state.site.pools_of(state.queue(job)).index(pool) == choice
                ]
                for job in in_pool_order(state, pool, chosen):
                    yield pool, job

    def attempt(self, job: SiteJob, pool: int) -> bool:
        """Start the job in the pool if it fits; otherwise it may get a reservation there."""
        state, plan = self.state, self.plans[pool]
        if pool not in self.tried or not is_open_to(state, pool, job):
            return False
        if pool in self.closes and pool in self.failed:
            return False
        length = state.beliefs.of_waiting(job)
        room = plan.has_room(state.now, max(length, self._is_late(pool)), job.processors)
        if job.processors <= state.free(pool) and room:
            state.start(job, {pool: job.processors}, backfilled=pool in self.failed)
            believed = state.running[-1].estimated_end - state.now
            plan.take(state.now, believed, job.processors)
            self.started = True
            return True
        self.failed.add(pool)
        if self.left[pool] > 0 and self._is_first_of_queue(job, pool):
            self.left[pool] -= 1
            self.served.add((pool, self.state.queue_number(job)))
            self._reserve(job, pool, max(length, 1))
        return False

    def _is_first_of_queue(self, job: SiteJob, pool: int) -> bool:
        """Return whether the job may get a reservation.

        A queue may be limited to one reservation per pool.
        """
        head = (pool, self.state.queue_number(job))
        return not self.by_queue or pool in self.own_easy or head not in self.served

    def _is_late(self, pool: int) -> bool:
        """Return whether the head has missed its relaxed deadline; then no job may overtake it."""
        reserved = pool not in self.own_easy and self.left[pool] == 0
        return (
            reserved and self.state.deadlines.get(pool, (None, self.state.now))[1] < self.state.now
        )

    def _reserve(self, job: SiteJob, pool: int, length: int) -> None:
        """Reserve the earliest start.

        Under `relaxed`, reserve a later start, and keep it while the job is the head.
        """
        state, plan = self.state, self.plans[pool]
        begin = plan.earliest(length, job.processors)
        if state.policy.backfill == "relaxed" and pool not in self.own_easy:
            head, deadline = state.deadlines.get(pool, (None, 0))
            if head != job:
                faced = begin - job.submit
                latest = begin + math.floor(state.policy.relaxation * faced)
                deadline = earliest_from(plan, latest, length, job.processors)
                state.deadlines[pool] = (job, deadline)
            begin = deadline
        end = max(begin, state.now) + length
        begin = max(begin, state.now)
        plan.take(begin, end - begin, job.processors)


def earliest_from(plan: Profile, since: int, length: int, processors: int) -> int:
    """Return the first instant from `since` onwards with enough processors for long enough."""
    times = [since, *(time for time in plan.times if time > since)]
    return next(time for time in times if plan.has_room(time, length, processors))


def run_pass(state: State) -> None:
    state.correct_estimates()
    start_in_reservations(state)
    drop_of_those_gone(state)
    kept = dict(state.fences)
    serve_spanning_queues(state)
    for queue, fence in kept.items():
        if state.fences.get(queue) != fence:
            state.opened |= set(fence.shares)
    while _starts_some(state):
        pass
    lifted = state.site.limits.lifted_when_idle
    if lifted and not any(is_eligible(state, job) for job in state.waiting):
        Sweep(state, "none", lifted=True).run()


def _starts_some(state: State) -> bool:
    """Try all waiting jobs once; return whether one started."""
    n_waiting = len(state.waiting)
    if state.policy.backfill == "conservative":
        run_round(state)
    Sweep(state, state.policy.backfill).run()
    drop_of_those_gone(state)
    return len(state.waiting) < n_waiting
