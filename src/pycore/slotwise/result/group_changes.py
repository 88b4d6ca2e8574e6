"""Waits of groups of jobs in two replays: winners and losers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.replay.eligible_metrics import eligible_waits
from slotwise.replay.paired_difference import outcome_of
from slotwise.result.paired_waits import PairedWait, paired_waits_of

if TYPE_CHECKING:
    from slotwise.result.job_groups import JobGroups
    from slotwise.result.result import Result


@dataclass(frozen=True)
class GroupChange:
    """The waits of one group in two replays.

    Attributes
    ----------
    label : Any
    mean_wait : float, seconds
        Mean wait in the first replay, over the jobs that started in both.
    paired : PairedWait
        Waits in the second replay minus waits in the first.
    """

    label: Any
    mean_wait: float
    paired: PairedWait

    @property
    def outcome(self) -> str:
        """``"wins"`` if the group's waits are shorter in the second replay, ``"loses"`` if longer.

        The outcome is empty if the 95 % interval of the difference includes 0 or is unknown.
        """
        return outcome_of(self.paired.low, self.paired.high)


def changes_by(
    groups: JobGroups, first: Result, second: Result, *, from_eligible: bool = False
) -> list[GroupChange]:
    """Compare the waits of each group in two replays of one trace.

    With `from_eligible`, `mean_wait` is measured from the time at which a job became eligible; the
    differences between the replays stay the same.
    """
    paired = paired_waits_of(first, second, groups.codes, len(groups.labels))
    both = (first.start >= 0) & (second.start >= 0)
    codes = groups.codes[both]
    waits = eligible_waits(first) if from_eligible else first.wait
    sums = np.bincount(codes, weights=waits[both], minlength=len(groups.labels))
    return [
        GroupChange(label, float(total) / pair.n_jobs if pair.n_jobs else float("nan"), pair)
        for label, total, pair in zip(groups.labels, sums, paired, strict=True)
    ]
