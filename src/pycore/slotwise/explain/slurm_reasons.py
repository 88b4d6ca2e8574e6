"""The reason for waiting at each instant under Slurm's schedulers, taken from their plans.

The replay is repeated up to the start of the job, and each backfill cycle records why the job does
not start. Example: job 9 is waiting, and the cycle at 60 plans job 7 on nodes that job 9 needs.
From then on, the reason is ``plan``, until a later cycle finds another reason.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import slurm_notes
from slotwise.explain.explanation import REASONS, PlanHeld
from slotwise.explain.node_reasons import NodeWait
from slotwise.explain.reasons import Wait
from slotwise.replay.warnings.slurm import slurm_parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.explain.explanation import Reason

    Int64 = NDArray[np.int64]
    Bools = NDArray[np.bool_]

_NAMES: tuple[Reason, ...] = ("untested", "nodes", "plan")
_BEFORE: tuple[Reason, ...] = ("not eligible", "limit", "dependency")
"""Reasons why neither scheduler considers a job."""


class SlurmWait(NodeWait):
    """The wait of one job under the ``slurm`` backfill."""

    @cached_property
    def notes(self) -> list[tuple[int, str, int]]:
        """Reasons noted in backfill cycles: time, name and, for a plan, the planned job's row."""
        return slurm_notes(self.result.trace._jobs, self.core, self.job)

    @cached_property
    def _note_at(self) -> Int64:
        """Return the index in `notes` of the reason at each instant, or -1 before the first one."""
        begins = np.array([begin for begin, _, _ in self.notes], dtype=np.int64)
        return np.searchsorted(begins, self.times, side="right") - 1

    def _instants(self) -> Int64:
        begins = [begin for begin, _, _ in self.notes if self.submit <= begin < self.start]
        return np.union1d(super()._instants(), np.array(begins, dtype=np.int64))

    def _ready(self) -> int | None:
        """Return when the job's last dependency was met and that dependency's epilog had ended."""
        ended = super()._ready()
        epilog = int(slurm_parameters(self.result.site)["epilog_time"])
        return ended if ended is None else ended + epilog

    def _holding(self) -> dict[Reason, Bools]:
        never = np.zeros(len(self.times), dtype=bool)
        held: dict[Reason, Bools] = dict.fromkeys(REASONS, never)
        held |= {name: marks for name, marks in Wait._holding(self).items() if name in _BEFORE}
        names = np.array([name for _, name, _ in self.notes] or ["nodes"])[self._note_at]
        is_noted = self._note_at >= 0
        for name in _NAMES:
            held[name] = is_noted & (names == name)
        lacks_nodes = ~is_noted | held["nodes"]
        held["pass"] = lacks_nodes & (self._missing <= 0)
        held["nodes"] = lacks_nodes & (self._missing > 0)
        return held

    @cached_property
    def _planned(self) -> list[tuple[int, int, int]]:
        """Row, delay and first instant of each plan that delayed the job, longest delay first."""
        lasting = np.diff(self.times, append=self.start)
        is_plan = self._first == list(REASONS).index("plan") if len(self.times) else lasting > 0
        seconds: dict[int, int] = {}
        first: dict[int, int] = {}
        times, notes = self.times[is_plan].tolist(), self._note_at[is_plan].tolist()
        for time, note, length in zip(times, notes, lasting[is_plan].tolist(), strict=True):
            row = self.notes[note][2]
            seconds[row] = seconds.get(row, 0) + length
            first.setdefault(row, time)
        ranked = sorted(seconds.items(), key=lambda item: (-item[1], item[0]))
        return [(row, length, first[row]) for row, length in ranked]

    def plans(self) -> tuple[PlanHeld, ...]:
        """Return the jobs whose plans delayed the job, the longest delay first."""
        ids = self.result.trace.job_id
        return tuple(PlanHeld(int(ids[row]), length) for row, length, _ in self._planned)

    def planned_from(self) -> dict[int, int]:
        """Return when each plan first delayed the job, by the row of the planned job."""
        return {row: first for row, _, first in self._planned}
