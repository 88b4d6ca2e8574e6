"""Priorities of a free replay, recalculated every `period` from the first submission onwards.

If no shares are given, all users of an account have equal shares, as do all accounts; the root user
has none.
"""

from __future__ import annotations

import dataclasses
import datetime
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.slurm.fair_share import FairShare, Shares
from reference.slurm.multifactor import Multifactor
from reference.slurm.resets import next_reset
from reference.slurm.rules import Rules
from reference.slurm.running import Running

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Weights
    from reference.slurm.standing import Standing


@dataclass
class ReplayPriorities:
    """Priorities of waiting jobs; `zero` is the date at time 0."""

    machine: Machine
    weights: Weights
    standing: Standing
    jobs: Sequence[Job]
    zero: datetime.datetime
    shares: Shares | None = None
    running: dict[int, Running] = field(default_factory=dict)
    priority: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.multifactor = Multifactor(self.machine, self.weights, Rules(), self.standing)
        self.first = self.jobs[0].submit
        shares = self.shares or _equal_shares(self.jobs)
        self.fair_share = FairShare(shares, self.weights.half_life, self.weights.damping)
        self.fair_share.last = self.first
        self.reset_at = next_reset(self.weights.reset, self._date(self.first))

    def started(self, job: Job, now: int) -> None:
        """Record the start of a job; each node contributes the same number of CPUs."""
        allocated = dataclasses.replace(job, cpus=job.cpus_per_node * job.nodes)
        self.running[job.number] = Running(allocated, now, 0, 0)

    def ended(self, job: Job, now: int) -> None:
        """Record the end of a job, and add the rest of its usage."""
        self.fair_share.count(self.running.pop(job.number), now)

    def let_in(self, job: Job, since: int, now: int) -> None:
        """Set the priority of a job that begins to wait; its age is measured from `since`."""
        factor = self.fair_share.factor(job) if self.weights.fair_share else 0.0
        age = max(now - since, 0)
        self.priority[job.number] = float(self.multifactor.priority(job, age, factor))

    def renew(self, waiting: Iterable[Job], eligible: dict[int, int], now: int) -> None:
        """Recalculate usage and all priorities in the order of job numbers, once every period."""
        if now == self.first or (now - self.first) % self.weights.period:
            return
        while self.reset_at and self._date(now) >= self.reset_at:
            self.fair_share.clear()
            self.reset_at = next_reset(self.weights.reset, self.reset_at)
        self.fair_share.begin_renewal(now)
        jobs = {job.number: job for job in waiting}
        for number in sorted(jobs.keys() | self.running.keys()):
            if number in self.running:
                self.fair_share.count(self.running[number], now)
            else:
                self.let_in(jobs[number], eligible[number], now)

    def _date(self, now: int) -> datetime.datetime:
        return self.zero + datetime.timedelta(seconds=now)


def _equal_shares(jobs: Sequence[Job]) -> Shares:
    owners = sorted({(job.account, job.user) for job in jobs})
    return Shares({account: 1 for account, _ in owners}, {each: (each[0], 1) for each in owners}, 0)
