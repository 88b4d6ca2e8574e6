"""The intervals in which jobs ran, including failed attempts: one row per run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.explain.occupancy import Occupancy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]
    Bools = NDArray[np.bool_]


class RunIntervals:
    """Runs of jobs, one per row; pool is -1 for a run in several pools or in none.

    Parameters
    ----------
    job, start, end, pool, processors : (n,) int64
    """

    def __init__(self, job: Int64, start: Int64, end: Int64, pool: Int64, width: Int64) -> None:
        self.job, self.start, self.end, self.pool, self.processors = job, start, end, pool, width

    def where(self, mask: Bools) -> RunIntervals:
        """Select the rows at which a mask is true."""
        columns = (self.job, self.start, self.end, self.pool, self.processors)
        return RunIntervals(*(column[mask] for column in columns))

    def meeting(self, begin: int, end: int) -> RunIntervals:
        """Select runs of positive length that overlap [begin, end)."""
        lasting = self.end > self.start
        return self.where(lasting & (self.end > begin) & (self.start < end))

    def occupancy(self) -> Occupancy:
        """Count the runs and their processors over time."""
        return Occupancy(self.start, self.end, self.processors)


def run_intervals_of(result: ReplayData) -> RunIntervals:
    """List every run with all its processors."""
    every = result.attempts
    return RunIntervals(
        every["job"],
        every["start"],
        every["end"],
        every["pool"].astype(np.int64),
        result.trace.processors[every["job"]],
    )


def by_pool(result: ReplayData, runs: RunIntervals) -> RunIntervals:
    """List every run with its processors in its pool; a run in several pools has a row for each."""
    spans = result.schedule.spans()
    rows = list(zip(spans["job"].tolist(), spans["start"].tolist(), strict=True))
    ends = {
        (job, start): end
        for job, start, end in zip(
            runs.job.tolist(), runs.start.tolist(), runs.end.tolist(), strict=True
        )
    }
    known = np.array([row in ends for row in rows], dtype=bool)
    end = np.array([ends.get(row, -1) for row in rows], dtype=np.int64)
    pool = spans["pool"].astype(np.int64)
    parts = RunIntervals(spans["job"], spans["start"], end, pool, spans["processors"]).where(known)
    whole = runs.where(runs.pool >= 0)
    return RunIntervals(
        np.concatenate([whole.job, parts.job]),
        np.concatenate([whole.start, parts.start]),
        np.concatenate([whole.end, parts.end]),
        np.concatenate([whole.pool, parts.pool]),
        np.concatenate([whole.processors, parts.processors]),
    )
