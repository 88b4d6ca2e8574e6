"""Passes and cycles held back by completing jobs, compared with rule 13 of docs/slurm_rules.md."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from reference.slurm.rules import Rules

if TYPE_CHECKING:
    from slurm.case import Case

POLL = 1.1
"""Largest normal delay of a cycle after a hold, in seconds: Slurm checks every second."""


class Holds:
    """Steps of a recording with CompleteWait that contradict the rule.

    `ran` lists passes and cycles that ran although a job held them back. `skipped` lists passes
    that were skipped although no job held them back. `early` and `late` list cycles that were due
    during a hold, and began earlier or later than the rule says. `not_repeated` lists skipped
    passes that did not run after the hold.
    """

    def __init__(self, case: Case, rules: Rules | None = None) -> None:
        self.rules = rules or Rules()
        self.wait = case.parameters.complete_wait
        self.interval = case.parameters.bf_interval
        self.ran: list[float] = []
        self.skipped: list[float] = []
        self.early: list[float] = []
        self.late: list[float] = []
        self.not_repeated: list[float] = []
        self.delayed = 0
        self.completing: dict[int, int] = {}  # nodes of each job that are not free yet
        self.ends: dict[int, int] = {}
        self.released = self.stopped = -inf
        self.to_repeat: float | None = None
        for line in case.recording.events:
            instant, kind, *fields = line.split()
            self._event(case, float(instant), kind, fields)

    def _event(self, case: Case, now: float, kind: str, fields: list[str]) -> None:
        if kind == "end":
            job = int(fields[0])
            self.completing[job] = case.recording.jobs[job].nodes
            self.ends[job] = int(now)
        elif kind == "free":
            self._free(now, 1 << int(fields[0]) - 1)
        elif kind == "stop":
            self.stopped = now
        elif kind == "held" and not self._is_held(now):
            self.skipped.append(now)
        elif kind in ("main", "cycle") and self._is_held(now):
            self.ran.append(now)
        if kind == "cycle":
            self._compare(now)
        self._repeat(now, kind)

    def _free(self, now: float, node: int) -> None:
        for job, nodes in list(self.completing.items()):
            self.completing[job] = nodes & ~node
            if not self.completing[job]:
                del self.completing[job]
                self.released = max(self.released, min(now, self._until(job)))

    def _until(self, job: int) -> float:
        """Return the instant from which a completing job no longer holds back the schedulers."""
        if not self.rules.complete_wait:
            return -inf
        if not self.rules.bounded_wait:
            return inf
        return self.ends[job] + self.wait + self.rules.whole_last_second

    def _is_held(self, now: float) -> bool:
        return any(now < self._until(job) for job in self.completing)

    def _compare(self, now: float) -> None:
        """If a cycle came due during a hold, compare its beginning with the rule."""
        ends = [self._until(job) for job in self.completing]
        self.released = max([self.released, *(each for each in ends if each <= now)])
        due = self.stopped + self.interval
        if self.released <= due:
            return
        self.delayed += 1
        begin = self.released
        if not self.rules.delayed_cycles:  # a held cycle is tried again every interval
            begin = due + -((due - self.released) // self.interval) * self.interval
        if now < begin:
            self.early.append(now)
        elif now > begin + POLL:
            self.late.append(now)

    def _repeat(self, now: float, kind: str) -> None:
        """If skipped passes are to be repeated, expect each as soon as no job holds it back."""
        if self.rules.skipped_passes:
            return
        if kind == "held":
            self.to_repeat = now
        elif self.to_repeat is not None and not self._is_held(now):
            ends = [self._until(job) for job in self.completing]
            released = max([self.released, *(each for each in ends if each <= now)])
            if kind == "main" or now > released + POLL:
                if kind != "main":
                    self.not_repeated.append(self.to_repeat)
                self.to_repeat = None
