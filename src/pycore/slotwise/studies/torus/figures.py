"""Heat maps of the tables, and curves of the improvement against window size."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.pictures.figure import new_figure
from slotwise.studies.torus.paper import SHARES, SOLVERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from slotwise.studies.row import Row


_LINEAR = 10.0
_HUGE = 100.0
"""If any value exceeds `_HUGE` percent, the colours are logarithmic beyond `_LINEAR` percent."""

_PLAIN = "{x:g}"


def heat_map(title: str, rows: Sequence[Row]) -> Figure:
    """Draw a table: β down, α across, one panel per solver, and the paper's panels below ours.

    The spread over the seeds is below each of our figures.
    """
    panels = [(f"{solver}, ours", _grid(rows, solver, "ours")) for solver in SOLVERS]
    if any(row.paper is not None for row in rows):
        panels += [(f"{solver}, paper", _grid(rows, solver, "paper")) for solver in SOLVERS]
    figure = new_figure(8.4, 1.0 + 3.4 * (len(panels) // 2))
    figure.suptitle(title)
    axes = figure.subplots(len(panels) // 2, 2, squeeze=False).ravel()
    largest = max(float(np.nanmax(np.abs([values for _, values in panels]))), 1e-9)
    norm = _norm(largest)
    spreads = [_grid(rows, solver, "spread") for solver in SOLVERS]
    for axis, (name, values), spread in zip_longest(axes, panels, spreads):
        image = axis.imshow(values, cmap="RdBu", norm=norm)
        axis.set_title(name, fontsize=10)
        axis.set_xticks(range(len(SHARES)), [f"{share} %" for share in SHARES])
        axis.set_yticks(range(len(SHARES)), [f"{share} %" for share in SHARES])
        axis.set_xlabel("impact \N{GREEK SMALL LETTER ALPHA}")
        axis.set_ylabel("sensitive jobs \N{GREEK SMALL LETTER BETA}")
        for (line, column), value in np.ndenumerate(values):
            dark = abs(norm(value) - 0.5) > 0.3
            written = _short(value)
            if spread is not None and not np.isnan(spread[line, column]):
                written += f"\n± {_short(spread[line, column])}"
            axis.text(
                column, line, written, ha="center", va="center", fontsize=8,
                color="white" if dark else "black",
            )  # fmt: skip
    bar = figure.colorbar(image, ax=list(axes), shrink=0.8, format=_PLAIN)
    bar.minorticks_off()
    bar.set_label("better than FCFS + EASY, percent")
    return figure


def window_curves(rows: Sequence[Row]) -> Figure:
    """Plot improvements against window size: a row of panels per trace, a panel per metric."""
    traces = list(dict.fromkeys(row.keys["trace"] for row in rows))
    metrics = list(dict.fromkeys(row.keys["metric"] for row in rows))
    figure = new_figure(3.6 * len(metrics), 3.0 * len(traces) + 0.6)
    axes: Any = figure.subplots(len(traces), len(metrics), squeeze=False)
    for line, trace in enumerate(traces):
        for column, metric in enumerate(metrics):
            axis = axes[line][column]
            for solver, colour in zip(SOLVERS, ("tab:blue", "tab:orange"), strict=True):
                for behind, style in (("no", "-"), ("yes", "--")):
                    chosen = [
                        row for row in rows
                        if row.keys["trace"] == trace and row.keys["metric"] == metric
                        and row.keys["solver"] == solver and row.keys["backfilling"] == behind
                    ]  # fmt: skip
                    label = solver + (", backfilling" if behind == "yes" else "")
                    sizes = [row.keys["window"] for row in chosen]
                    axis.plot(
                        sizes, [row.ours for row in chosen], style, color=colour, marker=".",
                        label=label,
                    )  # fmt: skip
            axis.axhline(0, color="grey", linewidth=0.8)
            shown = [row.ours or 0 for row in rows if row.keys["metric"] == metric]
            if max(map(abs, shown)) > _HUGE:
                axis.set_yscale("symlog", linthresh=_LINEAR)
                axis.yaxis.set_major_formatter(_PLAIN)
            axis.set_title(f"{metric}, {trace}", fontsize=9)
            axis.set_xlabel("window, jobs")
            axis.set_ylabel("better than FCFS + EASY, percent")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=9)
    return figure


def _norm(largest: float) -> Any:
    """Return the colour scale, with 0 in its middle."""
    from matplotlib.colors import Normalize, SymLogNorm

    if largest <= _HUGE:
        return Normalize(-largest, largest)
    return SymLogNorm(_LINEAR, vmin=-largest, vmax=largest)


def _grid(rows: Sequence[Row], solver: str, figure: str) -> Any:
    values = np.full((len(SHARES), len(SHARES)), np.nan)
    for row in rows:
        if row.keys["solver"] == solver and getattr(row, figure) is not None:
            alpha, beta = int(row.keys["alpha"]), int(row.keys["beta"])
            values[SHARES.index(beta), SHARES.index(alpha)] = getattr(row, figure)
    return values


def _short(value: float) -> str:
    written = f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}"
    return written.replace("-", "\N{MINUS SIGN}")
