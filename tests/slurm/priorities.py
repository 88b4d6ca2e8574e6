"""Priorities of a recording beside those that the oracle computes from its events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.slurm.fair_share import FairShare, Shares
from reference.slurm.multifactor import Multifactor
from reference.slurm.running import Running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Weights
    from reference.slurm.rules import Rules
    from slurm.recording import Recording


@dataclass(frozen=True)
class Compared:
    """A recorded priority and the computed one."""

    instant: float
    job: int
    recorded: int
    computed: int


class Priorities:
    """Follows the events of a recording: submissions, starts, ends and renewals."""

    def __init__(
        self,
        recording: Recording,
        machine: Machine,
        weights: Weights,
        rules: Rules,
        shares: Shares | None,
    ) -> None:
        self.recording = recording
        self.weights = weights
        self.rules = rules
        self.multifactor = Multifactor(machine, weights, rules)
        self.shares = FairShare(shares, weights.half_life, weights.damping) if shares else None
        self.waiting: dict[int, int] = {}
        self.running: dict[int, Running] = {}

    def __iter__(self) -> Iterator[Compared]:
        for line in self.recording.events:
            instant, kind, *fields = line.split()
            now = float(instant)
            if kind == "renew":
                self._renew(now)
            elif kind == "start":
                self.waiting.pop(int(fields[0]), None)
                recorded = self.recording.jobs[int(fields[0])]
                self.running[recorded.job.number] = Running(
                    recorded.job, recorded.start, recorded.nodes, 0
                )
            elif kind == "end" and self.shares:
                ended = self.running.pop(int(fields[0]))
                self.shares.count(ended, self.recording.jobs[int(fields[0])].end)
            elif kind == "submit":
                number = int(fields[0])
                self.waiting[number] = self._priority(number, age=0)
            if kind in ("submit", "priority") and int(fields[0]) in self.waiting:
                number = int(fields[0])
                yield Compared(now, number, int(fields[1]), self.waiting[number])
            if kind == "cycle" and not self.rules.renewal:
                for number in self.waiting:
                    self.waiting[number] = self._priority(number, age=self._age(number, now))

    def _renew(self, now: float) -> None:
        """Count the usage and renew the priorities, in the order of the job numbers."""
        if self.shares:
            self.shares.begin_renewal(int(now))
        for number in sorted(self.running.keys() | self.waiting.keys()):
            if number in self.running and self.shares:
                self.shares.count(self.running[number], int(now))
            elif number in self.waiting:
                self.waiting[number] = self._priority(number, age=self._age(number, now))

    def _age(self, number: int, now: float) -> int:
        return int(now) - self.recording.jobs[number].job.submit

    def _priority(self, number: int, age: int) -> int:
        job = self.recording.jobs[number].job
        fair_share = self.shares.factor(job.user) if self.shares else 0.0
        return self.multifactor.priority(job, age, fair_share)
