"""Figures 1 to 6: curves over time, and bars of waits, of every dispatcher of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.pictures.figure import new_figure
from slotwise.studies.dispatch import BEST
from slotwise.studies.dispatch.measures import BIN_NAMES, WINDOW
from slotwise.studies.dispatch.models import MODELS
from slotwise.studies.dispatch.replays import BACKFILLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from slotwise.studies.dispatch.measures import Measures

SHOWN_HOURS = 4
BESIDE = (BEST, "PBS", *BACKFILLS, "lists WT")
"""What is drawn together: the paper's choice and PBS, solid and dashed as there; the heuristics,
but for `lists MKS`, which is hardly ever told from MKS."""

COLOURS = {
    BEST: "tab:blue",
    "PBS": "black",
    "easy": "tab:orange",
    "conservative": "tab:green",
    "lists WT": "tab:red",
    "MKS": "tab:gray",
    "NL": "tab:olive",
    "NL MKS/WT": "tab:brown",
    "WT": "tab:purple",
    "WT MKS/NL": "tab:pink",
}


def curves(title: str, series: str, measured: Mapping[str, Measures]) -> Figure:
    """Draw a series of `Measures.series` over time, a line a dispatcher."""
    figure, panels = _panels(title, series, list(measured))
    for axes, names in panels:
        for name in names:
            time, value = measured[name].series()[series]
            # Before the first change nothing runs; a job submitted at 0 changes at 0.
            axes.step(
                time / 3600, value, where="post", label=name, color=COLOURS[name], linewidth=1.2,
                linestyle="--" if name == "PBS" else "-", zorder=3 if name == BEST else 2,
            )  # fmt: skip
        axes.axvline(WINDOW / 3600, color="grey", linewidth=0.8, linestyle=":")
        axes.set_xlim(0, SHOWN_HOURS)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("hours since the first submit; no arrivals after the dotted line")
        axes.legend(fontsize=8)
    return figure


def bars(title: str, measured: Mapping[str, Measures]) -> Figure:
    """Draw the histogram of waits over the expected wait, a bar a dispatcher in every bin."""
    figure, panels = _panels(title, "jobs that wait", list(measured))
    for axes, names in panels:
        width = 0.85 / len(names)
        for place, name in enumerate(names):
            at = np.arange(len(BIN_NAMES)) + (place - (len(names) - 1) / 2) * width
            axes.bar(at, measured[name].histogram(), width=width, label=name, color=COLOURS[name])
        axes.set_xticks(range(len(BIN_NAMES)), BIN_NAMES, fontsize=8)
        axes.set_xlabel("wait over the expected wait of the job's queue")
        axes.set_yscale("log")
        axes.set_ylim(bottom=0.7)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.legend(fontsize=8)
    return figure


def _panels(
    title: str, counted: str, names: Sequence[str]
) -> tuple[Figure, list[tuple[Any, list[str]]]]:
    """Make a panel for the comparison, and one for the paper's models where there are several."""
    models = [name for name in names if name in MODELS]
    chosen = [[name for name in BESIDE if name in names]] + ([models] if len(models) > 1 else [])
    figure = new_figure(6.0 * len(chosen), 3.8)
    figure.suptitle(title)
    axes = figure.subplots(1, len(chosen), sharey=True, squeeze=False).ravel()
    axes[0].set_ylabel(counted)
    return figure, list(zip(axes, chosen, strict=True))
