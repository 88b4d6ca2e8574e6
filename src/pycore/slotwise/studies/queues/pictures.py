"""The figures of the paper, drawn of our rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from slotwise.studies.queues.paper import FIGURES
from slotwise.studies.queues.tables import UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from slotwise.studies.queues.tables import Months

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""Okabe and Ito's, which colour-blind readers tell apart."""
WORDS = {
    "static": "static",
    "proportional": "proportional (PP)",
    "nlp": "nonlinear program (DP-NLPM)",
    "reconfigure": "split and merged (DQR)",
    "hybrid": "hybrid",
    "nonpartitioned": "not partitioned",
    "mqb": "multiple queues (MQB)",
    "mqb adaptive": "MQB, self-adapting",
    "search": "direct search",
}
LABELS = {
    "wait": "mean wait in hours",
    "slowdown": "bounded slowdown",
    "utilisation": "utilisation",
}


def pictures_of(
    seeds: Sequence[Months], facts: Mapping[str, Any]
) -> dict[str, Callable[[], Figure]]:
    """Return what draws each figure, by name."""
    drawn: dict[str, Callable[[], Figure]] = {
        "figure-1": partial(_alone, facts, "wait", 1 / 3600, "mean wait in hours"),
        "figure-2": partial(_alone, facts, "utilisation", 1.0, "utilisation"),
        "figure-4": partial(_over_time, facts, "day", "day"),
        "figure-5": partial(_by_month, facts),
        "figure-6": partial(_over_time, facts, "ten days", "interval of ten days"),
    }
    for table, (name, strategies) in FIGURES.items():
        kept = [s for s in strategies if s in next(iter(seeds[0].values()))]
        drawn[table.replace(" ", "-")] = partial(_compared, seeds, name, kept)
    everything = [s for s in WORDS if s in next(iter(seeds[0].values()))]
    drawn["all-strategies"] = partial(_compared, seeds, "wait", everything)
    return drawn


def _tidy(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _compared(seeds: Sequence[Months], name: str, strategies: Sequence[str]) -> Figure:
    """Bars by month and strategy; a mean with a line from the least to the most of the seeds."""
    from slotwise.studies.pictures import new_figure

    months = list(seeds[0])
    figure = new_figure(max(6.0, 1.0 + 0.17 * len(months) * (len(strategies) + 1.5)), 3.6)
    axes = figure.add_subplot()
    width = 0.84 / len(strategies)
    for k, strategy in enumerate(strategies):
        values = [[UNITS[name] * float(s[m][strategy][name]) for s in seeds] for m in months]
        means = [sum(v) / len(v) for v in values]
        places = [i + (k - (len(strategies) - 1) / 2) * width for i in range(len(months))]
        spread = (
            [[m - min(v) for m, v in zip(means, values, strict=True)],
             [max(v) - m for m, v in zip(means, values, strict=True)]]
            if len(seeds) > 1 else None
        )  # fmt: skip
        axes.bar(
            places, means, width * 0.94, color=COLOURS[k % len(COLOURS)], label=WORDS[strategy],
            yerr=spread, error_kw={"elinewidth": 0.7, "ecolor": "#444444"},
            hatch="//" if k >= len(COLOURS) else None, edgecolor="white", linewidth=0,
        )  # fmt: skip
    axes.set_xticks(range(len(months)), months)
    if len(months) > 12:
        axes.tick_params(axis="x", rotation=60)
    _tidy(axes, "month", LABELS[name])
    figure.legend(loc="outside upper center", ncols=min(len(strategies), 4), frameon=False,
                  fontsize="small")  # fmt: skip
    return figure


def _alone(facts: Mapping[str, Any], name: str, unit: float, label: str) -> Figure:
    from slotwise.studies.pictures import new_figure

    figure = new_figure(6.0, 3.6)
    axes = figure.add_subplot()
    for k, (queue, curve) in enumerate(facts["alone"].items()):
        axes.plot(
            curve["processors"], [unit * v for v in curve[name]], marker="o", markersize=2.5,
            linewidth=1.2, color=COLOURS[k % len(COLOURS)], label=queue,
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    _tidy(axes, f"processors of the queue's partition, {facts['month']}", label)
    axes.legend(frameon=False, fontsize="small")
    return figure


def _over_time(facts: Mapping[str, Any], span: str, label: str) -> Figure:
    from slotwise.studies.pictures import new_figure

    figure = new_figure(8.0, 3.4)
    axes = figure.add_subplot()
    for k, (queue, hours) in enumerate(facts[span].items()):
        axes.plot(
            range(1, len(hours) + 1), [h / 1000 for h in hours], linewidth=1.0,
            color=COLOURS[k % len(COLOURS)], label=queue,
        )  # fmt: skip
    axes.set_ylim(bottom=0)
    _tidy(axes, label, "thousand CPU hours")
    figure.legend(loc="outside upper center", ncols=6, frameon=False, fontsize="small")
    return figure


def _by_month(facts: Mapping[str, Any]) -> Figure:
    from slotwise.studies.pictures import new_figure

    figure = new_figure(8.0, 3.6)
    axes = figure.add_subplot()
    months = facts["months"]
    below = [0.0] * len(months)
    for k, (queue, hours) in enumerate(facts["month hours"].items()):
        values = [h / 1e6 for h in hours]
        axes.bar(range(len(months)), values, 0.7, bottom=below, label=queue,
                 color=COLOURS[k % len(COLOURS)])  # fmt: skip
        below = [a + b for a, b in zip(below, values, strict=True)]
    axes.set_xticks(range(len(months)), months)
    if len(months) > 12:
        axes.tick_params(axis="x", rotation=60)
    _tidy(axes, "month", "million CPU hours")
    figure.legend(loc="outside upper center", ncols=6, frameon=False, fontsize="small")
    return figure
