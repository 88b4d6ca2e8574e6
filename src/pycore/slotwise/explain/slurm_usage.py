"""The fractions of all usage that determine a fair share, recalculated at intervals as in Slurm.

The core's ``replay/usage/renewed_usage.hpp`` gives the rules. Here, usage is calculated by a
formula instead of renewal by renewal. Example: with a period of 300 s, a job that runs from 100 to
1000 adds usage at the renewals at 300, 600 and 900, and at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]
    Float64 = NDArray[np.float64]

_DECAY = 0.693  # Slurm's value of ln 2
_NEVER = 2**62


@dataclass(frozen=True)
class UsageHistory:
    """Starts and ends of jobs, and the times at which their usage is added.

    Attributes
    ----------
    start, end, processors : arrays
        One entry per job; a job that never started has a negative start.
    first, period : int
        Usage is recalculated every `period` seconds after `first`, the first submission.
    half_life : float
        0: usage does not decay.
    cleared : callable
        Returns the last reset at or before a time; a very early time if there is none.
    """

    start: Int64
    end: Int64
    processors: Int64
    first: int
    period: int
    half_life: float
    cleared: Callable[[int], int]

    def last_renewal(self, time: int) -> int:
        """Return the time of the last renewal at or before `time`, or `first` if there was none."""
        return self.first + (time - self.first) // self.period * self.period

    def before_renewal(self, renewal: int) -> Float64:
        """Return each job's usage at the beginning of a renewal, in a unit common to all jobs."""
        counted = np.full(len(self.start), renewal - self.period)
        return self._usage(renewal, counted, until=renewal)

    def since_renewal(self, renewal: int, until: int, up_to_job: int | None = None) -> Float64:
        """Return each job's usage after a renewal, in the unit of `before_renewal`.

        Usage that jobs add when they end is included up to `until`. If `up_to_job` is given, it is
        the row of the first job that the renewal has not yet updated.
        """
        counted = np.full(len(self.start), renewal)
        if up_to_job is not None:
            counted[up_to_job:] -= self.period
        return self._usage(renewal, counted, until)

    def _usage(self, renewal: int, counted: Int64, until: int) -> Float64:
        """Return the usage added at renewals up to `counted` and at ends of jobs up to `until`.

        Usage added at the end of a job decays from the last renewal before that end.
        """
        start, period = self.start, self.period
        begun = (start >= 0) & (start < until)
        end = np.where(self.end < 0, _NEVER, self.end)
        end = np.where(end <= until, end, _NEVER)  # later ends are not known yet
        after_start = self.first + ((start - self.first) // period + 1) * period
        before_end = self.first + ((end - 1 - self.first) // period) * period
        last = np.minimum(before_end, counted)
        cleared = self._cleared_at(renewal)
        # The first renewal after the start adds part of a period; later renewals add a full period.
        is_first = begun & (after_start <= last) & (after_start >= cleared)
        found = np.where(is_first, self._added(start, after_start, after_start, renewal), 0.0)
        following = np.maximum(after_start + period, cleared)
        n_following = np.where(begun, np.maximum((last - following) // period + 1, 0), 0)
        found += self._of_periods(n_following, last, renewal)
        previous = np.maximum(start, before_end)
        ended = begun & (end <= until) & (end > cleared)
        found += np.where(ended, self._added(previous, end, before_end, renewal), 0.0)
        return np.asarray(found * self.processors, dtype=np.float64)

    def _cleared_at(self, renewal: int) -> int:
        """Return the renewal at which the last reset took effect."""
        reset = self.cleared(renewal)
        if reset <= self.first:
            return self.first - self.period
        return self.first - (self.first - reset) // self.period * self.period

    def _added(self, begin: Int64, end: Int64, at: Int64, renewal: int) -> Float64:
        seconds = (end - begin).astype(np.float64)
        return seconds * self._left(seconds) * self._left(renewal - at)

    def _of_periods(self, n: Int64, last: Int64, renewal: int) -> Float64:
        """Return the usage per processor added at `n` renewals, the last of them at `last`."""
        each = self._left(self.period)
        total = (1 - each**n) / (1 - each) if each < 1 else n
        return self.period * each * self._left(renewal - last) * total

    def _left(self, seconds: Float64 | Int64 | int) -> Float64:
        """Return the fraction of usage that remains after `seconds` of decay."""
        per_second = max(1 - _DECAY / self.half_life, 0.0) if self.half_life else 1.0
        return np.power(per_second, np.maximum(seconds, 0, dtype=np.float64))
