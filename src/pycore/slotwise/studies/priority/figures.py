"""The pictures of the study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.checkpoints import best_checkpoint, daly, young
from slotwise.advice.refunds import Failures, RefundedJob, expected_loss
from slotwise.advice.weights.formula import KRAKEN, QueuedJob, Weights, catch_up, head_start
from slotwise.advice.weights.outcomes import OBJECTIVES
from slotwise.pictures.figure import new_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from slotwise.studies.priority.log_classes import Class, Usage

BLUE, RED, GREY = "#1f5fa8", "#c0392b", "#7f8c8d"
TITLES = {
    "utilisation": "utilisation [%]",
    "mean_wait": "mean wait [h]",
    "mean_bounded_slowdown": "mean bounded slowdown",
    "max_wait": "longest wait [h]",
}


def priority_lines(weights: Weights = KRAKEN) -> Figure:
    """Draw Figures 1 and 3: the scores of two jobs over time, and the time at which they tie."""
    figure = new_figure(10, 4)
    left, right = figure.subplots(1, 2)
    requested, cores, more = 120.0, 1000.0, 2000.0
    begin = head_start(more, requested, weights)
    _two_jobs(
        left,
        (QueuedJob(0, requested, cores), f"{cores:,.0f} cores, submitted at 0"),
        (
            QueuedJob(begin, requested, cores + more),
            f"{cores + more:,.0f} cores, submitted at t*",
        ),
        begin,
        weights,
    )
    left.set_title("More cores (eq. 4): equal priority from t* on")
    waited, less = 60.0, 60.0
    tie = waited + catch_up(requested, less, waited, weights)
    _two_jobs(
        right,
        (QueuedJob(0, requested, cores), f"{requested:.0f} min requested, submitted at 0"),
        (
            QueuedJob(waited, requested - less, cores),
            f"{requested - less:.0f} min requested, submitted at t₀",
        ),
        tie,
        weights,
    )
    right.set_title("Less requested time (eq. 5): a tie, then ahead")
    return figure


def _two_jobs(
    axes: Axes,
    first: tuple[QueuedJob, str],
    second: tuple[QueuedJob, str],
    tie: float,
    weights: Weights,
) -> None:
    end = 1.5 * tie if np.isfinite(tie) and tie > 0 else 600.0
    for (job, label), colour, style in ((first, BLUE, "-"), (second, RED, "--")):
        minutes = np.array([job.submit, max(end, job.submit + 1)])
        axes.plot(
            minutes,
            [job.points(m, weights) for m in minutes],
            style,
            color=colour,
            label=label,
        )
    if np.isfinite(tie):
        axes.axvline(tie, color=GREY, linestyle=":", label=f"tie at {tie:,.0f} min")
    axes.set_xlabel("time [min]")
    axes.set_ylabel("priority")
    axes.legend(frameon=False)


def wait_bars(classes: Sequence[Class], what: str) -> Figure:
    """Draw Figure 2 or 4: mean and median waits by class."""
    figure = new_figure(9, 4)
    axes = figure.subplots()
    place = np.arange(len(classes))
    axes.bar(place - 0.2, [c.mean for c in classes], 0.4, color=BLUE, label="mean")
    axes.bar(place + 0.2, [c.median for c in classes], 0.4, color=RED, label="median")
    _class_labels(axes, classes)
    axes.set_xlabel(what)
    axes.set_ylabel("wait [h]")
    axes.legend(frameon=False)
    return figure


def error_bars(classes: Sequence[Class]) -> Figure:
    """Draw Figure 5: the error of requested times, by run time."""
    figure = new_figure(9, 4)
    axes = figure.subplots()
    axes.bar(np.arange(len(classes)), [c.mean for c in classes], 0.6, color=BLUE)
    _class_labels(axes, classes)
    axes.set_ylim(0, 100)
    axes.set_xlabel("run time")
    axes.set_ylabel("mean of 1 − run time / requested time [%]")
    return figure


def _class_labels(axes: Axes, classes: Sequence[Class]) -> None:
    axes.set_xticks(np.arange(len(classes)), [c.label for c in classes], rotation=30, ha="right")
    axes.set_axisbelow(True)
    axes.grid(axis="y", color="#dddddd")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def usage_panels(panels: Mapping[str, Usage], hours: float) -> Figure:
    """Draw Figures 12 and 13: cores in use over the first hours, one panel per figure."""
    figure = new_figure(10, 2.6 * len(panels))
    for axes, (title, usage) in zip(
        np.atleast_1d(figure.subplots(len(panels), 1, sharex=True)), panels.items(), strict=True
    ):
        shown = usage.time <= hours
        axes.fill_between(
            usage.time[shown], usage.cores[shown], step="post", color=BLUE, linewidth=0
        )
        axes.axhline(usage.machine, color=GREY, linewidth=0.8)
        axes.set_xlim(0, hours)
        axes.set_ylim(0, 1.05 * usage.machine)
        axes.set_ylabel("cores in use")
        axes.set_title(title, loc="left")
    axes.set_xlabel("time [h]")
    return figure


def front_picture(
    objectives: Sequence[str],
    tried: Sequence[Sequence[float]],
    front: Sequence[Sequence[float]],
    current: Sequence[float],
) -> Figure:
    """Draw every set of weights tried, for each pair of objectives, and the Pareto front."""
    pairs = [(a, b) for a in range(len(objectives)) for b in range(a + 1, len(objectives))]
    figure = new_figure(6.5 * len(pairs), 5)
    for axes, (across, up) in zip(
        np.atleast_1d(figure.subplots(1, len(pairs))), pairs, strict=True
    ):
        axes.scatter(
            [point[across] for point in tried],
            [point[up] for point in tried],
            s=12, color=GREY, alpha=0.6, label="tried",
        )  # fmt: skip
        axes.plot(
            [point[across] for point in front],
            [point[up] for point in front],
            "o-" if len(objectives) == 2 else "o",
            color=RED, markersize=4, label="Pareto front",
        )  # fmt: skip
        axes.scatter(
            current[across], current[up], marker="*", s=160, color=BLUE, zorder=3,
            label="Kraken's weights",
        )  # fmt: skip
        for place, set_label in ((across, axes.set_xlabel), (up, axes.set_ylabel)):
            name = objectives[place]
            set_label(f"{TITLES[name]}, {'more' if OBJECTIVES[name][0] else 'less'} is better")
        axes.legend(frameon=False)
    return figure


def loss_curves(job: RefundedJob, failures: Sequence[Failures]) -> Figure:
    """Draw eqs. 7 to 9: a job's expected cost against the completion time of its checkpoint."""
    figure = new_figure(9, 4.5)
    axes = figure.subplots()
    begin = max(job.refunded, job.checkpoint_hours)
    times = np.linspace(begin, job.with_checkpoint, 300)
    for each, colour in zip(failures, (BLUE, RED, "#27ae60", "#8e44ad"), strict=False):
        label = f"β = {each.shape:g}, δ = {each.scale:g} h"
        axes.plot(times, [expected_loss(job, each, t) for t in times], color=colour, label=label)
        axes.axhline(expected_loss(job, each), color=colour, linestyle=":")
        advice = best_checkpoint(job, each)
        axes.plot(advice.checkpoint, advice.loss_with, "o", color=colour)
        for interval, marker in (
            (young(job.checkpoint_hours, each), "^"),
            (daly(job.checkpoint_hours, each), "v"),
        ):
            if begin <= interval <= job.with_checkpoint:
                axes.plot(interval, expected_loss(job, each, interval), marker, color=colour)
    axes.set_xlabel("checkpoint complete after [h]; ▲ Young's interval, ▼ Daly's")
    axes.set_ylabel("expected cost [h]; dotted: no checkpoint")
    nodes = "one node" if job.nodes == 1 else f"{job.nodes:,} nodes"
    axes.set_title(
        f"A job of {job.hours:g} h on {nodes}, a checkpoint of "
        f"{job.checkpoint_hours:g} h, {job.refund:g} node hours refunded",
        loc="left",
    )
    axes.legend(frameon=False)
    return figure


