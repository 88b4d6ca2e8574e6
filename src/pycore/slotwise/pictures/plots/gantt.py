"""Chart of jobs on processors over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise._core import chart_positions
from slotwise.pictures.plots.style import SHADES, axes_of, show_durations, show_time
from slotwise.site.machine.torus import Torus

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]

_MOST_BOXES = 3000
"""Maximum number of intervals drawn with outlines; with more, outlines would hide them."""
_WIDTH, _HEIGHT = 1600, 800


def plot_gantt(
    replay: ReplayData, axes: Axes | None = None, begin: int | None = None, end: int | None = None
) -> Axes:
    """Draw jobs on processors over time, coloured by wait; longer waits are paler.

    On a torus, positions are those of the nodes in node order. On other machines, processors are
    interchangeable, and positions are chosen for the drawing.

    Raises
    ------
    ValueError
        If no job ran between `begin` and `end`.
    """
    started = replay.start >= 0
    if not started.any():
        raise ValueError("no job in this schedule started, so there is nothing to draw")
    first = int(replay.start[started].min()) if begin is None else begin
    last = max(int(replay.end[started].max()), first + 1) if end is None else end
    job, low, high = _intervals(replay)
    seen = (replay.start[job] < last) & (replay.end[job] > first)
    if not seen.any():
        raise ValueError(
            f"no job ran between {first:,} and {last:,}; choose other values of begin and end"
        )
    job, low, high = job[seen], low[seen], high[seen]
    axes = axes_of(axes, width=9, height=4.6)
    colours = extras.load("matplotlib.colors").SymLogNorm(
        60, linscale=0.5, vmin=0, vmax=max(int(replay.wait[job].max()), 60)
    )
    parts = (axes, (replay.start[job], replay.end[job]), (low, high), replay.wait[job], colours)
    if len(job) <= _MOST_BOXES:
        shown = _boxes(*parts)
    else:
        shown = _points(*parts, bounds=(first, last, replay.processors))
    bar = axes.figure.colorbar(shown, ax=axes, label="wait of the job", pad=0.01)
    show_durations(bar.ax, float(replay.wait[job].max()), along="y")
    axes.grid(visible=False)
    axes.set_ylim(0, max(replay.processors, int(high.max())))
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylabel("processors")
    show_time(axes, replay, first, last)
    return axes


def _intervals(replay: ReplayData) -> tuple[Int64, Int64, Int64]:
    """Return the job, lower bound and upper bound of every interval of processors, as columns."""
    machine = replay.site.machine
    if isinstance(machine, Torus):
        count, begin, end = replay.schedule.node_columns()
        pieces = count.astype(np.int64)
        each = machine.processors_per_node
        low, high = begin.astype(np.int64) * each, end.astype(np.int64) * each
    else:
        placed = chart_positions(
            replay.start, replay.end, replay.trace.processors, replay.processors
        )
        offset = placed.offset.astype(np.int64)
        pieces = offset[1:] - offset[:-1]
        low = placed.first.astype(np.int64)
        high = low + placed.count
    return np.repeat(np.arange(len(pieces)), pieces), low, high


def _boxes(
    axes: Axes,
    times: tuple[Int64, Int64],
    positions: tuple[Int64, Int64],
    waits: Int64,
    colours: Any,
) -> Any:
    """Draw one outlined box per interval."""
    (start, end), (low, high) = times, positions
    corners = np.stack([start, low, start, high, end, high, end, low], axis=1)
    boxes = extras.load("matplotlib.collections").PolyCollection(
        corners.reshape(-1, 4, 2), array=waits, cmap=SHADES, norm=colours, edgecolor="white",
        linewidth=0.4,
    )  # fmt: skip
    return axes.add_collection(boxes)


def _points(
    axes: Axes,
    times: tuple[Int64, Int64],
    positions: tuple[Int64, Int64],
    waits: Int64,
    colours: Any,
    bounds: tuple[int, int, int],
) -> Any:
    """Draw an image in which each point shows the job at its centre."""
    begin, end, processors = bounds
    top = max(processors, int(positions[1].max()))
    height, width = min(top, _HEIGHT), min(end - begin, _WIDTH)
    left, right = (
        np.clip(np.ceil((t - begin) * (width / (end - begin)) - 0.5), 0, width).astype(int)
        for t in times
    )
    low, high = (np.ceil(p * (height / top) - 0.5).astype(int) for p in positions)
    picture = np.full((height, width), np.nan)
    for at in np.flatnonzero((left < right) & (low < high)):
        picture[low[at] : high[at], left[at] : right[at]] = waits[at]
    return axes.imshow(
        picture, origin="lower", aspect="auto", interpolation="nearest", cmap=SHADES,
        norm=colours, extent=(begin, end, 0, top),
    )  # fmt: skip
