"""Columns of a text file as the core reads them, before they become columns of a trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.trace.header import decode

if TYPE_CHECKING:
    from numpy.typing import NDArray

MISSING = -(2**63)
"""Value that replaces a cell that is empty or contains a word for a missing value."""

UNREADABLE = MISSING + 1
"""Value that replaces a cell of the wrong kind, such as text in a column of numbers."""


@dataclass(frozen=True)
class CellFault:
    """The number of cells or lines with the same fault, the first line numbers, and an example."""

    count: int = 0
    lines: tuple[int, ...] = ()
    example: str = ""
    length: int = 0

    @classmethod
    def of(cls, told: tuple[int, list[int], bytes, int]) -> CellFault:
        """Create a fault from the tuple that the core returns."""
        return cls(told[0], tuple(told[1]), decode(told[2]), told[3])


@dataclass
class RawColumn:
    """One column of a text file.

    Attributes
    ----------
    values : (n_rows,) int64, float64, or int32 codes from 0 if there are `words`
    words : list of str or None
        The word for each code.
    extra : (n_rows,) int8, or empty
        For sizes, 1 means per core and 2 means per node. For job numbers, 1 means a job step. For
        times, 1 means that the time has a zone.
    tasks : (n_rows,) int64, or empty
        For job numbers: the task of an array, -1 for none, -2 for several, -2 - k for several of
        which at most k run at once.
    unreadable : CellFault
    """

    values: NDArray[Any]
    words: list[str] | None = None
    extra: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    tasks: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    unreadable: CellFault = field(default_factory=CellFault)

    @classmethod
    def of(cls, told: dict[str, Any]) -> RawColumn:
        """Create a column from the dict that the core returns."""
        words = [decode(word) for word in told["words"]] if "words" in told else None
        fault = CellFault.of(told["unreadable"])
        return cls(told["values"], words, told["extra"], told["tasks"], fault)

    def take(self, rows: NDArray[Any]) -> RawColumn:
        """Return the chosen rows."""
        extra = self.extra[rows] if len(self.extra) else self.extra
        tasks = self.tasks[rows] if len(self.tasks) else self.tasks
        return RawColumn(self.values[rows], self.words, extra, tasks, self.unreadable)

    @property
    def is_known(self) -> NDArray[np.bool_]:
        """True for each row with a readable value."""
        least = -1 if self.words is not None else UNREADABLE
        known: NDArray[np.bool_] = self.values > least
        if self.values.dtype.kind == "f":
            known &= np.isfinite(self.values)
        return known


@dataclass
class RawTable:
    """The columns of one file, the line number of each row, and the faulty lines.

    Identical lines have the same hash in `hashes`, which is empty unless the dialect requires it.
    """

    columns: list[RawColumn]
    lines: NDArray[np.int64]
    too_few: CellFault
    too_many: CellFault
    open_quote: int
    hashes: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
