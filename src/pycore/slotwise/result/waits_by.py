"""Waits by group of jobs, in one replay and against another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.result.groups import groups_of_result
from slotwise.result.paired_waits import PairedWait, paired_waits_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.result.result import Result

CLASS_SIZES, CLASS_LENGTHS = (8,), (3600,)
"""Bounds of the job classes: processors and seconds, as of `Result.metrics_by`."""


@dataclass(frozen=True)
class JobGroups:
    """A label for each job, the same in every replay of the trace.

    Attributes
    ----------
    by : str
        ``"user"``, ``"group"``, ``"account"``, ``"queue"`` or ``"class"``.
    labels : list
        Distinct labels; None for jobs without one.
    codes : (n_jobs,) int32
        The position of each job's label.
    """

    by: str
    labels: list[Any]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, result: Result, by: str) -> JobGroups:
        """Group the jobs of a replay; queues are those of the site, otherwise those of the log."""
        labels, codes = groups_of_result(result, by, CLASS_SIZES, CLASS_LENGTHS)
        known = [None if isinstance(label, int) and label < 0 else label for label in labels]
        return cls(by, known, codes)

    def metrics(
        self, result: Result, threshold: int, trim: tuple[float, float]
    ) -> list[dict[str, float]]:
        """Return the metrics of each group, in the order of the labels."""
        found = result.metrics_by(self.codes, threshold=threshold, trim=trim)
        return [found[code] for code in range(len(self.labels))]


@dataclass(frozen=True)
class GroupChange:
    """The waits of one group in two replays.

    Attributes
    ----------
    label : Any
    mean_wait : float, seconds
        In the first replay, over the jobs that started in both.
    paired : PairedWait
        Second minus first.
    """

    label: Any
    mean_wait: float
    paired: PairedWait

    @property
    def outcome(self) -> str:
        """``"wins"`` or ``"loses"`` if the interval excludes 0, otherwise empty."""
        if self.paired.high < 0:
            return "wins"
        return "loses" if self.paired.low > 0 else ""


def changes_by(groups: JobGroups, first: Result, second: Result) -> list[GroupChange]:
    """Compare the waits of each group in two replays of one trace."""
    paired = paired_waits_of(first, second, groups.codes, len(groups.labels))
    both = (first.start >= 0) & (second.start >= 0)
    codes = groups.codes[both]
    sums = np.bincount(codes, weights=first.wait[both], minlength=len(groups.labels))
    return [
        GroupChange(label, float(total) / pair.n_jobs if pair.n_jobs else float("nan"), pair)
        for label, total, pair in zip(groups.labels, sums, paired, strict=True)
    ]
