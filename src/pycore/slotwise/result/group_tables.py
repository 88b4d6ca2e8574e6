"""Tables of waits by group of jobs, as text for a terminal or a report page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.replay.metric_format import format_of
from slotwise.replay.metric_sections import SHARE
from slotwise.text_table import TextTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.result.group_changes import GroupChange
    from slotwise.result.job_groups import JobGroups

SHOWN = 20
"""Number of groups that a table shows by default."""

_METRICS = (
    "n_started", "mean_wait", "median_wait", "p95_wait", "max_wait", "mean_bounded_slowdown",
    "utilisation",
)  # fmt: skip
_OPTIONAL = (
    "mean_bounded_slowdown", SHARE + "memory", "utilisation", "median_wait", "max_wait",
)  # fmt: skip
"""Columns that are omitted if the table would be too wide."""
_ORDERED = ("class", "queue")
"""Groupings with a fixed order of groups; other groups are ordered by number of jobs."""

_OUTCOMES = ("wins", "loses")
_PLURALS = {"class": "classes", "qos": "QOS"}


def waits_table(
    groups: JobGroups,
    metrics: Sequence[dict[str, float]],
    *,
    whole: bool = False,
    columns: Sequence[str] = (),
) -> TextTable:
    """Lay out the waits of each group in one replay.

    Parameters
    ----------
    groups : JobGroups
    metrics : sequence of dict
        Metrics of each group, from `JobGroups.metrics`.
    whole : bool, default False
        Show every group instead of the 20 with the most jobs.
    columns : sequence of str, default ()
        Metrics to show beside the number of jobs; empty for a standard selection. Metrics that
        groups do not have are left out.
    """
    ranked = sorted(range(len(metrics)), key=lambda i: -metrics[i]["n_jobs"])
    chosen = ranked if whole else ranked[:SHOWN]
    if groups.by in _ORDERED:
        chosen = sorted(chosen)
    names = _chosen_names(metrics, columns) if columns else _names(metrics)
    rows = tuple(
        (
            label_text(groups.labels[i]),
            *(format_of(name).write(metrics[i][name]) for name in names),
        )
        for i in chosen
    )
    labels = [format_of(name).label for name in names]
    notes = _left_out(groups.by, len(metrics) - len(chosen), "with the fewest jobs")
    optional = tuple(format_of(name).label for name in _OPTIONAL if name in names)
    return TextTable(f"Waits by {groups.by}", (groups.by, *labels), rows, notes, optional)


def _names(metrics: Sequence[dict[str, float]]) -> list[str]:
    """Return the default columns; rejected jobs have a column only if there are any."""
    shares = [name for name in next(iter(metrics), {}) if name.startswith(SHARE)]
    names = [*_METRICS, *shares]
    if any(row["n_rejected"] for row in metrics):
        names.insert(1, "n_rejected")
    return names


def _chosen_names(metrics: Sequence[dict[str, float]], columns: Sequence[str]) -> list[str]:
    known = next(iter(metrics), {})
    return ["n_started", *(name for name in columns if name in known and name != "n_started")]


def changes_table(
    by: str, changes: Sequence[GroupChange], first: str, second: str, *, whole: bool = False
) -> TextTable:
    """Lay out how each group's waits differ between two replays, the largest gain first.

    Parameters
    ----------
    by : str
    changes : sequence of GroupChange
    first, second : str
        Names of the replays.
    whole : bool, default False
        Show every group. By default, 20 are shown: first those that win or lose, then those with
        the most jobs.
    """
    compared = [change for change in changes if change.paired.n_jobs]
    ranked = sorted(compared, key=lambda c: (c.outcome == "", -c.paired.n_jobs))
    chosen = ranked if whole else ranked[:SHOWN]
    rows = tuple(_change_row(change) for change in sorted(chosen, key=lambda c: c.paired.mean))
    columns = (
        by, "jobs", f"mean wait of {first}", "difference", "from", "to", "sooner", "later",
        "outcome",
    )  # fmt: skip
    left_out = _left_out(by, len(compared) - len(chosen), "without an outcome or with fewer jobs")
    notes = (_outcomes_explained(by, compared), *left_out)
    optional = ("later", "sooner", columns[2])
    return TextTable(f"Waits by {by}: {second} minus {first}", columns, rows, notes, optional)


def _outcomes_explained(by: str, compared: Sequence[GroupChange]) -> str:
    """Count the winners and losers, and explain the ``from``, ``to`` and ``outcome`` columns."""
    if all(math.isnan(change.paired.low) for change in compared):
        return (
            f"From, to and outcome are empty, because no {by} has jobs in four or more weeks; with "
            "fewer weeks, the difference in mean wait has no 95 % interval."
        )
    wins, losses = (sum(change.outcome == name for change in compared) for name in _OUTCOMES)
    groups = text.plural(len(compared), by, _PLURALS.get(by))
    return (
        f"{wins} of {groups} win and {losses} lose: the 95 % interval of the difference in mean "
        "wait, in the columns from and to, excludes 0. About 1 group in 20 does so by chance; a "
        "group with jobs in fewer than four weeks has no interval and no outcome."
    )


def label_text(label: Any) -> str:
    """Return the label of a group as text; None becomes ``unknown``."""
    return "unknown" if label is None else str(label)


def _change_row(change: GroupChange) -> tuple[str, ...]:
    paired = change.paired
    lengths = (
        text.signed(text.clock(value), value) for value in (paired.mean, paired.low, paired.high)
    )
    shares = (text.percent(paired.sooner), text.percent(paired.later))
    return (
        label_text(change.label), text.count(paired.n_jobs), text.clock(change.mean_wait),
        *lengths, *shares, change.outcome,
    )  # fmt: skip


def _left_out(by: str, number: int, which: str) -> tuple[str, ...]:
    if not number:
        return ()
    counted = text.plural(number, by, _PLURALS.get(by))
    return (f"Not shown: {counted} {which}; --wide and --json show all.",)
