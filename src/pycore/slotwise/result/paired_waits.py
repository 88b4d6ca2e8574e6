"""Two replays of one trace, compared job by job."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from slotwise.result.result import Result

WEEK = 7 * 86400
FEWEST_WEEKS = 4
RESAMPLES = 2000


@dataclass(frozen=True)
class PairedWait:
    """Differences between the waits of the same jobs in two replays.

    Attributes
    ----------
    n_jobs : int
        Jobs that started in both.
    mean : float, seconds
        Mean of second - first; NaN if no job started in both.
    low, high : float, seconds
        95 % interval of that mean, by resampling whole weeks of submission, because waits of
        neighbouring jobs depend on each other; NaN for a trace of fewer than four weeks.
    sooner, later : float
        Shares of these jobs that start sooner and later in the second.
    """

    n_jobs: int
    mean: float
    low: float
    high: float
    sooner: float
    later: float

    def to_dict(self) -> dict[str, float]:
        """Return the fields by name."""
        return asdict(self)


def paired_wait(first: Result, second: Result, seed: int = 0) -> PairedWait:
    """Compare the waits of the jobs that started in both replays.

    Parameters
    ----------
    first, second : Result
        Replays of one trace.
    seed : int
        Seed of the resampling; the same seed gives the same interval.

    Raises
    ------
    ValueError
        For replays of traces of different length.

    References
    ----------
    B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, section 8.5 (blocks).
    """
    if len(first.start) != len(second.start):
        raise ValueError(
            f"the replays have {len(first.start):,} and {len(second.start):,} jobs; "
            "replay the same trace twice"
        )
    both = (first.start >= 0) & (second.start >= 0)
    if not both.any():
        nan = float("nan")
        return PairedWait(0, nan, nan, nan, nan, nan)
    difference = (second.wait - first.wait)[both]
    submit = first.trace.submit[both]
    low, high = _interval(difference, (submit - submit[0]) // WEEK, seed)
    return PairedWait(
        n_jobs=len(difference),
        mean=float(difference.mean()),
        low=low,
        high=high,
        sooner=float((difference < 0).mean()),
        later=float((difference > 0).mean()),
    )


def _interval(
    difference: np.ndarray[tuple[int], np.dtype[np.int64]],
    week: np.ndarray[tuple[int], np.dtype[np.int64]],
    seed: int,
) -> tuple[float, float]:
    counts = np.bincount(week)
    sums = np.bincount(week, weights=difference)[counts > 0]
    counts = counts[counts > 0]
    weeks = len(counts)
    if weeks < FEWEST_WEEKS:
        return float("nan"), float("nan")
    drawn = np.random.default_rng(seed).multinomial(weeks, np.full(weeks, 1 / weeks), RESAMPLES)
    low, high = np.percentile((drawn @ sums) / (drawn @ counts), [2.5, 97.5])
    return float(low), float(high)
