"""Figures of a replay: metrics, queue and machine over time, rejected jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import metrics, series
from slotwise._numbers import threshold_of, trim_of
from slotwise.replay.eligible_metrics import eligible_metrics
from slotwise.replay.reject_reason import RejectReason

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slotwise.replay.replay_data import ReplayData


def metrics_of(
    replay: ReplayData,
    *,
    threshold: int = 10,
    trim: tuple[float, float] = (0, 0),
    fair_start: ArrayLike | None = None,
) -> dict[str, float]:
    """Return every metric of a replay by name, as `Result.metrics` describes."""
    found = metrics(
        *replay._columns,
        threshold=threshold_of(threshold),
        trim=trim_of(trim),
        dropped=replay.trace.report.total_dropped,
        fair_start=None if fair_start is None else np.ascontiguousarray(fair_start, np.int64),
    )
    return eligible_metrics(replay, threshold_of(threshold), trim_of(trim)) | found


def timeline_of(replay: ReplayData) -> dict[str, NDArray[np.int64]]:
    """Return queue and machine over time, as `Result.timeline` describes."""
    return series(*replay._columns)


def reject_counts_of(replay: ReplayData) -> dict[RejectReason, int]:
    """Count the rejected jobs by reason; reasons without a job are left out."""
    counts = np.bincount(replay.reject_reason, minlength=len(RejectReason))
    return {r: int(counts[r]) for r in RejectReason if r and counts[r]}
