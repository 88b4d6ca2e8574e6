"""Measures of a replayed batch: waits by queue, and load over the two-hour window."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from slotwise.studies.dispatch.sites import QUEUES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.studies.dispatch.sites import DispatchSite
    from slotwise.trace import Trace

    Int64 = NDArray[np.int64]

WINDOW = 7200
"""Seconds over which averages are computed: the batch's window (section 4.1)."""

BINS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0)
"""Exclusive lower bounds of the bins for waits divided by the expected wait (Figures 2b, 4b, 6b);
each bin extends to the next bound. Jobs that do not wait are not counted."""

BIN_NAMES = (*(f"{low:g} to {high:g}" for low, high in pairwise(BINS)), f"above {BINS[-1]:g}")


@dataclass(frozen=True)
class Measures:
    """Waits and loads of a batch whose jobs start at the given times.

    Parameters
    ----------
    trace : Trace
        The batch, with demands.
    start : (n_jobs,) int64, seconds
    site : DispatchSite
        The replayed site.
    """

    trace: Trace
    start: Int64
    site: DispatchSite

    @property
    def wait(self) -> Int64:
        """Wait of each job in seconds."""
        return self.start - self.trace.submit

    def queue_times(self) -> dict[str, dict[str, float]]:
        """Return the mean wait of each queue, and its contribution to the overall mean."""
        found = {"all": dict.fromkeys(("contribution", "mean"), float(self.wait.mean()))}
        for number, name in enumerate(QUEUES[:3], 1):
            mine = self.wait[self.trace.queue == number]
            found[name] = {
                "contribution": float(mine.sum()) / len(self.wait),
                "mean": float(mine.mean()) if len(mine) else 0.0,
            }
        return found

    def loads(self) -> dict[str, float]:
        """Return the mean cores, GPUs, MICs and jobs in use over the window, as in Table 5."""
        demands = self.trace.demands
        assert demands is not None
        stay = np.clip(self._end, 0, WINDOW) - np.clip(self.start, 0, WINDOW)
        by_amount = {
            "cores": demands.processors,
            "GPUs": demands.units * demands.each["gpus"],
            "MICs": demands.units * demands.each["mics"],
            "jobs": np.ones_like(stay),
        }
        found = {name: float((stay * v).sum()) / WINDOW for name, v in by_amount.items()}
        found["cores (%)"] = 100 * found["cores"] / self.site.machine.count
        return found

    @property
    def _end(self) -> Int64:
        return self.start + np.minimum(self.trace.run_time, self.trace.requested_time)

    def histogram(self) -> list[int]:
        """Return the number of jobs in each bin of `BINS`."""
        ratio = self.wait / self.site.expected_waits(self.trace)
        bounds = [*BINS, np.inf]
        return [
            int(np.count_nonzero((ratio > low) & (ratio <= high))) for low, high in pairwise(bounds)
        ]

    def series(self) -> dict[str, tuple[Int64, Int64]]:
        """Return the running jobs, active cores and waiting jobs over time."""
        ones = np.ones(len(self.start), dtype=np.int64)
        return {
            "jobs running": _steps(self.start, self._end, ones),
            "cores active": _steps(self.start, self._end, self.trace.processors),
            "jobs waiting": _steps(self.trace.submit, self.start, ones),
        }

    def mean_over_window(self, name: str) -> float:
        """Average a series over the window."""
        time, value = self.series()[name]
        inside = np.clip(np.append(time, max(WINDOW, int(time[-1]))), 0, WINDOW)
        return float((np.diff(inside) * value).sum()) / WINDOW


def _steps(begin: Int64, end: Int64, amount: Int64) -> tuple[Int64, Int64]:
    times = np.concatenate([begin, end])
    changes = np.concatenate([amount, -amount])
    time, at = np.unique(times, return_inverse=True)
    change = np.zeros(len(time), dtype=np.int64)
    np.add.at(change, at, changes)
    return time, np.cumsum(change)
