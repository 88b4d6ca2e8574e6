"""Recorded priorities, and those that the oracle computes from the events of the recording."""

from __future__ import annotations

import dataclasses
import datetime
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.slurm.fair_share import FairShare, Shares
from reference.slurm.multifactor import Multifactor
from reference.slurm.resets import next_reset
from reference.slurm.running import Running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Weights
    from reference.slurm.rules import Rules
    from reference.slurm.standing import Standing
    from slurm.recording import Recording

ZERO = datetime.datetime(2026, 1, 1)  # instant from which recordings count seconds
# Names in the log, and names in the oracle.
PARTS = {
    "age": "age", "assoc": "association", "fairshare": "fair share", "jobsize": "job size",
    "partition": "partition", "qos": "qos",
}  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """A recorded priority and the computed one, with their parts if these are recorded."""

    instant: float
    job: int
    recorded: int
    computed: int
    recorded_parts: dict[str, float] = field(default_factory=dict)
    computed_parts: dict[str, float] = field(default_factory=dict)


class Priorities:
    """Follows the events of a recording: submissions, starts, ends and renewals.

    A site factor is set after submission; it counts from the first recorded priority that has it.
    """

    def __init__(
        self,
        recording: Recording,
        machine: Machine,
        weights: Weights,
        rules: Rules,
        shares: Shares | None,
        standing: Standing | None = None,
    ) -> None:
        self.recording = recording
        self.weights = weights
        self.rules = rules
        if standing is not None and not rules.unused_qos:
            standing = standing.of_jobs(each.job for each in recording.jobs.values())
        self.multifactor = Multifactor(machine, weights, rules, standing)
        self.shares = (
            FairShare(shares, weights.half_life, weights.damping, rules) if shares else None
        )
        self.waiting: dict[int, int] = {}
        self.running: dict[int, Running] = {}
        self.parts: dict[int, dict[str, float]] = {}
        self.started: set[int] = set()
        self.considered: set[int] = set()  # by a scheduler; other jobs have age 0
        self.renewed: set[int] = set()
        self.with_site_factor: set[int] = set()
        self.renewals = renewal_instants(recording.events)
        self.reset_at = None
        if recording.events and rules.usage_reset:
            first = float(recording.events[0].split()[0])
            self.reset_at = next_reset(weights.reset, ZERO + datetime.timedelta(seconds=first))

    def __iter__(self) -> Iterator[Compared]:
        for line in self.recording.events:
            instant, kind, *fields = line.split()
            now = float(instant)
            if kind == "renew":
                self._renew(self.renewals.pop(0))
            elif kind == "start":
                self.started.add(int(fields[0]))
                self.waiting.pop(int(fields[0]), None)
                recorded = self.recording.jobs[int(fields[0])]
                self.running[recorded.job.number] = Running(
                    recorded.job, recorded.start, recorded.nodes, 0
                )
            elif kind == "end" and self.shares:
                ended = self.running.pop(int(fields[0]))
                if self.rules.usage_at_end:
                    self.shares.count(ended, self.recording.jobs[int(fields[0])].end)
            elif kind == "submit":
                number = int(fields[0])
                if self.shares and not self.rules.renewed_usage:
                    self.shares.follow(self.running.values(), now)
                self.waiting[number] = self._priority(number, age=0)
            elif kind == "parts" and int(fields[0]) not in self.started:
                yield self._compared_parts(now, fields)
            if kind in ("submit", "priority") and int(fields[0]) in self.waiting:
                number = int(fields[0])
                yield Compared(now, number, int(fields[1]), self.waiting[number])
            if kind in ("cycle", "main"):
                self.considered |= self.waiting.keys()
            if kind == "cycle" and not self.rules.renewal:
                for number in self.waiting:
                    self.waiting[number] = self._priority(number, age=self._age(number, now))

    def _renew(self, now: int) -> None:
        """Add the usage of running jobs and renew the priorities, in the order of job numbers."""
        if self.shares:
            instant = ZERO + datetime.timedelta(seconds=now)
            if self.reset_at and instant >= self.reset_at:
                self.shares.clear()
                self.reset_at = next_reset(self.weights.reset, self.reset_at)
            self.shares.begin_renewal(now)
        self.renewed = set(self.waiting)
        numbers = sorted(self.running.keys() | self.waiting.keys())
        if not self.rules.renewal_by_number:
            numbers = [*sorted(self.running), *sorted(self.waiting)]
        for number in numbers:
            if number in self.running and self.shares:
                self.shares.count(self.running[number], now)
            elif number in self.waiting:
                self.waiting[number] = self._priority(number, age=self._age(number, now))

    def _compared_parts(self, now: float, fields: list[str]) -> Compared:
        """Compare a priority that was calculated now or at the last renewal."""
        number = int(fields[0])
        recorded = {name: float(value) for name, value in (each.split("=") for each in fields[2:])}
        if recorded.get("site"):
            self.with_site_factor.add(number)
        if number in self.renewed:
            self.renewed.discard(number)
        else:
            has_age = number in self.considered or not self.rules.age_once_considered
            age = self._age(number, now) if has_age else 0
            self.waiting[number] = self._priority(number, age)
        recorded = {PARTS.get(name, name): value for name, value in recorded.items()}
        if "nice" in recorded:
            recorded["nice"] *= -1
        priority = self.waiting[number]
        return Compared(now, number, int(fields[1]), priority, recorded, self.parts[number])

    def _age(self, number: int, now: float) -> int:
        return int(now) - self.recording.jobs[number].job.submit

    def _priority(self, number: int, age: int) -> int:
        job = self.recording.jobs[number].job
        if number not in self.with_site_factor and self.rules.later_site_factor:
            job = dataclasses.replace(job, site_factor=0)
        fair_share = self.shares.factor(job) if self.shares else 0.0
        self.parts[number] = self.multifactor.parts(job, age, fair_share)
        return self.multifactor.priority(job, age, fair_share)


def renewal_instants(events: list[str]) -> list[int]:
    """Return the instants of the renewals, which the log may report slightly late.

    If the seconds between renewals are recorded, they correct the instants in the log.
    """
    words = [line.split() for line in events if line.split()[1] == "renew"]
    logged = [int(float(each[0])) for each in words]
    if not words or len(words[0]) < 3:
        return logged
    passed = [0]
    for each in words[1:]:
        passed.append(passed[-1] + int(each[2]))
    first = min(instant - since for instant, since in zip(logged, passed, strict=True))
    return [first + since for since in passed]
