"""Compares a replay with the log's own schedule, and finds possible causes of differences.

Example: the log's mean wait is 2:06:00 and the replay's 0:28:00; no user ran more than 5 jobs at
once in the log, but one ran 37 in the replay. A limit per user is then among the possible causes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import Schedule
from slotwise.replay.metrics import metrics_of
from slotwise.replay.replay_data import ReplayData
from slotwise.replay.state import State
from slotwise.result.baseline_causes import Cause, causes_of

if TYPE_CHECKING:
    from slotwise.trace import Trace

COMPARED = (
    "mean_eligible_wait", "mean_wait", "utilisation", "mean_queue_length", "loss_of_capacity",
)  # fmt: skip
"""Metrics that are compared between a log and its replay, if both have them."""

_LEAST_WAIT, _LEAST_WAIT_SHARE = 60, 0.01
"""A difference in mean waits matters if it exceeds this number of seconds and this share of the
log's mean wait."""
_LEAST_SHARE = 0.01
"""Smallest difference that matters in a share of the machine, such as the utilisation."""


@dataclass(frozen=True)
class Baseline:
    """A replay compared with the schedule in its log.

    Attributes
    ----------
    n_jobs : int
        Number of jobs with a start in the log.
    logged, replayed : dict of str to float
        The metrics that are compared, by name. Those in `logged` cover the jobs with a start in the
        log; those in `replayed` cover the jobs that started in the replay.
    causes : tuple of Cause
        Possible causes of a difference, each with the figures that support it.
    """

    n_jobs: int
    logged: dict[str, float]
    replayed: dict[str, float]
    causes: tuple[Cause, ...]

    @property
    def is_material(self) -> bool:
        """True if the differences are large enough to look for their causes.

        A difference in mean waits must be more than a minute and more than 1 % of the log's mean
        wait. A difference in utilisation or in loss of capacity must be at least 1 percentage
        point.
        """
        return any(self._matters(name) for name in self.logged)

    def _matters(self, name: str) -> bool:
        logged, replayed = self.logged[name], self.replayed[name]
        if math.isnan(logged) or math.isnan(replayed):
            return math.isnan(logged) != math.isnan(replayed)
        difference = abs(replayed - logged)
        if name.endswith("_wait"):
            return difference > max(_LEAST_WAIT, _LEAST_WAIT_SHARE * logged)
        if name == "mean_queue_length":  # follows from the mean wait, which is compared
            return False
        return difference >= _LEAST_SHARE

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, suitable for JSON."""
        return {
            "jobs": self.n_jobs,
            "logged": self.logged,
            "replayed": self.replayed,
            "causes": [
                {"name": cause.name, "sentence": cause.sentence, "figures": cause.figures}
                for cause in self.causes
            ],
        }


def baseline_of(
    replay: ReplayData, metrics: dict[str, float], threshold: int, trim: tuple[float, float]
) -> Baseline | None:
    """Compare a replay with the schedule in its log; None if the log has no starts.

    Parameters
    ----------
    replay : ReplayData
    metrics : dict
        The replay's metrics, with the same threshold and trim.
    threshold, trim
        As in `Result.metrics`.

    Raises
    ------
    ValueError
        For a trim that leaves nothing of the log's span.
    """
    logged = logged_schedule(replay)
    if logged is None:
        return None
    found = metrics_of(logged, threshold=threshold, trim=trim)
    names = [name for name in COMPARED if name in found and name in metrics]
    return Baseline(
        int(np.count_nonzero(logged.start >= 0)),
        {name: found[name] for name in names},
        {name: metrics[name] for name in names},
        tuple(causes_of(logged, replay)),
    )


def logged_schedule(replay: ReplayData) -> ReplayData | None:
    """Return the log's own schedule on the replay's machine; None if the log has no starts."""
    schedule = schedule_in(replay.trace)
    if schedule is None:
        return None
    return ReplayData(replay.trace, replay.site, schedule, replay.processors, 0.0)


def schedule_in(trace: Trace) -> Schedule | None:
    """Return the starts and ends in a log; None if it has no starts."""
    known = trace.wait >= 0
    if not known.any():
        return None
    start = np.where(known, trace.submit + trace.wait, -1)
    end = np.where(known, start + trace.run_time, -1)
    state = np.where(known, State.COMPLETED, State.REJECTED).astype(np.uint8)
    return Schedule(start, end, state, np.zeros(len(trace), dtype=np.uint8))
