"""Instants of the main scheduler's passes, compared with rule 3 of docs/slurm_rules.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.slurm.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slurm.case import Case

WHOLE_SECOND = 1.1
"""Seconds by which a pass may precede its instant: Slurm compares whole seconds."""
DELAYED = 2.0
"""Largest normal delay of a pass, in seconds: Slurm polls every second. The log also reports free
nodes up to 2 s late."""


class Passes:
    """Passes that run earlier or later than the rule says; `count` is the number of all passes.

    A pass in `early` has no cause, or runs before its cause allows it. `late` lists the passes that
    run too late after their cause. `early_full` lists the full passes that run before
    `sched_interval` has passed. Passes before the first submission do not count.
    """

    def __init__(self, case: Case, rules: Rules | None = None) -> None:
        self.given = case.parameters
        self.rules = rules or Rules()
        self.early: list[float] = []
        self.late: list[float] = []
        self.early_full: list[float] = []
        self.count = 0
        # With an Epilog, a pass runs as soon as the nodes of a job are free. Without one, nodes are
        # free when they answer the message that ends their job, which only requests a pass.
        by_epilog = case.parameters.has_epilog
        self.at_once = by_epilog if self.rules.passes_after_epilogs else not by_epilog
        self.freed: list[float] = []  # instants of "free" events that cause a pass at once
        self.requested: float | None = None
        self.last_full = self.last_pass = self.last_request = float("-inf")
        self._follow(list(causes_and_passes(case)))

    def _follow(self, events: list[tuple[float, str]]) -> None:
        taken: set[int] = set()
        has_jobs = False
        for place, (instant, kind) in enumerate(events):
            has_jobs = has_jobs or kind == "submit"
            if kind in ("submit", "free"):
                if place not in taken:
                    self._cause(instant, kind)
                continue
            self.count += has_jobs
            is_due = instant >= self.last_full + self.given.sched_interval - WHOLE_SECOND
            if kind == "full" or (kind == "held" and is_due):
                self._full(instant, has_jobs=has_jobs)
            elif not self._is_explained(instant):
                soon = self._frees_reported_late(events, place, taken)
                if soon is not None:
                    taken.add(soon)
                elif has_jobs:
                    self.early.append(instant)
            self.last_pass = instant

    def _cause(self, instant: float, kind: str) -> None:
        counts = self.rules.passes_at_ends if kind == "free" else self.rules.passes_at_submissions
        if counts and kind == "free" and self.at_once:
            self.freed.append(instant)
        elif counts and self.requested is None:
            self.requested = instant

    def _full(self, instant: float, *, has_jobs: bool) -> None:
        last = self.last_full if self.rules.interval_of_full_passes else self.last_pass
        if has_jobs and instant < last + self.given.sched_interval - WHOLE_SECOND:
            self.early_full.append(instant)
        self.last_full = self.last_request = instant
        self.requested = None

    def _is_explained(self, instant: float) -> bool:
        """Return True if a cause allows this pass, and use up the cause."""
        if self.freed:
            first = self.freed[0]
            self.freed = []
            if instant > first + DELAYED:
                self.late.append(instant)
            return True
        due = self._due()
        if due is None or instant < due - WHOLE_SECOND:
            return False
        if instant > due + DELAYED:
            self.late.append(instant)
        self.requested, self.last_request = None, instant
        return True

    def _due(self) -> float | None:
        """Return the instant from which the requested pass may run."""
        if self.requested is None:
            return None
        delay = self.given.batch_sched_delay
        if not self.rules.delay_after_request:
            return max(self.requested, self.last_pass + delay)
        return max(self.requested, self.last_request + delay)

    def _frees_reported_late(
        self, events: list[tuple[float, str]], place: int, taken: set[int]
    ) -> int | None:
        """Return the index of a "free" event that was logged after the pass that it caused."""
        instant = events[place][0]
        is_allowed = self.at_once or instant >= self.last_request + self.given.batch_sched_delay
        for at in range(place + 1, len(events)):
            if events[at][0] > instant + DELAYED or not is_allowed:
                break
            if events[at][1] == "free" and at not in taken and self.rules.passes_at_ends:
                return at
        return None


def causes_and_passes(case: Case) -> Iterator[tuple[float, str]]:
    """Yield the instants of submissions, "free" events and passes, in order.

    A job is "free" at the instant at which the last of its nodes becomes free. Passes are "full",
    "depth", or "held" if they were skipped.
    """
    completing: dict[int, int] = {}
    for line in case.recording.events:
        instant, kind, *fields = line.split()
        if kind == "end":
            completing[int(fields[0])] = case.recording.jobs[int(fields[0])].nodes
        elif kind == "free":
            node = 1 << int(fields[0]) - 1
            job = next((job for job, nodes in completing.items() if nodes & node), None)
            if job is not None:
                completing[job] &= ~node
                if not completing[job]:
                    del completing[job]
                    yield float(instant), "free"
        elif kind == "main":
            yield float(instant), fields[0]
        elif kind in ("submit", "held"):
            yield float(instant), kind
