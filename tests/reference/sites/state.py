"""The state of a replay at one instant, and the ways it changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reference.beliefs import Beliefs
from reference.sites import attempts, calendar
from reference.sites.routing import pools_of, queue_of
from reference.sites.values import Attempt, RunningJob
from reference.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Collection

    from reference.dependencies import Needed
    from reference.jobs import Job
    from reference.sites.promises import Promise
    from reference.sites.values import Queue, Site, SiteJob


@dataclass(frozen=True)
class Fence:
    """Processors reserved for the head of a spanning queue in [start, end), by pool."""

    job: SiteJob
    start: int
    end: int
    shares: dict[int, int]


@dataclass(frozen=True)
class Absence:
    """Processors that a kill, a sudden outage or a crash has taken until `end`."""

    end: int
    shares: dict[int, int]


class SiteBeliefs(Beliefs):
    """Estimates on a site, where the length of an attempt depends on its checkpoints."""

    def __init__(self, state: State) -> None:
        super().__init__(state.site.policy)
        self.state = state

    def _estimate(self, job: Job, source: str) -> int:
        if source == "exact":
            return self.state.length_of_attempt(job)[0]
        return super()._estimate(job, source)


class State:
    def __init__(self, site: Site, first_submit: int) -> None:
        self.site = site
        self.policy = site.policy
        self.pools = site.all_pools
        self.queues = site.all_queues
        self.first_submit = first_submit
        self.now = first_submit
        self.dated = first_submit  # calendar changes up to this instant are applied
        self.beliefs = SiteBeliefs(self)
        self.usage = Usage()
        self.needs: dict[int, list[Needed]] = {}  # dependencies of each job
        self.queue_numbers: dict[int, int] = {}
        self.usable_pools: dict[int, list[int]] = {}
        self.waiting: list[SiteJob] = []
        self.running: list[RunningJob] = []
        self.ended: dict[int, RunningJob] = {}
        self.reason: dict[int, str] = {}  # why the last attempt of a job ended
        self.backfilled: set[int] = set()
        self.absences: list[Absence] = []
        self.begun: set[tuple[int, int]] = set()  # (outage, beginning) of windows that have begun
        self.fences: dict[int, Fence] = {}  # fence of each spanning queue
        self.deadlines: dict[int, tuple[SiteJob, int]] = {}  # head of each pool, and its deadline
        self.promises: dict[int, Promise] = {}  # promise of each job under `conservative`
        self.opened: set[int] = set()  # pools in which processors may have become free
        self.rejected: set[int] = set()
        self.saved: dict[int, int] = {}  # seconds of work saved per job
        self.attempts: list[Attempt] = []

    def arrive(self, job: SiteJob) -> None:
        """Choose the queue and the pools of a job, and add it to the waiting jobs."""
        number = queue_of(self.site, job)
        assert number is not None
        queue = self.queues[number]
        self.queue_numbers[job.position] = number
        self.usable_pools[job.position] = pools_of(self.site, queue, job, self.first_submit)
        self.waiting.append(replace(job, queue_priority=queue.priority))

    def queue_number(self, job: Job) -> int:
        return self.queue_numbers[job.position]

    def queue(self, job: Job) -> Queue:
        return self.queues[self.queue_number(job)]

    def pools_of(self, job: SiteJob) -> list[int]:
        """Return the pools in which the job may be tried, in order of preference.

        The list is empty for a job of a spanning queue.
        """
        return [] if self.queue(job).spanning else self.usable_pools[job.position]

    def length_of_attempt(self, job: Job) -> tuple[int, bool]:
        """Return how long an attempt that begins now lasts, and whether its limit cuts it short."""
        done = self.saved.get(job.position, 0)
        length = attempts.seconds_of(self.site.interruption, job.run_time - done, done)
        if self.policy.kill_at_limit and length > job.requested_time:
            return job.requested_time, True
        return length, False

    def away(self, pool: int) -> int:
        """Count the processors of a pool that are down now."""
        taken = sum(absence.shares.get(pool, 0) for absence in self.absences)
        for number, outage in enumerate(self.site.outages):
            for begin, _ in calendar.windows(outage, self.dated, self.dated + 1):
                if outage.mode == "drain" and (number, begin) in self.begun:
                    taken += calendar.drained_shares(self.site, outage).get(pool, 0)
        return min(taken, self.pools[pool].processors)

    def busy(self, pool: int) -> int:
        return sum(running.shares.get(pool, 0) for running in self.running)

    def really_free(self, pool: int) -> int:
        """Count the processors on which no job runs, reserved or not."""
        return max(0, self.pools[pool].processors - self.away(pool) - self.busy(pool))

    def is_inside(self, running: RunningJob) -> bool:
        """Return whether the job counts towards a current reservation instead of its pool."""
        return running.window is not None and self.dated < running.window[2]

    def fenced(self, pool: int, without: Collection[int] = ()) -> int:
        """Count the processors reserved now, except by the fences of queues in `without`."""
        kept = 0
        for reservation in self.site.reservations:
            if reservation.pool == pool:
                open_ones = calendar.windows(reservation, self.dated, self.dated + 1)
                kept += reservation.processors * len(list(open_ones))
        for queue, fence in self.fences.items():
            if queue not in without and fence.start <= self.now < fence.end:
                kept += fence.shares.get(pool, 0)
        return kept

    def free(self, pool: int, without: Collection[int] = ()) -> int:
        """Count the processors that a job may take now in the pool."""
        inside = sum(r.shares.get(pool, 0) for r in self.running if self.is_inside(r))
        used = self.busy(pool) - inside + self.fenced(pool, without)
        return max(0, self.pools[pool].processors - self.away(pool) - used)

    def pass_at_or_after(self, time: int) -> int:
        """Return the first instant, not before `time`, at which a pass may run."""
        period = self.policy.period or 1
        return self.first_submit + -(-(time - self.first_submit) // period) * period

    def start(
        self,
        job: SiteJob,
        shares: dict[int, int],
        backfilled: bool,
        window: tuple[int, int, int] | None = None,
        length: int | None = None,
    ) -> None:
        """Start a job; `length`, if given, is the estimated length of the attempt."""
        (self.backfilled.add if backfilled else self.backfilled.discard)(job.position)
        self.waiting.remove(job)
        self.usage.note(job.user, self.now, job.processors)
        believed = self.beliefs.of_starting(job) if length is None else length
        if self.policy.backfill == "conservative":
            believed = max(believed, 1)
        length, cut = self.length_of_attempt(job)
        taken = {pool: share for pool, share in shares.items() if share}
        self.running.append(
            RunningJob(
                job=job,
                start=self.now,
                end=self.now + length,
                estimated_end=self.now + believed,
                shares=taken,
                window=window,
                work=job.run_time - self.saved.get(job.position, 0),
                cut=cut,
                pool=next(iter(taken)) if len(taken) == 1 else -1,
            )
        )

    def complete(self, ended: RunningJob) -> None:
        self.beliefs.learn(ended)
        self._end(ended, "killed" if ended.cut else "completed", lost=0, refunded=0)

    def interrupt(self, killed: RunningJob, reason: str) -> None:
        """End an attempt that a crash or an outage kills; the job waits again if it is requeued."""
        rule = self.site.interruption
        job = killed.job
        elapsed = self.now - killed.start
        done = self.saved.get(job.position, 0)
        saved = attempts.saved_by(rule, killed.work, done, elapsed)
        killed.end = self.now
        lost = job.processors * (elapsed - saved)
        self._end(killed, reason, lost, job.processors * min(elapsed, rule.refund))
        self.saved[job.position] = done + saved
        if rule.requeue != "never":
            del self.ended[job.position]
            self.waiting.append(job)

    def _end(self, ended: RunningJob, reason: str, lost: int, refunded: int) -> None:
        self.running.remove(ended)
        if ended.estimated_end > ended.end or self.policy.compression == "every-end":
            self.opened |= set(ended.shares)
        self.usage.note(ended.job.user, self.now, -ended.job.processors)
        position = ended.job.position
        number = 1 + sum(attempt.job == position for attempt in self.attempts)
        row = Attempt(position, number, ended.pool, ended.start, ended.end, reason, lost, refunded)
        self.attempts.append(row)
        self.ended[position] = ended
        self.reason[position] = reason

    def correct_estimates(self) -> None:
        for running in self.running:
            self.beliefs.correct(running, self.now)
