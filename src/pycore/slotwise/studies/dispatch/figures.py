"""Figures 1 to 6: a batch's curves over time and histograms of waits, under every dispatcher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.pictures.figure import new_figure
from slotwise.studies.dispatch.measures import BIN_NAMES, WINDOW
from slotwise.studies.dispatch.models import MODELS
from slotwise.studies.dispatch.paper import BEST
from slotwise.studies.dispatch.replays import BACKFILLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from slotwise.studies.dispatch.measures import Measures

    Seeds = Mapping[str, Sequence[Measures]]

SHOWN_HOURS = 4
STEP = 30
"""Seconds between two points of a curve."""
COLUMNS = 5
"""Maximum number of panels per row."""

BESIDE = (BEST, "PBS", *BACKFILLS, "lists WT")
"""Dispatchers shown together as bars; the paper's other models have separate panels."""

COLOURS = {
    BEST: "tab:blue",
    "PBS": "black",
    "easy": "tab:orange",
    "conservative": "tab:green",
    "lists MKS": "tab:cyan",
    "lists WT": "tab:red",
    "MKS": "tab:gray",
    "NL": "tab:olive",
    "NL MKS/WT": "tab:brown",
    "WT": "tab:purple",
    "WT MKS/NL": "tab:pink",
}


def curves(title: str, series: str, measured: Seeds) -> Figure:
    """Draw a series of `Measures.series` over time, one panel per dispatcher.

    The curves of planning dispatchers nearly coincide, so each has its own panel. A panel shows the
    mean over the seeds, and a band from the lowest to the highest value. For comparison, each panel
    also shows PBS as a dashed line and the model that the paper chooses as a thin line.
    """
    names = [name for name in measured if name != "PBS"]
    rows = -(-len(names) // COLUMNS)
    columns = -(-len(names) // rows)
    figure = new_figure(2.6 * columns, 2.4 * rows + 0.8)
    figure.suptitle(title)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, name in zip(panels, names, strict=False):
        _curve(axes, series, measured["PBS"], "PBS", linestyle="--")
        if name != BEST and BEST in measured:
            _curve(axes, series, measured[BEST], BEST, linewidth=0.7, band=False)
        _curve(axes, series, measured[name], name, linewidth=1.4)
        axes.axvline(WINDOW / 3600, color="grey", linewidth=0.8, linestyle=":")
        axes.set_title(name, fontsize=9)
    panels[0].set_xlim(0, SHOWN_HOURS)
    panels[0].set_ylim(bottom=0)  # all panels share their axes
    panels[len(names) - 1].legend(fontsize=7)
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    figure.supxlabel(
        "hours since the first submission; no arrivals after the dotted line", fontsize=9
    )
    figure.supylabel(series, fontsize=9)
    return figure


def _curve(
    axes: Any,
    series: str,
    measured: Sequence[Measures],
    name: str,
    *,
    linestyle: str = "-",
    linewidth: float = 1.0,
    band: bool = True,
) -> None:
    at = np.arange(0, SHOWN_HOURS * 3600 + 1, STEP)
    values = np.array([_sampled(m, series, at) for m in measured], dtype=float)
    axes.plot(
        at / 3600, values.mean(axis=0), label=name, color=COLOURS[name], linestyle=linestyle,
        linewidth=linewidth,
    )  # fmt: skip
    if band and len(values) > 1:
        axes.fill_between(
            at / 3600, values.min(axis=0), values.max(axis=0), color=COLOURS[name], alpha=0.2,
            linewidth=0,
        )  # fmt: skip


def _sampled(measures: Measures, series: str, at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a series at given times; before its first change the series is 0."""
    time, value = measures.series()[series]
    row = np.searchsorted(time, at, side="right") - 1
    sampled: NDArray[np.int64] = np.where(row >= 0, value[row], 0)
    return sampled


def bars(title: str, measured: Seeds) -> Figure:
    """Draw the histogram of waits divided by the expected wait, one bar per dispatcher and bin.

    A bar is the mean over the seeds; the line on it runs from the lowest to the highest value.
    """
    models = [name for name in measured if name in MODELS]
    chosen = [[name for name in BESIDE if name in measured]]
    chosen += [models] if len(models) > 1 else []
    figure = new_figure(6.0 * len(chosen), 3.8)
    figure.suptitle(title)
    panels = figure.subplots(1, len(chosen), sharey=True, squeeze=False).ravel()
    panels[0].set_ylabel("jobs that wait")
    for axes, names in zip(panels, chosen, strict=True):
        width = 0.85 / len(names)
        for place, name in enumerate(names):
            counts = np.array([m.histogram() for m in measured[name]], dtype=float)
            mean = counts.mean(axis=0)
            at = np.arange(len(BIN_NAMES)) + (place - (len(names) - 1) / 2) * width
            spread = np.array([mean - counts.min(axis=0), counts.max(axis=0) - mean])
            axes.bar(
                at, mean, width=width, label=name, color=COLOURS[name],
                yerr=spread if len(counts) > 1 else None,
                error_kw={"elinewidth": 0.7, "ecolor": "0.3"},
            )  # fmt: skip
        axes.set_xticks(range(len(BIN_NAMES)), BIN_NAMES, fontsize=8)
        axes.set_xlabel("wait / expected wait of the job's queue")
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.legend(fontsize=8)
    return figure
