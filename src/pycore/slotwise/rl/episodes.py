"""Episodes: which jobs of a trace an environment replays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._numbers import whole
from slotwise.errors import TraceError
from slotwise.written_values import shown

if TYPE_CHECKING:
    from slotwise.trace import Trace


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode: rows [first, last) of a trace, after a warm-up that begins at `warm_from`."""

    first: int
    last: int
    warm_from: int


@dataclass(frozen=True, slots=True)
class Windows:
    """The rule by which episodes are chosen.

    Attributes
    ----------
    jobs, seconds : int or None
        Length of an episode; if both are None, the whole trace.
    warm_up : int
        Number of preceding jobs that are replayed under the policy before the episode.
    """

    jobs: int | None
    seconds: int | None
    warm_up: int

    def draw(
        self, trace: Trace, processors: int, dice: np.random.Generator, options: dict[str, Any]
    ) -> Episode:
        """Choose the whole trace, or an episode that begins at a random job that fits the machine.

        `options` may give the rows ``first`` and ``last`` (exclusive) instead.

        Raises
        ------
        TraceError
            If no job fits the machine.
        ValueError
            For rows that the trace does not have.
        """
        if {"first", "last"} & options.keys():
            return self._given(trace, options)
        fitting = np.flatnonzero(trace.processors <= processors)
        if len(fitting) == 0:
            msg = f"no job in the trace fits on {processors} processors; nothing can be scheduled"
            raise TraceError(msg, path=trace.source)
        first, last = 0, len(trace)
        if self.jobs is not None:
            starts = fitting[fitting <= max(len(trace) - self.jobs, fitting[0])]
            first = int(starts[dice.integers(len(starts))])
            last = min(first + self.jobs, len(trace))
        elif self.seconds is not None:
            latest = trace.submit[-1] - self.seconds
            starts = fitting[trace.submit[fitting] <= max(latest, trace.submit[fitting[0]])]
            first = int(starts[dice.integers(len(starts))])
            last = int(np.searchsorted(trace.submit, trace.submit[first] + self.seconds))
        return Episode(first, last, max(0, first - self.warm_up))

    def _given(self, trace: Trace, options: dict[str, Any]) -> Episode:
        first, last = whole(options.get("first", 0)), whole(options.get("last", len(trace)))
        if first is None or last is None or not 0 <= first < last <= len(trace):
            msg = (
                f"reset() got the options {shown(options)}; set first and last to rows of the "
                f"trace with 0 <= first < last <= {len(trace):,}"
            )
            raise ValueError(msg)
        return Episode(first, last, max(0, first - self.warm_up))
