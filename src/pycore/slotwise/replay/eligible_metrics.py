"""Waits counted from the time at which a job became eligible, where the log has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace

STATISTICS = ("mean", "median", "p95", "max")


def has_eligible(trace: Trace) -> bool:
    """Return True where the log states that a job became eligible after its submit time."""
    return bool((trace.eligible > trace.submit).any())


def eligible_metrics(
    replay: ReplayData,
    threshold: int,
    trim: tuple[float, float],
    rows: NDArray[np.bool_] | None = None,
) -> dict[str, float]:
    """Return eligible wait, response and slowdowns; nothing where the log lacks the column.

    Parameters
    ----------
    replay : ReplayData
    threshold : int, seconds
        The least run time in the bounded slowdowns.
    trim : (float, float)
        As of `Result.metrics`; jobs submitted outside the window are left out.
    rows : (n_jobs,) bool, optional
        Count these jobs only.
    """
    trace = replay.trace
    if not has_eligible(trace):
        return {}
    counted = (replay.start >= 0) & _in_window(replay, trim)
    if rows is not None:
        counted &= rows
    since = np.maximum(trace.eligible, trace.submit)[counted]
    response = replay.end[counted] - since
    waited = replay.wait[counted] - (since - trace.submit[counted])
    length = np.maximum(response - waited, 1)
    found = {
        "eligible_wait": waited,
        "eligible_response": response,
        "eligible_slowdown": np.maximum(response / length, 1.0),
        "eligible_bounded_slowdown": np.maximum(response / np.maximum(length, threshold), 1.0),
    }
    return {
        f"{statistic}_{family}": value
        for family, values in found.items()
        for statistic, value in _statistics(values).items()
    }


def _in_window(replay: ReplayData, trim: tuple[float, float]) -> NDArray[np.bool_]:
    submit = replay.trace.submit
    first = int(submit[0])
    last = max(first, int(replay.end.max()))
    span = last - first
    begin, end = (int(part * span) if part < 1 else int(part) for part in trim)
    admitted: NDArray[np.bool_] = (submit >= first + begin) & (submit <= last - end)
    return admitted | (trim == (0, 0))


def _statistics(values: NDArray[np.float64] | NDArray[np.int64]) -> dict[str, float]:
    if len(values) == 0:
        return dict.fromkeys(STATISTICS, float("nan"))
    return {
        "mean": float(values.mean()),
        "median": float(np.median(values)),
        "p95": float(np.percentile(values, 95)),
        "max": float(values.max()),
    }
