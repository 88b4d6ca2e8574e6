"""The style of all charts: colours, lines and time axes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from slotwise import extras, text
from slotwise.pictures.figure import new_figure
from slotwise.site.dates import dates_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from slotwise.replay.replay_data import ReplayData

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours of series, in order, which colour-blind readers can tell apart [1]_.

.. [1] M. Okabe, K. Ito: Color Universal Design, 2008, https://jfly.uni-koeln.de/color/.
"""
LINES = ("-", "--", "-.", ":")
"""Line styles, in order, so that no series is identified by its colour alone."""
SHADES = "cividis"
"""Colour scale for amounts: equal steps look equal, with and without colour."""
PALE = "#C3CDD8"
INK = "#3C4650"

_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "font.size": 9,
    "grid.color": "#E6E9ED",
    "grid.linewidth": 0.8,
    "xtick.color": INK,
    "ytick.color": INK,
}


def axes_of(given: Axes | None, width: float = 7.2, height: float = 3.6) -> Axes:
    """Return the Axes to draw on: those given, otherwise new ones of a given size in inches.

    If pyplot is in use, as in a notebook, new Axes belong to it, so that the notebook shows them.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    matplotlib = extras.load("matplotlib")
    if given is not None:
        return given
    # The figure is created outside `rc_context`: the first figure loads a backend, and the
    # backend's settings must remain in effect afterwards.
    if "matplotlib.pyplot" in sys.modules or "IPython" in sys.modules:
        pyplot = extras.load("matplotlib.pyplot")
        figure = pyplot.figure(figsize=(width, height), layout="constrained")
    else:
        figure = new_figure(width, height)
    with matplotlib.rc_context(_STYLE):
        axes: Axes = figure.subplots()
    return axes


def series(position: int) -> dict[str, Any]:
    """Return the colour and line style of a series by its position."""
    return {
        "color": COLOURS[position % len(COLOURS)],
        "linestyle": LINES[position % len(LINES)],
        "linewidth": 1.6,
    }


def show_legend(axes: Axes, columns: int | None = None) -> None:
    """Put the legend inside the Axes, or above them in a given number of columns."""
    place: dict[str, Any] = {"loc": "lower right"}
    if columns is not None:
        place = {
            "loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": columns, "borderaxespad": 0.2,
            "columnspacing": 1.2, "handlelength": 1.6,
        }  # fmt: skip
    axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, **place)


def show_time(axes: Axes, replay: ReplayData, begin: int, end: int) -> None:
    """Label the x axis, which shows seconds of the trace, with the time since `begin`."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    clock = dates_of(replay.trace, replay.site.clock)
    unit, name = next(
        (unit, name)
        for unit, name in ((text.DAY, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))
        if end - begin >= 4 * unit or unit == 1
    )
    since = f"second {begin:,}" if clock is None else clock.date(begin)
    locator = MaxNLocator(nbins=8, steps=[1, 2, 5, 10])
    first, last = 0.0, (end - begin) / unit
    ticks = [tick for tick in locator.tick_values(first, last) if first <= tick <= last]
    axes.set_xticks([begin + tick * unit for tick in ticks])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{(x - begin) / unit:,.10g}"))
    axes.set_xlabel(f"{name} since {since}")
    axes.set_xlim(begin, end)


def show_durations(axes: Axes, largest: float, *, along: str = "x") -> None:
    """Put the ticks of an axis of seconds at common durations: 1 min, 1 h, 1 d."""
    steps = [(60, "1 min"), (600, "10 min"), (3600, "1 h"), (6 * 3600, "6 h"), (text.DAY, "1 d"),
             (7 * text.DAY, "1 wk"), (30 * text.DAY, "30 d"), (365 * text.DAY, "1 yr")]  # fmt: skip
    known = [(0.0, "0"), *((s, name) for s, name in steps if s <= max(largest, 60))]
    axis = getattr(axes, f"{along}axis")
    axis.set_ticks([at for at, _ in known], [name for _, name in known])
    axis.set_minor_locator(extras.load("matplotlib.ticker").NullLocator())
