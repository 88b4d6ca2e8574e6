"""A replay that computes usage, fair share and priorities from the starts it simulates."""

from __future__ import annotations

import heapq
from dataclasses import replace
from typing import TYPE_CHECKING

from reference.slurm.multifactor import Multifactor
from reference.slurm.replay import END, SUBMIT, Replay, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference.slurm.fair_share import FairShare
    from reference.slurm.job import Job
    from reference.slurm.state import State

RENEW = 6


class RenewedRun(Run):
    """A run that sets priorities at submission, and renews them every `period` from `first` on.

    Without `first`, the caller adds the renewals to the events.
    """

    def __init__(
        self, replay: Replay, jobs: Sequence[Job], fair_share: FairShare, first: int | None = None
    ) -> None:
        super().__init__(replay, jobs)
        weights = replay.parameters.multifactor
        assert weights is not None
        self.fair_share = fair_share
        self.period = weights.period if first is not None else 0
        self.multifactor = Multifactor(replay.machine, weights, replay.rules)
        self.priorities: dict[int, int] = {}
        self.sized: Callable[[Job], Job] = lambda job: job  # sets the size used in priorities
        if first is not None:
            self.push(first, RENEW, first)

    def handle_next(self) -> tuple[float, int]:
        """Handle the earliest event; set priorities at submissions, and count usage at job ends."""
        now, kind, number = self.events[0]
        if kind == RENEW:
            heapq.heappop(self.events)
            self._renew(number)
            return now, kind
        if kind == END:
            self.fair_share.count(self.running[number], int(now))
        handled = super().handle_next()
        if kind == SUBMIT and not self.fair_share.rules.renewed_usage:
            self.fair_share.follow(self.running.values(), int(now))
        if kind == SUBMIT:
            self.priorities[number] = self._priority(self.jobs[number], 0)
        return handled

    def _renew(self, now: int) -> None:
        self.fair_share.begin_renewal(now)
        for number in sorted(self.running.keys() | self.waiting.keys()):
            if number in self.running:
                self.fair_share.count(self.running[number], now)
            else:
                job = self.waiting[number]
                self.priorities[number] = self._priority(job, now - job.submit)
        is_needed = self.waiting or self.running or any(e[1] == SUBMIT for e in self.events)
        if self.period and is_needed:
            self.push(now + self.period, RENEW, now + self.period)

    def _priority(self, job: Job, age: int) -> int:
        factor = self.fair_share.factor(job)
        return self.multifactor.priority(self.sized(job), age, factor)

    def _state(self, now: float) -> State:
        priorities = {number: float(self.priorities[number]) for number in self.waiting}
        return replace(super()._state(now), priority=priorities)
