"""Jobs that came after a waiting job in the order but were backfilled before it.

Starving jobs come first, the oldest first; then the manual priority decides. In a pool with a
``threshold``, the higher slowdown factor (wait so far / requested time · queue priority) decides
next. In other pools, the queue's priority decides next. Queues with the same priority and order
form a group. Among groups with the same priority, the group of the queue listed first in the site
comes first. Within a group, the score decides. Ties go to the earlier row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import NEVER, weighs_queue_priority
from slotwise.explain.site_core import core_of
from slotwise.replay.scoring import scores
from slotwise.site.policy.order_spec import order_of, to_core

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.site.policy import Policy
    from slotwise.site.policy.order_spec import Order

    Rows = NDArray[np.intp]
    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]


def overtaken_by(result: ReplayData, job: int) -> tuple[int, ...]:
    """Return the ids of jobs behind this one that were backfilled before it, in order of time."""
    trace = result.trace
    submit, start = int(trace.submit[job]), int(result.start[job])
    passed = result.backfilled & (result.start >= submit) & (result.start < start)
    if result.site.pools:
        passed &= np.asarray(result.pool) == result.pool[job]
    rows = np.flatnonzero(passed)
    rows = rows[np.argsort(result.start[rows], kind="stable")]
    behind: list[int] = []
    for policy, started in _by_policy(result, rows):
        ranks = _Ranks(result, job, started, policy)
        behind += trace.job_id[started[ranks.precedes()]].tolist()
    return tuple(behind)


def _by_policy(result: ReplayData, rows: Rows) -> Iterator[tuple[Policy, Rows]]:
    """Group rows by the policy under which they started; rows must be sorted by start time."""
    changes = result.interventions.policies
    first = result.interventions.first_policy or result.site.policy
    # If a job starts at the same instant as a change of policy, it usually starts in the pass after
    # that change.
    times = [-1 if at is None else at for at, _ in changes]
    cuts = np.searchsorted(result.start[rows], times).tolist()
    policies = [first, *(policy for _, policy in changes)]
    for policy, begin, end in zip(policies, [0, *cuts], [*cuts, len(rows)], strict=True):
        if begin < end:
            yield policy, rows[begin:end]


class _Ranks:
    """Comparison of one job with others, each at the other job's start time."""

    def __init__(self, result: ReplayData, job: int, rows: Rows, policy: Policy) -> None:
        self.result, self.job, self.rows, self.policy = result, job, rows, policy
        self.trace, self.times = result.trace, result.start[rows]
        self.core = core_of(result)
        self.queue = np.asarray(result.queue) if result.site.queues else None

    def precedes(self) -> Bools:
        """Mark the jobs that this job precedes in the queue."""
        mine, theirs = self._starves(np.full(len(self.rows), self.job)), self._starves(self.rows)
        earlier = self.job < self.rows
        by_starving = mine & (~theirs | earlier)
        own, others = (
            self._manual_priority(np.full(len(self.rows), self.job)),
            self._manual_priority(self.rows),
        )
        by_rank = np.where(own != others, own > others, self._ranked())
        precedes: Bools = np.where(mine | theirs, by_starving, by_rank)
        return precedes

    def _manual_priority(self, jobs: Rows) -> Floats:
        given, pairs = (
            self.result.interventions,
            zip(jobs.tolist(), self.times.tolist(), strict=True),
        )
        if not given.priorities:
            return np.zeros(len(jobs))
        return np.array([given.priority_at(job, time) for job, time in pairs])

    def _starves(self, jobs: Rows) -> Bools:
        if self.queue is None:
            return np.zeros(len(jobs), dtype=bool)
        queues = self.core.queues
        after = np.array([NEVER if q.spanning else q.starvation for q in queues])
        waited = self.times - self.trace.submit[jobs]
        starves: Bools = np.greater_equal(waited, after[self.queue[jobs]])
        return starves

    def _ranked(self) -> Bools:
        """Mark the jobs that this job precedes if starvation and manual priority do not decide."""
        pool = int(self.result.pool[self.job]) if self.core.pools else -1
        if pool >= 0 and self.core.pools[pool].has_threshold:
            mine, theirs = self._factor(np.full(len(self.rows), self.job)), self._factor(self.rows)
            first: Bools = (mine > theirs) | ((mine == theirs) & (self.job < self.rows))
            return first
        if self.queue is None:
            same = np.ones(len(self.rows), dtype=bool)
            return self._by_score(order_of("order", self.policy.order), same)
        priority, group = self._groups()
        own, others = int(self.queue[self.job]), self.queue[self.rows]
        tied = priority[others] == priority[own]
        same = tied & (group[others] == group[own])
        ahead = (priority[own] > priority[others]) | (tied & (group[own] < group[others]))
        precedes: Bools = np.where(same, self._by_score(self._order(own), same), ahead)
        return precedes

    def _factor(self, jobs: Rows) -> Floats:
        if self.queue is None:
            return np.zeros(len(jobs))  # without queues, no job has a priority
        longest = np.array([q.max_requested_time for q in self.core.queues])[self.queue[jobs]]
        priority = np.array([q.priority for q in self.core.queues])[self.queue[jobs]]
        length = np.maximum(np.minimum(self.result.requested_time[jobs], longest), 1)
        factor: Floats = (self.times - self.trace.submit[jobs]) / length * priority
        return factor

    def _order(self, queue: int) -> Order:
        own = self.result.site.queues[queue].order
        return order_of("order", self.policy.order if own is None else own)

    def _groups(self) -> tuple[Floats, NDArray[np.intp]]:
        """Return each queue's priority (0 if its order already includes it) and its group."""
        orders = [self._order(queue) for queue in range(len(self.core.queues))]
        weighed = [weighs_queue_priority(to_core(order)) for order in orders]
        priority = [
            0.0 if weighs else q.priority
            for weighs, q in zip(weighed, self.core.queues, strict=True)
        ]
        kinds = list(zip(priority, orders, strict=True))
        return np.array(priority), np.array([kinds.index(kind) for kind in kinds])

    def _by_score(self, order: Order, compared: Bools) -> Bools:
        """Compare scores where `compared` is true; ties go to the earlier row."""
        precedes = np.zeros(len(self.rows), dtype=bool)
        priority = np.zeros(len(self.trace))
        if self.queue is not None:
            priority = np.array([q.priority for q in self.core.queues] + [0.0])[self.queue]

        def scored(now: int, jobs: Rows) -> Floats:
            return scores(self.trace, order, now, jobs=jobs, queue_priority=priority)

        rows, times = self.rows[compared], self.times[compared]
        if len(rows) == 0:
            return precedes
        every = np.concatenate([[self.job], rows])
        first = scored(int(times[0]), every)
        if np.array_equal(first, scored(int(times[-1]), every)):
            mine, theirs = np.full(len(rows), first[0]), first[1:]
        else:
            both = [np.array([self.job, row]) for row in rows]
            pairs = [scored(int(now), pair) for now, pair in zip(times, both, strict=True)]
            mine, theirs = np.array(pairs).T
        precedes[compared] = (mine > theirs) | ((mine == theirs) & (self.job < rows))
        return precedes
