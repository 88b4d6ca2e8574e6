"""Figures of a replay: metrics, queue and machine over time, rejected jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import measured_span, metrics, metrics_by, series
from slotwise._numbers import threshold_of, trim_of
from slotwise.replay.eligible_metrics import eligible_metrics
from slotwise.replay.node_metrics import busy_shares, busy_shares_by, kept_processors
from slotwise.replay.reject_reason import RejectReason
from slotwise.site.machine.nodes import Nodes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]

_OF_THE_MACHINE = (
    "utilisation", "utilisation_of_available", "loss_of_capacity", "mean_busy_processors",
    "mean_queued_processors",
)  # fmt: skip
"""Metrics that count all cores of a job's nodes if the job uses whole nodes."""


def metrics_of(
    replay: ReplayData,
    *,
    threshold: int = 10,
    trim: tuple[float, float] = (0, 0),
    fair_start: ArrayLike | None = None,
) -> dict[str, float]:
    """Return every metric of a replay by name, as `Result.metrics` describes.

    Without `fair_start`, they are cached, because a command, its report and its table all need
    them.
    """
    options = threshold_of(threshold), trim_of(trim)
    if fair_start is not None:
        return _metrics_of(replay, *options, np.ascontiguousarray(fair_start, np.int64))
    known: dict[Any, dict[str, float]] = vars(replay).setdefault("_known_metrics", {})
    if options not in known:
        known[options] = _metrics_of(replay, *options, None)
    return dict(known[options])


def _metrics_of(
    replay: ReplayData, threshold: int, trim: tuple[float, float], fair_start: Int64 | None
) -> dict[str, float]:
    def over(processors: Int64) -> dict[str, float]:
        submit, _, schedule, machine = replay._columns
        return metrics(
            submit,
            processors,
            schedule,
            machine,
            threshold=threshold,
            trim=trim,
            dropped=replay.trace.report.total_dropped,
            fair_start=fair_start,
        )

    found = over(replay.trace.processors)
    kept = kept_processors(replay)
    if kept is not None:
        of_kept = over(kept)
        found |= {name: of_kept[name] for name in _OF_THE_MACHINE if name in of_kept}
    found |= busy_shares(replay, int(found["window_begin"]), int(found["window_end"]))
    return eligible_metrics(replay, threshold, trim) | found


def group_metrics_of(
    replay: ReplayData,
    codes: NDArray[np.int32],
    n_groups: int,
    *,
    threshold: int,
    trim: tuple[float, float],
) -> list[dict[str, float]]:
    """Return the metrics of each group of jobs, as `Result.metrics_by` describes."""

    def over(processors: Int64) -> list[dict[str, float]]:
        submit, _, schedule, machine = replay._columns
        return metrics_by(
            submit,
            processors,
            schedule,
            machine,
            codes,
            n_groups,
            threshold=threshold_of(threshold),
            trim=trim_of(trim),
        )

    rows = over(replay.trace.processors)
    kept = kept_processors(replay)
    if kept is not None:
        for row, other in zip(rows, over(kept), strict=True):
            row["utilisation"] = other["utilisation"]
    if isinstance(replay.site.machine, Nodes):
        begin, end = measured_span(*replay._columns, trim_of(trim))
        shares = busy_shares_by(replay, codes, n_groups, begin, end)
        rows = [row | share for row, share in zip(rows, shares, strict=True)]
    return rows


def timeline_of(replay: ReplayData) -> dict[str, NDArray[np.int64]]:
    """Return the state of the queue and the machine over time, as `Result.timeline` describes."""

    def over(processors: Int64) -> dict[str, Int64]:
        submit, _, schedule, machine = replay._columns
        return series(submit, processors, schedule, machine)

    kept = kept_processors(replay)
    return over(replay.trace.processors if kept is None else kept)


def reject_counts_of(replay: ReplayData) -> dict[RejectReason, int]:
    """Count the rejected jobs by reason; reasons without a job are left out."""
    counts = np.bincount(replay.reject_reason, minlength=len(RejectReason))
    return {r: int(counts[r]) for r in RejectReason if r and counts[r]}
