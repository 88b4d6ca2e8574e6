"""The figures of the paper, drawn from our rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from slotwise.studies.queues.paper import FIGURES
from slotwise.studies.queues.rows import UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from slotwise.studies.queues.rows import Months

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""Colours of queues: Okabe and Ito's, which colour-blind readers can distinguish."""
COLOUR_OF = {
    "static": "#9a9a9a",
    "proportional": "#e69f00",
    "nlp": "#56b4e9",
    "reconfigure": "#0072b2",
    "hybrid": "#009e73",
    "nonpartitioned": "#d55e00",
    "mqb": "#cc79a7",
    "mqb adaptive": "#e7bfd6",
    "search": "#222222",
}
"""Colours of strategies, the same in every figure."""
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
    """Return the function that draws each figure, by name."""
    drawn: dict[str, Callable[[], Figure]] = {
        "figure-1": partial(_alone, facts, "wait", 1 / 3600, "mean wait in hours"),
        "figure-2": partial(_alone, facts, "utilisation", 1.0, "utilisation"),
        "figure-4": partial(_by_day, facts),
        "figure-5": partial(_by_month, facts),
        "figure-6": partial(_by_interval, facts),
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
    """Draw bars by month and strategy: means over the seeds, with lines from minimum to maximum."""
    from slotwise.pictures.figure import new_figure

    months = list(seeds[0])
    figure = new_figure(max(7.5, 1.0 + 0.17 * len(months) * (len(strategies) + 1.5)), 3.6)
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
            places, means, width * 0.94, color=COLOUR_OF[strategy], label=WORDS[strategy],
            yerr=spread, error_kw={"elinewidth": 0.7, "ecolor": "#444444"},
        )  # fmt: skip
    axes.set_xticks(range(len(months)), months)
    if len(months) > 12:
        axes.tick_params(axis="x", rotation=60)
    lines = f"; lines show the range over {len(seeds)} seeds" if len(seeds) > 1 else ""
    _tidy(axes, f"month{lines}", LABELS[name])
    figure.legend(loc="outside upper center", ncols=min(len(strategies), 3), frameon=False,
                  fontsize="small")  # fmt: skip
    return figure


def _alone(facts: Mapping[str, Any], name: str, unit: float, label: str) -> Figure:
    from slotwise.pictures.figure import new_figure

    figure = new_figure(6.0, 3.6)
    axes = figure.add_subplot()
    for k, (queue, curve) in enumerate(facts["alone"].items()):
        axes.plot(
            curve["processors"], [unit * v for v in curve[name]], marker="o", markersize=2.5,
            linewidth=1.2, color=COLOURS[k % len(COLOURS)], label=queue,
        )  # fmt: skip
    axes.set_xscale("log")
    if name == "wait":
        axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    _tidy(axes, f"processors of the queue's partition, {facts['month']}", label)
    axes.legend(frameon=False, fontsize="small")
    return figure


def _by_day(facts: Mapping[str, Any]) -> Figure:
    """Draw CPU hours per day, one panel for each of the three queues with the most CPU hours."""
    from slotwise.pictures.figure import new_figure

    queues = list(facts["day"])
    largest = sorted(queues, key=lambda q: -sum(facts["day"][q]))[:3]
    shown = [queue for queue in queues if queue in largest]
    most = 1.05 * max(max(facts["day"][queue]) for queue in shown) / 1000
    figure = new_figure(8.0, 1.5 * len(shown) + 0.4)
    panels = figure.subplots(len(shown), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, queue in zip(panels, shown, strict=True):
        hours = [h / 1000 for h in facts["day"][queue]]
        colour = COLOURS[queues.index(queue) % len(COLOURS)]
        axes.fill_between(range(1, len(hours) + 1), hours, color=colour, linewidth=0)
        axes.set_ylim(0, most)
        _tidy(axes, "day" if axes is panels[-1] else "", queue)
    figure.supylabel("thousand CPU hours", fontsize="medium")
    return figure


def _by_interval(facts: Mapping[str, Any]) -> Figure:
    """Draw CPU hours per ten days, and per month."""
    from slotwise.pictures.figure import new_figure

    figure = new_figure(9.0, 3.4)
    for axes, span, label in zip(
        figure.subplots(1, 2), ("ten days", "month hours"), ("interval of ten days", "month"),
        strict=True,
    ):  # fmt: skip
        for k, (queue, hours) in enumerate(facts[span].items()):
            axes.plot(
                range(1, len(hours) + 1), [h / 1e6 for h in hours], linewidth=1.2, marker="o",
                markersize=2.5, color=COLOURS[k % len(COLOURS)],
                label=queue if span == "ten days" else None,
            )  # fmt: skip
        if span == "month hours":
            months = facts["months"]
            shown = range(0, len(months), -(-len(months) // 5))
            axes.set_xticks([k + 1 for k in shown], [months[k] for k in shown])
        axes.set_ylim(bottom=0)
        _tidy(axes, label, "million CPU hours")
    figure.legend(loc="outside upper center", ncols=6, frameon=False, fontsize="small")
    return figure


def _by_month(facts: Mapping[str, Any]) -> Figure:
    from slotwise.pictures.figure import new_figure

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
