"""Keeps track of the rows of a log that become jobs, and counts the dropped ones by reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.trace.report import ReadingFault, make_fault

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.formats.text.raw_columns import CellFault

_LINES_KEPT = 10


class RowsKept:
    """Rows that have not been dropped, and the faults found so far.

    Parameters
    ----------
    lines : (n_rows,) int64
        Line of each row in its file.
    """

    def __init__(self, lines: NDArray[np.int64]) -> None:
        self.lines = lines
        self.mask: NDArray[np.bool_] = np.ones(len(lines), dtype=np.bool_)
        self._found: dict[str, ReadingFault] = {}

    @property
    def faults(self) -> list[ReadingFault]:
        """The rows dropped and repaired so far, one entry per reason."""
        return list(self._found.values())

    def drop(self, reason: str, wrong: NDArray[np.bool_], example: str = "") -> None:
        """Drop rows for one reason; rows already dropped are not counted again."""
        self.note(reason, wrong, example)
        self.mask &= ~wrong

    def note(self, reason: str, odd: NDArray[np.bool_], example: str = "") -> None:
        """Count the rows with a fault, without dropping them."""
        rows = np.flatnonzero(odd & self.mask)
        if len(rows):
            first = self.lines[rows[:_LINES_KEPT]].tolist()
            self._add(reason, len(rows), first, example)

    def add(self, reason: str, fault: CellFault, example: str) -> None:
        """Record a fault found by the text reader."""
        if fault.count:
            self._add(reason, fault.count, list(fault.lines), example)

    def _add(self, reason: str, count: int, lines: list[int], example: str) -> None:
        before = self._found.get(reason)
        if before is not None:
            count += before.count
            lines = sorted({*before.lines, *lines})[:_LINES_KEPT]
            example = before.example
        self._found[reason] = make_fault(reason, count, lines, example)
