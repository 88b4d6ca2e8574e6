"""Priorities over time in a recording with one-second resolution and known renewal times."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from reference.slurm.fair_share import FairShare, Shares
from reference.slurm.multifactor import Multifactor
from reference.slurm.rules import Rules
from reference.slurm.running import Running

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Weights
    from slurm.recording import Recorded, Recording


class PriorityHistory:
    """Priorities computed from submissions and ends, and renewed periodically after `first`."""

    def __init__(
        self, recording: Recording, machine: Machine, weights: Weights, shares: Shares, first: int
    ) -> None:
        self.jobs = sorted(recording.jobs.values(), key=lambda each: each.job.number)
        self.multifactor = Multifactor(machine, weights, Rules())
        self.shares = FairShare(shares, weights.half_life, weights.damping)
        self.instants: list[int] = []
        self.priorities: list[dict[int, int]] = []
        last = max(each.end for each in self.jobs)
        events: list[tuple[int, int, Recorded | None]] = [
            (instant, 1, None) for instant in range(first, last, weights.period)
        ]
        events += [(each.end, 0, each) for each in self.jobs]
        events += [(each.job.submit, 2, each) for each in self.jobs]
        for instant, kind, each in sorted(events, key=lambda event: event[:2]):
            self._apply(instant, kind, each)

    def at(self, job: Job, now: int) -> float:
        """Return the priority of a waiting job, or 0 before its submission."""
        place = bisect_right(self.instants, now) - 1
        return float(self.priorities[place].get(job.number, 0)) if place >= 0 else 0.0

    def _apply(self, instant: int, kind: int, each: Recorded | None) -> None:
        known = dict(self.priorities[-1]) if self.priorities else {}
        if each is None:
            self._renew(instant, known)
        elif kind == 0:
            self.shares.count(_running(each), instant)
        else:
            factor = self.shares.factor(each.job)
            known[each.job.number] = self.multifactor.priority(each.job, 0, factor)
        self.instants.append(instant)
        self.priorities.append(known)

    def _renew(self, now: int, known: dict[int, int]) -> None:
        self.shares.begin_renewal(now)
        for each in self.jobs:
            if each.start <= now < each.end:
                self.shares.count(_running(each), now)
            elif each.job.submit <= now < each.start:
                factor = self.shares.factor(each.job)
                age = now - each.job.submit
                known[each.job.number] = self.multifactor.priority(each.job, age, factor)


def _running(each: Recorded) -> Running:
    return Running(each.job, each.start, each.nodes, 0)
