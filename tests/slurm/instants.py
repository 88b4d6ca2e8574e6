"""Instants of backfill cycles in a recording, compared with rule 4 of docs/slurm_rules.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.slurm.rules import Rules

if TYPE_CHECKING:
    from slurm.case import Case

LATE = 1.2
"""Largest normal delay of a cycle, in seconds: Slurm polls every second, and the lab's clock runs
60 times as fast as real time."""
CHANGES = ("submit", "start", "end", "free")


class Cycles:
    """Cycles after the first submission that begin early, late, or on time.

    Each cycle may begin `bf_interval` after the previous one ended, or at the first change of state
    after that. `unlogged` lists cycles that begin later without a change in the recording. Most of
    them follow a full pass of the main scheduler or a recalculation of priorities, which may change
    the state.
    """

    def __init__(self, case: Case, rules: Rules | None = None) -> None:
        self.interval = case.parameters.bf_interval
        self.rules = rules or Rules()
        self.count = 0
        self.early: list[float] = []
        self.late: list[float] = []
        self.unlogged: list[float] = []
        began = ended = None
        has_jobs = False
        changes: list[float] = []
        for line in case.recording.events:
            words = line.split()
            instant, kind = float(words[0]), words[1]
            has_jobs = has_jobs or kind == "submit"
            if kind == "cycle":
                since = ended if self.rules.interval_after_end else began
                if since is not None and has_jobs:
                    self._compare(instant, since + self.interval, changes)
                began, changes = instant, []
            elif kind == "stop":
                ended = instant
            elif kind in CHANGES:
                changes.append(instant)

    def _compare(self, instant: float, due: float, changes: list[float]) -> None:
        self.count += 1
        if instant < due:
            self.early.append(instant)
        if instant <= due + LATE:
            return
        after = [change for change in changes if change > due]
        if not after and self.rules.quiet_cycles:
            self.unlogged.append(instant)
        elif not self.rules.quiet_cycles or instant > after[0] + LATE:
            self.late.append(instant)