def checkpoint_map(shapes: Sequence[float], checkpoint_hours: float, refund: float) -> Figure:
    """Draw the best checkpoint's saving, by job length and Weibull scale; one panel per shape."""
    from matplotlib.colors import TwoSlopeNorm

    lengths = np.geomspace(7, 100, 25)
    scales = np.geomspace(6, 2000, 25)
    figure = new_figure(4.2 * len(shapes), 4)
    for axes, shape in zip(
        np.atleast_1d(figure.subplots(1, len(shapes), sharey=True)), shapes, strict=True
    ):
        saved = np.array(
            [
                [_part_saved(h, checkpoint_hours, refund, shape, scale) for h in lengths]
                for scale in scales
            ]
        )
        filled = axes.contourf(
            lengths, scales, 100 * saved, levels=np.linspace(-8, 28, 19), cmap="RdBu",
            norm=TwoSlopeNorm(0, -8, 28), extend="both",
        )  # fmt: skip
        axes.contour(lengths, scales, saved, levels=[0], colors="black", linewidths=1.5)
        axes.set(xscale="log", yscale="log", xlabel="job [h]", title=f"β = {shape:g}")
    axes.figure.axes[0].set_ylabel("scale δ of the time to a crash [h]")
    figure.suptitle(
        f"One node, a checkpoint of {checkpoint_hours:g} h, {refund:g} node hours refunded; "
        "worthwhile below the line"
    )
    figure.colorbar(filled, ax=figure.axes, label="saved by the best checkpoint [% of the job]")
    return figure


def _part_saved(
    hours: float, checkpoint_hours: float, refund: float, shape: float, scale: float
) -> float:
    job = RefundedJob(hours, checkpoint_hours, refund=refund)
    advice = best_checkpoint(job, Failures(shape, scale))
    return (advice.loss_without - advice.loss_with) / hours
