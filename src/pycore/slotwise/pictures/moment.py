"""Draws the nodes of a torus at one moment, coloured by job: in node order and as slices."""

from __future__ import annotations

from math import ceil, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.pictures.colours import FREE, job_colours
from slotwise.pictures.figure import new_figure
from slotwise.pictures.node_intervals import Intervals, fragmented_moment, free_slots, intervals_at
from slotwise.replay.placements import torus_of
from slotwise.site.dates import dates_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.site.machine.torus import Torus

_WIDTH = 10
"""Width of the picture in inches."""

_MOST_HEIGHT = 6
_MOST_SLICES = 64
_AXES = "xyzuvw"


def plot_nodes(result: ReplayData, time: int | None = None) -> Figure:
    """Draw the nodes of a torus and their jobs at one moment.

    The upper part shows the nodes in node order. The lower part shows them in space: each slice
    spans the last two axes.

    Parameters
    ----------
    result : Result
        Result on a torus.
    time : int, optional
        Seconds on the trace's clock. Default: `fragmented_moment`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If the machine is not a torus.
    MissingExtraError
        If matplotlib is not installed.
    """
    torus = torus_of(result)
    time = fragmented_moment(result) if time is None else time
    taken = intervals_at(result, time)
    line = _line_of_colours(taken, torus)
    shown = _slices(torus, line)
    across = _columns(shown)
    height = _WIDTH / across * _aspect(shown) * ceil(len(shown) / across) if shown else 0
    height = min(height, _MOST_HEIGHT)
    figure = new_figure(_WIDTH, 1.4 + height)
    heights = [1.4, height] if shown else [1.4]
    parts: Any = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    parts[0].suptitle(_title(result, torus, taken, time), x=0.01, ha="left", fontsize=10)
    _draw_line(parts[0].subplots(), line, torus)
    if shown:
        _draw_slices(parts[1], shown, across, torus)
    return figure


def _line_of_colours(taken: Intervals, torus: Torus) -> NDArray[np.uint8]:
    line = np.empty((torus.nodes, 3), np.uint8)
    line[:] = FREE
    for begin, end, colour in zip(taken.begin, taken.end, job_colours(taken.row), strict=True):
        line[begin:end] = colour
    return line


def _slices(torus: Torus, line: NDArray[np.uint8]) -> list[tuple[str, NDArray[np.uint8]]]:
    """Slice the torus along all axes except the last two; a one-dimensional torus has no slices."""
    sides = [side for side in torus.shape if side > 1]
    if len(sides) < 2:
        return []
    names = [_AXES[axis] for axis, side in enumerate(torus.shape) if side > 1]
    box = np.empty((*torus.shape, 3), np.uint8)
    box[tuple(torus.coordinates(np.arange(torus.nodes)).T)] = line
    layers = box.reshape(-1, *sides[-2:], 3)
    labels = [
        ", ".join(f"{name} = {i}" for name, i in zip(names[:-2], index, strict=True))
        for index in np.ndindex(*sides[:-2])
    ]
    every = ceil(len(layers) / _MOST_SLICES)
    return list(zip(labels[::every], layers[::every], strict=True))


def _aspect(shown: list[tuple[str, NDArray[np.uint8]]]) -> float:
    """Return the ratio of height to width of the space that a slice and its label need."""
    rows, columns = shown[0][1].shape[:2]
    height: float = min(max(rows / columns, 0.1), 4.0)
    return height + (0.16 if shown[0][0] else 0.05)


def _columns(shown: list[tuple[str, NDArray[np.uint8]]]) -> int:
    """Return the number of slices per row that makes the picture about half as high as wide."""

    def unlike(across: int) -> float:
        down = ceil(len(shown) / across)
        return abs(_aspect(shown) * down / across - 0.5) + (across * down / len(shown) - 1)

    return min(range(1, len(shown) + 1), key=unlike, default=1)


def _draw_line(axes: Axes, line: NDArray[np.uint8], torus: Torus) -> None:
    axes.imshow(line[None], aspect="auto", interpolation="nearest", extent=(0, torus.nodes, 0, 1))
    axes.set_yticks([])
    axes.tick_params(labelsize=8)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel(f"position along the {torus.order} order", fontsize=8)


def _draw_slices(
    part: Any, shown: list[tuple[str, NDArray[np.uint8]]], across: int, torus: Torus
) -> None:
    down = ceil(len(shown) / across)
    panels = np.atleast_1d(part.subplots(down, across, squeeze=False)).ravel()
    for panel, (label, layer) in zip(panels, shown, strict=False):
        rows, columns = layer.shape[:2]
        panel.imshow(layer, interpolation="nearest", aspect="auto" if columns > 10 * rows else None)
        panel.set_xticks([])
        panel.set_yticks([])
        panel.set_title(label, fontsize=7, pad=2)
        for side in panel.spines.values():
            side.set_linewidth(0.4)
        if rows * columns <= 400:  # draw grid lines only if the cells are large enough
            panel.set_xticks(np.arange(0.5, columns - 1), minor=True)
            panel.set_yticks(np.arange(0.5, rows - 1), minor=True)
            panel.grid(which="minor", color="white", linewidth=0.5)
            panel.tick_params(which="minor", length=0)
    for panel in panels[len(shown) :]:
        panel.set_axis_off()
    *_, down_axis, right_axis = (_AXES[axis] for axis, side in enumerate(torus.shape) if side > 1)
    part.supxlabel(f"{down_axis} downwards, {right_axis} to the right", fontsize=8)
    slices = prod([side for side in torus.shape if side > 1][:-2])
    if slices > len(shown):
        part.suptitle(f"{len(shown):,} of {slices:,} slices", x=0.01, ha="left", fontsize=8)


def _title(result: ReplayData, torus: Torus, taken: Intervals, time: int) -> str:
    clock = dates_of(result.trace, result.site.clock)
    when = f"second {time:,}" if clock is None else clock.date(time)
    slots = free_slots(taken, torus)
    free = int(slots.sum())
    left = "none is free"
    if len(slots) == 1:
        left = f"{free:,} free (grey), in one slot"
    elif len(slots) > 1:
        left = f"{free:,} free (grey) in {len(slots):,} slots, the largest of {int(slots.max()):,}"
    jobs = len(np.unique(taken.row))
    return (
        f"Torus {torus}, {when}\n{jobs:,} {'job' if jobs == 1 else 'jobs'} on "
        f"{torus.nodes - free:,} of {torus.nodes:,} nodes; {left}"
    )
