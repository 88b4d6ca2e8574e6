"""Number of jobs present at a time, and the number of their processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]


class Occupancy:
    """Intervals [start, end) with widths, counted at any times.

    Parameters
    ----------
    start, end, width : (n,) int64
    """

    def __init__(self, start: Int64, end: Int64, width: Int64) -> None:
        begun, over = np.argsort(start, kind="stable"), np.argsort(end, kind="stable")
        self._start, self._end = start[begun], end[over]
        self._begun = np.concatenate([[0], np.cumsum(width[begun])])
        self._over = np.concatenate([[0], np.cumsum(width[over])])

    def count(self, times: Int64) -> Int64:
        """Count the intervals at each time."""
        begun = np.searchsorted(self._start, times, "right")
        return begun - np.searchsorted(self._end, times, "right")

    def width(self, times: Int64) -> Int64:
        """Sum the widths of the intervals at each time."""
        begun = self._begun[np.searchsorted(self._start, times, "right")]
        total: Int64 = begun - self._over[np.searchsorted(self._end, times, "right")]
        return total
