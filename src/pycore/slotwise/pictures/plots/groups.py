"""Chart of the mean waits of groups of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import text
from slotwise.pictures.plots.style import COLOURS, axes_of, show_legend

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from matplotlib.axes import Axes

MOST_GROUPS = 20
"""Maximum number of groups in a chart, which shows the groups with the most jobs."""


def plot_groups(
    by: str, groups: Mapping[Any, Mapping[str, float]], axes: Axes | None = None
) -> Axes:
    """Draw the mean and 95th percentile of each group's wait, groups with the most jobs first."""
    started = {name: row for name, row in groups.items() if row["n_started"]}
    if not started:
        raise ValueError(f"no job of any {by} started, so there is nothing to draw")
    ranked = sorted(started, key=lambda name: -started[name]["n_started"])[:MOST_GROUPS]
    axes = axes_of(axes, height=1.3 + 0.24 * len(ranked))
    rows = range(len(ranked))
    means = [started[name]["mean_wait"] / 3600 for name in ranked]
    tails = [started[name]["p95_wait"] / 3600 for name in ranked]
    axes.hlines(rows, means, tails, color=COLOURS[0], linewidth=1)
    axes.plot(means, rows, "o", color=COLOURS[0], label="mean wait")
    axes.plot(tails, rows, "|", color=COLOURS[1], markersize=9, markeredgewidth=2,
              label="95th percentile")  # fmt: skip
    labels = [
        f"{'none' if name is None else name} ({text.count(started[name]['n_started'])})"
        for name in ranked
    ]
    axes.set_yticks(rows, labels)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlim(0)
    axes.set_xlabel("wait in hours")
    left = (
        f"; the {len(ranked)} of {len(started):,} with the most jobs"
        if len(started) > len(ranked)
        else ""
    )
    axes.set_ylabel(f"{by} (jobs{left})")
    show_legend(axes, columns=2)
    return axes
