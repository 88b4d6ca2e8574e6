"""Priorities of a free replay, recalculated every `period` from the first submission onwards.

Usage decays continuously, and unless shares are given, all are equal, as under the preset.
"""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.slurm.multifactor import Multifactor
from reference.slurm.resets import next_reset
from reference.slurm.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reference.slurm.fair_share import Associations, Shares
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Weights
    from reference.slurm.standing import Standing


@dataclass
class Run:
    """A job that has started; `end` is None while it runs."""

    job: Job
    start: int
    end: int | None = None


@dataclass
class ReplayPriorities:
    """Priorities of waiting jobs; `zero` is the date of time 0."""

    machine: Machine
    weights: Weights
    standing: Standing
    jobs: Sequence[Job]
    zero: datetime.datetime
    shares: Associations | Shares | None = None
    runs: dict[int, Run] = field(default_factory=dict)
    priority: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.multifactor = Multifactor(self.machine, self.weights, Rules(), self.standing)
        self.first = self.jobs[0].submit

    def started(self, job: Job, now: int) -> None:
        """Note a start."""
        self.runs[job.number] = Run(job, now)

    def ended(self, job: Job, now: int) -> None:
        """Note an end."""
        self.runs[job.number].end = now

    def let_in(self, job: Job, since: int, now: int) -> None:
        """Set the priority of a job that begins to wait; its age is measured from `since`."""
        self.priority[job.number] = float(self._of(job, since, now))

    def renew(self, waiting: Iterable[Job], eligible: dict[int, int], now: int) -> None:
        """Recalculate all priorities if a recalculation is due."""
        if now > self.first and (now - self.first) % self.weights.period == 0:
            for job in waiting:
                self.let_in(job, eligible[job.number], now)

    def _of(self, job: Job, since: int, now: int) -> int:
        fair_share = self._fair_share(job, now) if self.weights.fair_share else 0.0
        return self.multifactor.priority(job, max(now - since, 0), fair_share)

    def _fair_share(self, job: Job, now: int) -> float:
        """Return 2^(-usage/share)."""
        used = self._used(lambda other: True, now)
        if not used:
            return 1.0
        of_account = self._used(lambda other: other.account == job.account, now) / used
        owner = job.account, job.user
        own = self._used(lambda other: (other.account, other.user) == owner, now) / used
        account_share, user_share = self._shares(job)
        if not account_share * user_share:
            return 0.0
        effective = own + (of_account - own) * user_share
        return float(2.0 ** -(effective / (account_share * user_share) / self.weights.damping))

    def _shares(self, job: Job) -> tuple[float, float]:
        """Return the account's part of all shares, and the user's part of the account's."""
        if self.shares is not None:
            return self.shares.parts(job.account, job.user)
        n_accounts = len({each.account for each in self.jobs})
        n_users = len({each.user for each in self.jobs if each.account == job.account})
        return 1 / n_accounts, 1 / n_users

    def _used(self, counts: Callable[[Job], bool], now: int) -> float:
        """Return the decayed CPU seconds of jobs that `counts` accepts, since the last reset."""
        since = self._last_reset(now)
        total = 0.0
        for run in self.runs.values():
            begin, end = max(run.start, since), now if run.end is None else run.end
            if counts(run.job) and begin < end:
                total += run.job.cpus_per_node * run.job.nodes * self._integral(begin, end, now)
        return total

    def _integral(self, begin: int, end: int, now: int) -> float:
        """Integrate 2^(-(now - t) / half-life) from `begin` to `end`."""
        if not self.weights.half_life:
            return float(end - begin)
        rate = math.log(2) / self.weights.half_life
        return (math.exp(-rate * (now - end)) - math.exp(-rate * (now - begin))) / rate

    def _last_reset(self, now: int) -> int:
        """Return the time of the last reset or, if later, of the first submission."""
        found = self.first
        instant = self.zero + datetime.timedelta(seconds=self.first)
        while True:
            reset = next_reset(self.weights.reset, instant)
            seconds = (reset - self.zero).total_seconds() if reset else math.inf
            if reset is None or seconds > now:
                return found
            found, instant = int(seconds), reset
