"""The runs recorded in a log: jobs with a start time, and the processors in use over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise.errors import TraceError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.trace import Trace

    Int64 = NDArray[np.int64]


class Runs(NamedTuple):
    """The logged start and end of each job; both are -1 for a job without a logged start.

    Attributes
    ----------
    started : (n_jobs,) bool
    start, end : (n_jobs,) int64, seconds on the trace's clock
    """

    started: NDArray[np.bool_]
    start: Int64
    end: Int64


def runs_of(trace: Trace) -> Runs:
    """Return the runs of a log.

    Raises
    ------
    TraceError
        For a log without start times.
    """
    started = trace.wait >= 0
    if not started.any():
        raise TraceError(
            f"none of its {len(trace):,} jobs has a logged start, so no capacity can be inferred; "
            "use a log with start times, or write the site file yourself, based on the output of "
            "slotwise site show --defaults",
            path=trace.source,
        )
    start = np.where(started, trace.submit + trace.wait, -1)
    return Runs(started, start, np.where(started, start + trace.run_time, -1))


class Level(NamedTuple):
    """Processors in use over time: row i applies from ``time[i]`` to ``time[i + 1]``."""

    time: Int64
    used: Int64

    @property
    def peak(self) -> int:
        """The peak number of processors in use."""
        return int(self.used.max(initial=0))

    def share_above(self, most: int) -> float:
        """Return the share of the time with more than `most` processors in use."""
        lasted = np.diff(self.time, append=self.time[-1])
        return float(lasted[self.used > most].sum() / max(int(lasted.sum()), 1))


def level_of(trace: Trace, runs: Runs) -> Level:
    """Return the processors in use over the time that a log covers."""
    ran = np.flatnonzero(runs.started)
    time = np.concatenate([runs.start[ran], runs.end[ran]])
    change = np.concatenate([trace.processors[ran], -trace.processors[ran]])
    instants, row = np.unique(time, return_inverse=True)
    changes = np.zeros(len(instants), dtype=np.int64)
    np.add.at(changes, row, change)
    return Level(instants, np.cumsum(changes))
