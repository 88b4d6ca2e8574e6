"""Data for the bars and lines of a log's figures: classes of jobs, and usage over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

HOUR = 3600


@dataclass(frozen=True)
class Class:
    """A group of jobs in a figure, whose cores or hours are above `low` and up to `high`.

    Attributes
    ----------
    low, high : float
    jobs : int
    mean, median : float
        Mean and median of the jobs' waits or errors; NaN for a class without jobs.
    in_hours : bool
        True if `low` and `high` are hours; otherwise they are cores.
    """

    low: float
    high: float
    jobs: int
    mean: float
    median: float
    in_hours: bool = False

    @property
    def label(self) -> str:
        """Text under a bar; times below one hour are given in minutes."""
        if not self.in_hours:
            return f"{self.low:,.0f}–{self.high:,.0f}"
        if self.high < 1:
            return f"{60 * self.low:.3g}–{60 * self.high:.3g} min"
        low = f"{60 * self.low:.3g} min" if 0 < self.low < 1 else f"{self.low:.3g}"
        return f"{low}–{self.high:.4g} h"


@dataclass(frozen=True)
class Usage:
    """Cores in use over time, as a step function: each value applies until the next time.

    Attributes
    ----------
    time : (n,) float64, hours from the first submit time
    cores : (n,) int64
    machine : int
    """

    time: NDArray[np.float64]
    cores: NDArray[np.int64]
    machine: int

    def mean(self, begin: float, end: float) -> float:
        """Return the mean number of cores in use between two times, given in hours."""
        return float(self.hourly(begin, end, 1)[0])

    def hourly(self, begin: float, end: float, parts: int) -> NDArray[np.float64]:
        """Divide a period into equal parts; return the mean number of cores in use in each."""
        work = np.concatenate([[0.0], np.cumsum(self.cores[:-1] * np.diff(self.time))])
        bounds = np.linspace(begin, end, parts + 1)
        at = np.clip(np.searchsorted(self.time, bounds, side="right") - 1, 0, None)
        done = work[at] + self.cores[at] * np.maximum(bounds - self.time[at], 0)
        return np.asarray(np.diff(done) / np.diff(bounds))
