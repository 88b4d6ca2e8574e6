"""Number of intervals that contain a given time, and the sum of their widths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]


class Occupancy:
    """Intervals [start, end), each with a width; count and total width can be found for any time.

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
