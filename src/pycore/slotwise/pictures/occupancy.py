"""Picture of the nodes of a torus over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.pictures.colours import FREE, job_colours
from slotwise.pictures.figure import new_figure
from slotwise.pictures.node_intervals import all_intervals, free_at
from slotwise.replay.placements import torus_of
from slotwise.site.dates import dates_of
from slotwise.text import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

_WIDTH, _HEIGHT = 1600, 800
"""Maximum size of the picture in pixels; a pixel shows the node and second at its centre."""

_MOST_JOBS = 4000
"""Maximum number of jobs drawn in colour; with more, each would get only a few pixels."""

_UNITS = ((2 * 86400, "day", 86400), (2 * 3600, "hour", 3600), (0, "minute", 60))
"""Units of time: the shortest span shown in the unit, the unit's name, and the unit in seconds."""


_MOMENTS = 400
"""Number of moments at which free nodes are counted."""


def plot_occupancy(
    result: ReplayData, begin: int | None = None, end: int | None = None, *, mark: int | None = None
) -> Figure:
    """Draw the jobs on a torus in colour: time to the right, nodes upwards in node order.

    Grey nodes are free; grey between colours is fragmentation. If there are too many jobs to
    distinguish, the busy share of each node is drawn instead. The lower part shows the number of
    free nodes and the size of the largest free slot.

    Parameters
    ----------
    result : Result
        Result on a torus.
    begin, end : int, optional
        Seconds on the trace's clock. Default: the first start and the last end.
    mark : int, optional
        Moment marked by a line, in seconds on the same clock.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If the machine is not a torus, no job ran, or `end` is not after `begin`.
    MissingExtraError
        If matplotlib is not installed.
    """
    torus_of(result)
    started = result.start >= 0
    if not started.any():
        raise ValueError("no job in this result started, so there is nothing to draw")
    begin = int(result.start[started].min()) if begin is None else begin
    end = max(int(result.end[started].max()), begin + 1) if end is None else end
    if end <= begin:
        raise ValueError(f"begin is {begin} and end is {end}; end must be after begin")
    figure = new_figure(10, 6.2)
    axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(5, 1))
    unit, seconds = next((u, s) for least, u, s in _UNITS if end - begin >= least)
    _draw_nodes(axes, result, begin, end, seconds)
    _draw_free(below, result, begin, end, seconds)
    clock = dates_of(result.trace, result.site.clock)
    since = f"second {begin:,}" if clock is None else clock.date(begin)
    below.set_xlabel(f"{unit}s since {since}")
    if mark is not None:
        for panel in (axes, below):
            panel.axvline((mark - begin) / seconds, color="black", linewidth=0.8, linestyle="--")
    return figure


def _draw_nodes(axes: Axes, result: ReplayData, begin: int, end: int, seconds: int) -> None:
    torus = torus_of(result)
    ran = (result.start >= 0) & (result.start < end) & (result.end > begin)
    jobs = int(np.count_nonzero(ran))
    distinct = jobs <= _MOST_JOBS
    image = axes.imshow(
        (occupancy if distinct else busy_share)(result, begin, end),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        extent=(0, (end - begin) / seconds, 0, torus.nodes),
        cmap=_shades(),
        vmin=0,
        vmax=1,
    )
    if not distinct:
        axes.figure.colorbar(image, ax=axes, label="share of time busy", pad=0.01)
    axes.set_ylabel(f"position along the {torus.order} order")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    shades = "jobs in colour, free nodes in grey" if distinct else "darker nodes were busier"
    axes.set_title(f"Torus {torus}: {plural(jobs, 'job')}; {shades}", loc="left", fontsize=10)


def _draw_free(axes: Axes, result: ReplayData, begin: int, end: int, seconds: int) -> None:
    times = np.unique(np.linspace(begin, end, _MOMENTS, endpoint=False).astype(np.int64))
    free, largest = free_at(result, times)
    at = (np.append(times, end) - begin) / seconds
    for nodes, label, colour in (
        (free, "free nodes", "lightgrey"),
        (largest, "largest slot of free nodes", "tab:blue"),
    ):
        steps = np.append(nodes, nodes[-1])
        axes.fill_between(at, steps, step="post", color=colour, label=label, linewidth=0)
    axes.set_ylim(0, torus_of(result).nodes)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylabel("free nodes")
    axes.legend(loc="upper left", ncols=2, fontsize=8, framealpha=0.8)


def _shades() -> Any:
    """Return a colour scale from the grey of free nodes to dark blue."""
    from matplotlib.colors import LinearSegmentedColormap

    grey = tuple(part / 255 for part in FREE)
    return LinearSegmentedColormap.from_list("busy", [grey, (0.1, 0.2, 0.45)])


def occupancy(result: ReplayData, begin: int, end: int) -> NDArray[np.uint8]:
    """Return the picture as colours, sampled if necessary: (positions, times, 3)."""
    nodes = torus_of(result).nodes
    every = all_intervals(result)
    start, stop = result.start[every.row], result.end[every.row]
    height, width = min(nodes, _HEIGHT), min(end - begin, _WIDTH)
    # Pixel i shows the job at its centre, i + 1/2 steps from the edge.
    left, right = (
        np.clip(np.ceil((t - begin) * (width / (end - begin)) - 0.5), 0, width).astype(int)
        for t in (start, stop)
    )
    low, high = (np.ceil(p * (height / nodes) - 0.5).astype(int) for p in (every.begin, every.end))
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = FREE
    seen = np.flatnonzero((start >= 0) & (left < right) & (low < high))
    for at, colour in zip(seen, job_colours(every.row[seen]), strict=True):
        picture[low[at] : high[at], left[at] : right[at]] = colour
    return picture


def busy_share(result: ReplayData, begin: int, end: int) -> NDArray[np.float64]:
    """Return the busy share of node-time in each pixel: (positions, times)."""
    nodes = torus_of(result).nodes
    every = all_intervals(result)
    start, stop = result.start[every.row], result.end[every.row]
    height, width = min(nodes, _HEIGHT), min(end - begin, _WIDTH)
    # Each interval of nodes is a rectangle in the picture. Its four corners are marked, and
    # cumulative sums along both axes then fill the rectangle.
    share = np.zeros((height + 2, width + 2))
    for time, sign in ((start, 1.0), (stop, -1.0)):
        x = np.clip((time - begin) * (width / (end - begin)), 0, width)
        for position, other in ((every.begin, sign), (every.end, -sign)):
            _add_corners(share, position * (height / nodes), x, other)
    summed: NDArray[np.float64] = share.cumsum(axis=0).cumsum(axis=1)[:height, :width]
    return np.clip(summed, 0, 1)


def _add_corners(share: NDArray[np.float64], y: NDArray[Any], x: NDArray[Any], sign: float) -> None:
    """Distribute each rectangle corner over the four pixels around it, weighted by position."""
    row, column = np.floor(y).astype(int), np.floor(x).astype(int)
    below, left = y - row, x - column
    for down, down_part in ((0, 1 - below), (1, below)):
        for across, across_part in ((0, 1 - left), (1, left)):
            np.add.at(share, (row + down, column + across), sign * down_part * across_part)
