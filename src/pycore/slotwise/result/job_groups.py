"""Groups of jobs, the same in every replay of a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise.replay.eligible_metrics import eligible_metrics_by
from slotwise.replay.groups import CLASS_LENGTHS, CLASS_SIZES, groups_of_result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slotwise.result.result import Result


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
        The position of each job's label in `labels`.
    """

    by: str
    labels: list[Any]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, result: Result, by: str) -> JobGroups:
        """Group the jobs of a replay; queues are the site's if it has any, otherwise the log's."""
        labels, codes = groups_of_result(result, by, CLASS_SIZES, CLASS_LENGTHS)
        known = [None if isinstance(label, int) and label < 0 else label for label in labels]
        return cls(by, known, codes)

    def metrics(
        self,
        result: Result,
        threshold: int,
        trim: tuple[float, float],
        wait_from: str | None = None,
    ) -> list[dict[str, float]]:
        """Return the metrics of each group, in the order of the labels.

        With `wait_from` "eligible", metrics measured from the eligible time replace those measured
        from the submit time, under the same names.
        """
        found = result.metrics_by(self.codes, threshold=threshold, trim=trim)
        rows = [found[code] for code in range(len(self.labels))]
        if wait_from != "eligible":
            return rows
        others = eligible_metrics_by(result, self.codes, len(rows), threshold, trim)
        return [
            row | {name.replace("eligible_", ""): value for name, value in other.items()}
            for row, other in zip(rows, others, strict=True)
        ]
