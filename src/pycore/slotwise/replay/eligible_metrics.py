"""Metrics whose waits begin when a job becomes eligible, for logs with eligible times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import measured_span

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace

STATISTICS = ("mean", "median", "p95", "max")


def has_eligible(trace: Trace) -> bool:
    """Return True if any job in the log became eligible only after its submit time."""
    return bool((trace.eligible > trace.submit).any())


def eligible_waits(replay: ReplayData) -> NDArray[np.int64]:
    """Return the seconds from eligible time to start; meaningless for jobs without a start."""
    waits: NDArray[np.int64] = replay.start - np.maximum(replay.trace.eligible, replay.trace.submit)
    return waits


def eligible_metrics(
    replay: ReplayData, threshold: int, trim: tuple[float, float]
) -> dict[str, float]:
    """Return metrics measured from the eligible time: waits, response times and slowdowns.

    The result is empty if no job became eligible after its submit time.

    Parameters
    ----------
    replay : ReplayData
    threshold : int, seconds
        The minimum run time in bounded slowdowns.
    trim : (float, float)
        As in `Result.metrics`; jobs submitted outside the measured span are left out.
    """
    everyone = np.zeros(len(replay.trace), dtype=np.int32)
    return eligible_metrics_by(replay, everyone, 1, threshold, trim)[0]


def eligible_metrics_by(
    replay: ReplayData,
    codes: NDArray[np.int32],
    n_groups: int,
    threshold: int,
    trim: tuple[float, float],
) -> list[dict[str, float]]:
    """Return the `eligible_metrics` of each group; `codes` has the group of each job."""
    if not has_eligible(replay.trace):
        return [{} for _ in range(n_groups)]
    rows = np.flatnonzero((replay.start >= 0) & _in_window(replay, trim) & (codes >= 0))
    rows = rows[np.argsort(codes[rows], kind="stable")]
    bounds = np.searchsorted(codes[rows], np.arange(1, n_groups))
    of_groups = {
        family: np.split(values, bounds)
        for family, values in _families(replay, rows, threshold).items()
    }
    return [
        {
            f"{statistic}_{family}": value
            for family, values in of_groups.items()
            for statistic, value in _statistics(values[group]).items()
        }
        | _by_area(replay, chosen)
        for group, chosen in enumerate(np.split(rows, bounds))
    ]


def _by_area(replay: ReplayData, rows: NDArray[np.intp]) -> dict[str, float]:
    """Return the mean wait and response time, weighted by processors times run time."""
    run = replay.end[rows] - replay.start[rows]
    area = replay.trace.processors[rows] * run.astype(np.float64)
    total = float(area.sum())
    waits = eligible_waits(replay)[rows]
    return {
        f"area_weighted_eligible_{name}": float(area @ values) / total if total else float("nan")
        for name, values in (("response", waits + run), ("wait", waits))
    }


def _families(
    replay: ReplayData, rows: NDArray[np.intp], threshold: int
) -> dict[str, NDArray[Any]]:
    trace = replay.trace
    since = np.maximum(trace.eligible[rows], trace.submit[rows])
    response = replay.end[rows] - since
    length = np.maximum(replay.end[rows] - replay.start[rows], 1)
    bounded = np.maximum(length, threshold)
    wait = replay.start[rows] - since
    return {
        "eligible_wait": wait,
        "eligible_response": response,
        "eligible_slowdown": np.maximum(response / length, 1.0),
        "eligible_bounded_slowdown": np.maximum(response / bounded, 1.0),
        "eligible_bounded_slowdown_floor": (wait + bounded) / bounded,
        "eligible_per_processor_bounded_slowdown": np.maximum(
            response / (trace.processors[rows] * bounded), 1.0
        ),
    }


def _in_window(replay: ReplayData, trim: tuple[float, float]) -> NDArray[np.bool_]:
    first, last = measured_span(*replay._columns, trim)
    submit = replay.trace.submit
    admitted: NDArray[np.bool_] = (submit >= first) & (submit <= last)
    return admitted


def _statistics(values: NDArray[np.float64] | NDArray[np.int64]) -> dict[str, float]:
    if len(values) == 0:
        return dict.fromkeys(STATISTICS, float("nan"))
    return {
        "mean": float(values.mean()),
        "median": float(np.median(values)),
        "p95": float(np.percentile(values, 95)),
        "max": float(values.max()),
    }
