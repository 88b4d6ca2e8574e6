"""The outcome of a set of weights on a log, week by week.

Weeks begin at the first submit time; the days after the last whole week are replayed but not
measured. Two sets of weights are compared week by week, because a gain in one week may be lost in
the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from slotwise.errors import SiteError, TraceError
from slotwise.executors.batches import map_on
from slotwise.simulation import simulate
from slotwise.sweeps.sweep import sweep
from slotwise.sweeps.workers import threads_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from slotwise.advice.weights.formula import Weights
    from slotwise.executors.adapter import Adapter
    from slotwise.result import Result
    from slotwise.site import Site
    from slotwise.trace import Trace

    Floats = NDArray[np.float64]

WEEK = 604_800
THRESHOLD = 10  # slowdown threshold in seconds

OBJECTIVES = {
    "utilisation": (True, "%"),
    "mean_wait": (False, "h"),
    "mean_bounded_slowdown": (False, ""),
    "max_wait": (False, "h"),
}
"""Objectives by name: True if higher is better, and the unit."""


def check_objectives(names: Sequence[str]) -> tuple[str, ...]:
    """Check the objectives, and return them without duplicates.

    Raises
    ------
    SiteError
        For an empty list, and for an unknown objective.
    """
    for name in names:
        if name not in OBJECTIVES:
            raise SiteError(f"unknown objective {name!r}; choose one of: {', '.join(OBJECTIVES)}")
    if not names:
        raise SiteError(f"no objective is given; choose one or more of {', '.join(OBJECTIVES)}")
    return tuple(dict.fromkeys(names))


@dataclass(frozen=True, eq=False)
class Outcome:
    """Figures of a replay by week; each array has the shape (n_weeks,).

    Attributes
    ----------
    core_hours : float64
        Core hours delivered within the week.
    jobs : float64
        Jobs submitted within the week, except those that never started.
    wait, slowdown : float64
        Sums of the waits (hours) and of the bounded slowdowns of those jobs.
    longest : float64, hours
        The longest wait of those jobs.
    capacity : float
        Core hours of the machine per week.
    """

    core_hours: Floats
    jobs: Floats
    wait: Floats
    slowdown: Floats
    longest: Floats
    capacity: float

    def __len__(self) -> int:
        return len(self.jobs)

    def value(self, objective: str, weeks: Sequence[int] | NDArray[np.int64]) -> float:
        """Return the value of an objective over some weeks, in the unit given by `OBJECTIVES`."""
        return float(self.values(objective, np.asarray(weeks, np.int64)[None, :])[0])

    def values(self, objective: str, weeks: NDArray[np.int64]) -> Floats:
        """Return one value of the objective per row of `weeks`; a row is a set of weeks."""
        if objective == "utilisation":
            return np.asarray(100 * self.core_hours[weeks].mean(axis=1) / self.capacity)
        if objective == "max_wait":
            return np.asarray(self.longest[weeks].max(axis=1))
        total = self.wait if objective == "mean_wait" else self.slowdown
        return np.asarray(total[weeks].sum(axis=1) / np.maximum(self.jobs[weeks].sum(axis=1), 1))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        names = ("core_hours", "jobs", "wait", "slowdown", "longest")
        return {name: getattr(self, name).tolist() for name in names} | {"capacity": self.capacity}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """Build an outcome from the result of `to_dict`."""
        columns = {name: np.array(v) for name, v in plain.items() if name != "capacity"}
        return cls(**columns, capacity=plain["capacity"])


def weeks_of(trace: Trace) -> int:
    """Return the number of whole weeks from the first to the last submit time.

    Raises
    ------
    TraceError
        If there is no whole week.
    """
    weeks = (int(trace.submit[-1]) - int(trace.submit[0])) // WEEK if len(trace) else 0
    if weeks < 1:
        raise TraceError(
            "the log covers less than a week from first to last submit time, but weights are "
            "compared week by week; use a longer log",
            path=trace.source,
        )
    return weeks


def outcome_of(result: Result) -> Outcome:
    """Compute the figures of a replay week by week."""
    trace = result.trace
    n = weeks_of(trace)
    first = int(trace.submit[0])
    ran = result.start >= 0
    begin, end = result.start[ran] - first, result.end[ran] - first
    cores = trace.processors[ran].astype(np.float64)
    week = (trace.submit[ran] - first) // WEEK
    inside = week < n
    week, wait = week[inside], result.wait[ran][inside]
    run = (end - begin)[inside]
    slowdown = np.maximum(1.0, (wait + run) / np.maximum(run, THRESHOLD))
    longest = np.zeros(n)
    np.maximum.at(longest, week, wait / 3600)
    return Outcome(
        delivered(begin, end, cores, n) / 3600,
        np.bincount(week, minlength=n).astype(np.float64),
        np.bincount(week, weights=wait / 3600, minlength=n).astype(np.float64),
        np.bincount(week, weights=slowdown, minlength=n).astype(np.float64),
        longest,
        result.processors * WEEK / 3600,
    )


def delivered(
    begin: NDArray[np.int64], end: NDArray[np.int64], cores: Floats, n_weeks: int
) -> Floats:
    """Return the core-seconds used in each of the first `n_weeks` weeks.

    A ramp is the work per week of jobs that begin at given times and never end. A job that began
    before the week adds its cores · the week's length. A job that begins in the week adds its
    cores · (end of the week − begin). The result is the ramp of the start times minus the ramp of
    the end times. All values are integers, which float64 represents exactly.
    """

    def ramp(times: NDArray[np.int64]) -> Floats:
        # A job that begins exactly when a week ends belongs to the following week.
        week = np.minimum(times // WEEK, n_weeks)
        left = (week + 1) * WEEK - times
        begun = np.bincount(week, weights=cores, minlength=n_weeks + 1)
        partly = np.bincount(week, weights=cores * left, minlength=n_weeks + 1)
        before = np.cumsum(begun) - begun
        return np.asarray((before * WEEK + partly)[:n_weeks])

    return ramp(begin) - ramp(end)


def evaluate(
    trace: Trace,
    site: Site,
    weights: Sequence[Weights],
    *,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
    adapter: Adapter | None = None,
) -> list[Outcome]:
    """Replay a log under each set of weights, on threads in this process or on an executor.

    Parameters
    ----------
    trace : Trace
    site : Site
        The site whose order the weights replace.
    weights : sequence of Weights
    workers : int, optional
        Threads. Default: one per processor.
    progress : callable, optional
        Called with the fraction of the work done, 0 to 1.
    adapter : Adapter, optional
        The executor that runs the replays instead of threads. Its workers return outcomes, not
        schedules.

    Returns
    -------
    list of Outcome
        In the order of `weights`, the same on any number of workers.
    """
    sites = [site.replace(policy=site.policy.replace(order=each.order())) for each in weights]
    if adapter is not None:
        return map_on(adapter, partial(_outcomes, trace), sites, progress)
    at_once = 8 * threads_for(workers)  # schedules kept in memory at a time
    found: list[Outcome] = []
    for first in range(0, len(sites), at_once):
        some = sites[first : first + at_once]
        kept = sweep(trace, some, workers=workers, keep_results=True)
        found += [outcome_of(result) for result in kept.results]
        if progress is not None:
            progress(len(found) / len(sites))
    return found


def _outcomes(trace: Trace, sites: Sequence[Site]) -> list[Outcome]:
    return [outcome_of(simulate(trace, site)) for site in sites]
