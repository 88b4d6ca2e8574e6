"""Charts of distributions: the share of jobs with at most a given wait or slowdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.pictures.plots.style import axes_of, series, show_durations, show_legend

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

_POINTS = 2000
"""Maximum number of points in a curve; more would not be visible."""


def waits_of(replay: ReplayData) -> NDArray[np.int64]:
    """Return the waits of the jobs that started, in seconds."""
    found: NDArray[np.int64] = replay.wait[replay.start >= 0]
    return found


def slowdowns_of(replay: ReplayData, threshold: int = 10) -> NDArray[np.float64]:
    """Return the bounded slowdowns of the jobs that started: max(1, (wait + run) / max(run, τ))."""
    ran = replay.start >= 0
    wait, run = replay.wait[ran], (replay.end - replay.start)[ran]
    found: NDArray[np.float64] = np.maximum(1.0, (wait + run) / np.maximum(run, threshold))
    return found


def plot_waits(waits: Mapping[str, NDArray[np.int64]], axes: Axes | None = None) -> Axes:
    """Draw the share of jobs that wait at most a given time, one curve per schedule."""
    axes = axes_of(axes)
    largest = _curves(axes, waits)
    # The axis is linear up to one minute, because many jobs start without waiting.
    axes.set_xscale("symlog", linthresh=60, linscale=0.5)
    axes.set_xlim(-2, max(largest, 60) * 1.05)
    show_durations(axes, largest)
    axes.set_xlabel("wait")
    axes.set_ylabel("share of jobs that wait at most this long")
    return axes


def plot_slowdowns(
    slowdowns: Mapping[str, NDArray[np.float64]], axes: Axes | None = None, *, threshold: int = 10
) -> Axes:
    """Draw the share of jobs with at most a given bounded slowdown, one curve per schedule."""
    axes = axes_of(axes)
    largest = _curves(axes, slowdowns)
    axes.set_xscale("log")
    axes.set_xlim(0.95, max(largest, 2) * 1.05)
    axes.xaxis.set_major_formatter("{x:,.10g}")
    axes.set_xlabel(f"bounded slowdown (threshold {threshold} s)")
    axes.set_ylabel("share of jobs with at most this slowdown")
    return axes


def _curves(axes: Axes, values: Mapping[str, NDArray[np.int64] | NDArray[np.float64]]) -> float:
    """Draw one cumulative curve per schedule, and return the largest wait or slowdown."""
    empty = [name for name, each in values.items() if len(each) == 0]
    if empty:
        raise ValueError(
            f"{empty[0]}: no job in this schedule started, so there is nothing to draw"
        )
    largest = max(float(each.max()) for each in values.values())
    least = min(float(each.min()) for each in values.values())
    for position, (name, each) in enumerate(values.items()):
        ordered = np.sort(each)
        share = np.arange(1, len(ordered) + 1) / len(ordered)
        chosen = np.unique(np.linspace(0, len(ordered) - 1, _POINTS).astype(int))
        # All curves span the same range: from share 0 at the smallest value of any schedule to
        # share 1 at the largest.
        at = np.concatenate([[least], ordered[chosen], [largest]])
        upto = np.concatenate([[0.0], share[chosen], [1.0]])
        label = f"{name}, mean {_mean(each)}" if len(values) > 1 else name
        axes.step(at, upto, where="post", label=label, **series(position))
    axes.set_ylim(0, 1.005)
    axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
    if len(values) > 1:
        show_legend(axes)
    return largest


def _mean(values: NDArray[np.int64] | NDArray[np.float64]) -> str:
    from slotwise import text

    mean = float(values.mean())
    return text.clock(mean) if values.dtype.kind == "i" else f"{mean:,.2f}"
