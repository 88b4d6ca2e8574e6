"""Chart of machine and queue over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.pictures.plots.style import COLOURS, PALE, axes_of, show_legend, show_time
from slotwise.replay.metrics import timeline_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]

_MOMENTS = 600
"""Number of intervals into which a long replay is divided; each shows its mean."""


def plot_queue(replay: ReplayData, axes: Axes | None = None) -> Axes:
    """Draw the processors in use, and those requested by queued jobs, over time."""
    series = timeline_of(replay)
    time = series["time"]
    if len(time) < 2:
        raise ValueError("no job in this schedule started, so there is nothing to draw")
    begin, end = int(time[0]), int(time[-1])
    axes = axes_of(axes)
    at, busy = means(time, series["busy_processors"], begin, end)
    _, queued = means(time, series["queued_processors"], begin, end)
    axes.stairs(busy, at, fill=True, color=PALE, label="busy")
    axes.stairs(queued, at, color=COLOURS[0], linewidth=1.2, label="requested by waiting jobs")
    axes.axhline(
        replay.processors, color=COLOURS[1], linestyle="--", linewidth=1.2,
        label=f"{replay.processors:,} in the machine",
    )  # fmt: skip
    axes.set_ylim(0)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylabel("processors")
    show_time(axes, replay, begin, end)
    show_legend(axes, columns=3)
    return axes


def means(
    time: Int64, values: Int64, begin: int, end: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the edges of at most 600 intervals, and the mean of `values` over time in each.

    Examples
    --------
    >>> edges, mean = means(np.array([0, 4, 8]), np.array([6, 2, 0]), 0, 8)
    >>> edges[:2].tolist(), mean[:5].tolist()   # one interval per second
    ([0.0, 1.0], [6.0, 6.0, 6.0, 6.0, 2.0])
    """
    edges = np.linspace(begin, end, min(_MOMENTS, end - begin) + 1)
    area = np.concatenate([[0.0], np.cumsum(values[:-1] * np.diff(time).astype(float))])
    return edges, np.diff(np.interp(edges, time, area)) / np.diff(edges)
