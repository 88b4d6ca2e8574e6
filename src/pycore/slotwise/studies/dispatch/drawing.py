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
"""What is drawn together: the paper's choice and PBS, as in the paper, and the heuristics. `lists
MKS` is left out: it is hardly ever told from MKS."""

STYLES: dict[str, dict[str, Any]] = {
    BEST: {"color": "tab:blue"},
    "PBS": {"color": "black", "linestyle": "--"},
}
"""Solid and dashed, as the paper has them."""


def curves(title: str, series: str, measured: Mapping[str, Measures]) -> Figure:
    """Draw a series of `Measures.series` over time, a line a dispatcher."""
    figure, panels = _panels(title, list(measured))
    for axes, names in panels:
        for name in names:
            time, value = measured[name].series()[series]
            # Before the first change nothing runs; a job submitted at 0 changes at 0.
            axes.step(time / 3600, value, where="post", label=name, **_style(name))
        axes.axvline(WINDOW / 3600, color="grey", linewidth=0.8, linestyle=":")
        axes.set_xlim(0, SHOWN_HOURS)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("hours since the first submit; no arrivals after the dotted line")
        axes.set_ylabel(series)
        axes.legend(fontsize=8)
    return figure


def bars(title: str, measured: Mapping[str, Measures]) -> Figure:
    """Draw the histogram of waits over the expected wait, a bar a dispatcher in every bin."""
    figure, panels = _panels(title, list(measured))
    for axes, names in panels:
        width = 0.85 / len(names)
        for place, name in enumerate(names):
            at = np.arange(len(BIN_NAMES)) + (place - (len(names) - 1) / 2) * width
            its_style = {"color": _style(name).get("color")}
            axes.bar(at, measured[name].histogram(), width=width, label=name, **its_style)
        axes.set_xticks(range(len(BIN_NAMES)), BIN_NAMES, fontsize=8)
        axes.set_xlabel("wait over the expected wait of the job's queue")
        axes.set_ylabel("jobs that wait")
        axes.legend(fontsize=8)
    return figure


def _panels(title: str, names: Sequence[str]) -> tuple[Figure, list[tuple[Any, list[str]]]]:
    """Make a panel for the comparison, and one for the paper's models where there are several."""
    models = [name for name in names if name in MODELS]
    chosen = [[name for name in BESIDE if name in names]] + ([models] if len(models) > 1 else [])
    figure = new_figure(6.8 * len(chosen), 3.8)
    figure.suptitle(title)
    axes = figure.subplots(1, len(chosen), sharey=True, squeeze=False).ravel()
    return figure, list(zip(axes, chosen, strict=True))


def _style(name: str) -> dict[str, Any]:
    return {"linewidth": 1.2, **STYLES.get(name, {})}
