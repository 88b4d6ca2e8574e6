"""Two replays of one trace, compared job by job."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from slotwise import text
from slotwise.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.result.comparison_plots import ComparisonPlots
    from slotwise.result.result import Result

    Int64 = NDArray[np.int64]

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

    _replays: ClassVar[tuple[Result, Result] | None] = None

    def to_dict(self) -> dict[str, float]:
        """Return the fields by name."""
        return asdict(self)

    @property
    def plot(self) -> ComparisonPlots:
        """Charts of both schedules: ``waits`` and ``slowdowns``.

        Raises
        ------
        ValueError
            For the comparison of one group of jobs, which keeps no schedule.
        """
        from slotwise.result.comparison_plots import ComparisonPlots

        if self._replays is None:
            raise ValueError(
                "this comparison of a group of jobs keeps no schedule; draw that of all jobs: "
                "sw.compare(first, second).plot"
            )
        return ComparisonPlots(self._replays)

    def to_table(self) -> Table:
        """Return the fields as a `Table` of one row."""
        return Table({name: np.array([value]) for name, value in self.to_dict().items()})

    def __arrow_c_schema__(self) -> object:
        """Export the schema (Arrow PyCapsule interface)."""
        return self.to_table().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the fields as one row (Arrow PyCapsule interface)."""
        return self.to_table().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        rows = {
            "jobs": f"{self.n_jobs:,}",
            "mean difference of wait": f"{self.mean:+,.1f} s",
            "95 % interval": f"{self.low:+,.1f} to {self.high:+,.1f} s",
            "start sooner": text.percent(self.sooner),
            "start later": text.percent(self.later),
        }
        if self.low != self.low:
            rows["95 % interval"] = f"none: fewer than {FEWEST_WEEKS} weeks"
        cells = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>"
            for name, value in rows.items()
        )
        return f"<table>{cells}</table>"


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
    jobs = _started_in_both(first, second)
    compared = _paired(second.wait - first.wait, _weeks(first, jobs), jobs, seed)
    object.__setattr__(compared, "_replays", (first, second))
    return compared


def paired_waits_of(
    first: Result, second: Result, codes: NDArray[np.int32], n_groups: int, seed: int = 0
) -> list[PairedWait]:
    """Compare the waits of each group of jobs, as `paired_wait` does for all jobs.

    Parameters
    ----------
    first, second : Result
        Replays of one trace.
    codes : (n_jobs,) int32
        The group of each job, from 0.
    n_groups : int
    seed : int
        Seed of the resampling.

    Raises
    ------
    ValueError
        For replays of traces of different length.
    """
    jobs = _started_in_both(first, second)
    difference, week = second.wait - first.wait, _weeks(first, jobs)
    order = np.argsort(codes[jobs], kind="stable")
    ends = np.cumsum(np.bincount(codes[jobs], minlength=n_groups))
    return [_paired(difference, week, rows, seed) for rows in np.split(jobs[order], ends[:-1])]


def _started_in_both(first: Result, second: Result) -> Int64:
    if len(first.start) != len(second.start):
        raise ValueError(
            f"the replays have {len(first.start):,} and {len(second.start):,} jobs; "
            "replay the same trace twice"
        )
    return np.flatnonzero((first.start >= 0) & (second.start >= 0))


def _weeks(result: Result, jobs: Int64) -> Int64:
    """Return the week of submission of every job, from the first of some jobs."""
    submit: Int64 = result.trace.submit
    first = submit[jobs[0]] if len(jobs) else 0
    weeks: Int64 = (submit - first) // WEEK
    return weeks


def _paired(difference: Int64, week: Int64, jobs: Int64, seed: int) -> PairedWait:
    if len(jobs) == 0:
        nan = float("nan")
        return PairedWait(0, nan, nan, nan, nan, nan)
    low, high = _interval(difference[jobs], week[jobs], seed)
    return PairedWait(
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
    """Draw the number of times each resample has each week; groups of jobs share the draw."""
    draw = np.random.default_rng(seed)
    drawn: Int64 = draw.multinomial(weeks, np.full(weeks, 1 / weeks), RESAMPLES)
    return drawn
