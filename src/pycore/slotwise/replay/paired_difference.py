"""Compares the waits of the same jobs in two replays: mean difference, confidence interval."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]

WEEK = 7 * 86400
FEWEST_WEEKS = 4
RESAMPLES = 2000


class PairedDifference(NamedTuple):
    """Differences between the waits of some jobs; `slotwise.PairedWait` defines the fields."""

    n_jobs: int
    mean: float
    low: float
    high: float
    sooner: float
    later: float


def outcome_of(low: float, high: float) -> str:
    """Return ``"wins"`` for an interval below 0 (shorter waits), ``"loses"`` for one above 0.

    The outcome is empty if the interval includes 0 or its bounds are NaN.
    """
    if high < 0:
        return "wins"
    return "loses" if low > 0 else ""


def paired_difference(first: ReplayData, second: ReplayData, seed: int = 0) -> PairedDifference:
    """Compare the waits of the jobs that started in both replays.

    Raises
    ------
    ValueError
        If the replays have different numbers of jobs.
    """
    jobs = _started_in_both(first, second)
    return _paired(second.wait - first.wait, _weeks(first, jobs), jobs, seed)


def paired_differences_of(
    first: ReplayData,
    second: ReplayData,
    codes: NDArray[np.int32],
    n_groups: int,
    seed: int = 0,
) -> Iterator[PairedDifference]:
    """Compare the waits of each group of jobs; `codes` has the group of each job, from 0.

    Raises
    ------
    ValueError
        If the replays have different numbers of jobs.
    """
    jobs = _started_in_both(first, second)
    difference, week = second.wait - first.wait, _weeks(first, jobs)
    order = np.argsort(codes[jobs], kind="stable")
    ends = np.cumsum(np.bincount(codes[jobs], minlength=n_groups))
    for rows in np.split(jobs[order], ends[:-1]):
        yield _paired(difference, week, rows, seed)


def _started_in_both(first: ReplayData, second: ReplayData) -> Int64:
    if len(first.start) != len(second.start):
        raise ValueError(
            f"the replays have {len(first.start):,} and {len(second.start):,} jobs; "
            "compare two replays of the same trace"
        )
    return np.flatnonzero((first.start >= 0) & (second.start >= 0))


def _weeks(result: ReplayData, jobs: Int64) -> Int64:
    """Return the week of each job's submission; week 0 begins with the first of `jobs`."""
    submit: Int64 = result.trace.submit
    first = submit[jobs[0]] if len(jobs) else 0
    weeks: Int64 = (submit - first) // WEEK
    return weeks


def _paired(difference: Int64, week: Int64, jobs: Int64, seed: int) -> PairedDifference:
    if len(jobs) == 0:
        nan = float("nan")
        return PairedDifference(0, nan, nan, nan, nan, nan)
    low, high = _interval(difference[jobs], week[jobs], seed)
    return PairedDifference(
        n_jobs=len(jobs),
        mean=float(difference[jobs].mean()),
        low=low,
        high=high,
        sooner=float((difference[jobs] < 0).mean()),
        later=float((difference[jobs] > 0).mean()),
    )


def _interval(difference: Int64, week: Int64, seed: int) -> tuple[float, float]:
    counts = np.bincount(week)
    sums = np.bincount(week, weights=difference)[counts > 0]
    counts = counts[counts > 0]
    if len(counts) < FEWEST_WEEKS:
        return float("nan"), float("nan")
    drawn = _drawn_weeks(len(counts), seed)
    low, high = np.percentile((drawn @ sums) / (drawn @ counts), [2.5, 97.5])
    return float(low), float(high)


@lru_cache(maxsize=16)
def _drawn_weeks(weeks: int, seed: int) -> Int64:
    """Sample how often each week occurs in each resample; all groups use the same resamples."""
    draw = np.random.default_rng(seed)
    drawn: Int64 = draw.multinomial(weeks, np.full(weeks, 1 / weeks), RESAMPLES)
    return drawn
