"""Ratios of run time to requested time, sampled from the log's jobs with similar requests.

A job that requested 4 h and has already run for 3 h cannot end after half an hour. Only ratios
above 3/4 are therefore sampled for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from slotwise.trace import Trace

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

CLASSES = (900, 3600, 4 * 3600, 12 * 3600)
"""Upper bounds of the classes of requested time, seconds; the last class has no upper bound."""
LEAST_JOBS = 30
"""Smallest number of jobs in a class; smaller classes use the ratios of all jobs."""


@dataclass(frozen=True)
class RunRatios:
    """The ratios of run time to requested time in each class of jobs, ascending.

    Attributes
    ----------
    by_class : tuple of (n_class,) float64
    """

    by_class: tuple[Floats, ...]

    @classmethod
    def of(cls, trace: Trace) -> RunRatios:
        """Compute the ratios of a log's jobs; for an empty log, the only ratio is 1."""
        asked = np.maximum(trace.requested_time, 1)
        ratio = np.minimum(trace.run_time / asked, 1.0)
        found = np.searchsorted(CLASSES, trace.requested_time, side="left")
        every = np.sort(ratio) if len(ratio) else np.ones(1)
        by_class = []
        for number in range(len(CLASSES) + 1):
            own = np.sort(ratio[found == number])
            by_class.append(own if len(own) >= LEAST_JOBS else every)
        return cls(tuple(by_class))

    def draw(self, requested: Ints, elapsed: Ints, random: Generator) -> Ints:
        """Sample a run time for each job, seconds.

        Parameters
        ----------
        requested, elapsed : (n_jobs,) int64, seconds
            Request and elapsed run time of each job.
        random : numpy.random.Generator
            One random number is drawn per job.

        Returns
        -------
        (n_jobs,) int64
            Above `elapsed` for a running job. At most the request, unless `elapsed` has reached it.
        """
        uniform = random.random(len(requested))
        run = np.empty(len(requested), np.int64)
        number = np.searchsorted(CLASSES, requested, side="left")
        for each, ratios in enumerate(self.by_class):
            rows = np.flatnonzero(number == each)
            if not len(rows):
                continue
            asked = np.maximum(requested[rows], 1)
            # Find the first ratio that is above the elapsed share of the request. If there is none,
            # the job takes its full request.
            first = np.searchsorted(ratios, elapsed[rows] / asked, side="right")
            first[elapsed[rows] == 0] = 0
            place = first + np.floor(uniform[rows] * (len(ratios) - first)).astype(np.int64)
            beyond = first >= len(ratios)
            drawn = np.where(beyond, 1.0, ratios[np.minimum(place, len(ratios) - 1)])
            run[rows] = np.rint(drawn * requested[rows])
        return np.where(elapsed > 0, np.maximum(run, elapsed + 1), run)
