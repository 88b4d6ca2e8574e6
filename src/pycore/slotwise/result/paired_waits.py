"""Two replays of one trace, compared job by job."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from slotwise import text
from slotwise.replay.paired_difference import (
    FEWEST_WEEKS,
    paired_difference,
    paired_differences_of,
)
from slotwise.replay.replay_data import ReplayData
from slotwise.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.result.comparison_plots import ComparisonPlots
    from slotwise.result.result import Result


@dataclass(frozen=True)
class PairedWait:
    """Differences between the waits of the same jobs in two replays.

    Attributes
    ----------
    n_jobs : int
        Jobs that started in both.
    mean : float, seconds
        Mean of the second wait minus the first; NaN if no job started in both.
    low, high : float, seconds
        95 % confidence interval of that mean; NaN if the jobs were submitted in fewer than four
        weeks. Whole weeks of jobs are resampled, because waits of neighbouring jobs depend on each
        other.
    sooner, later : float
        Shares of these jobs that start sooner or later in the second replay.
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
            If only a group of jobs is compared, because charts need whole schedules.
        """
        from slotwise.result.comparison_plots import ComparisonPlots

        if self._replays is None:
            raise ValueError(
                "the comparison of a group of jobs has no schedules; draw the comparison of all "
                "jobs: sw.compare(first, second).plot"
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
            "mean difference in wait": f"{self.mean:+,.1f} s",
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
    TypeError
        If one of the two is not a result.
    ValueError
        If the replays have different numbers of jobs.

    References
    ----------
    B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, section 8.5 (blocks).
    """
    for each in (first, second):
        if not isinstance(each, ReplayData):
            raise TypeError(
                f"{each!r:.60} is not a Result; pass two results of sw.simulate, or replay several "
                "sites with sw.sweep"
            )
    compared = PairedWait(*paired_difference(first, second, seed))
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
        If the replays have different numbers of jobs.
    """
    return [
        PairedWait(*found) for found in paired_differences_of(first, second, codes, n_groups, seed)
    ]
