"""How metrics are displayed: section, label, unit, and whether lower or higher is better.

A label is the metric's key with spaces, such as "mean wait" for ``mean_wait``. Readers of a table
or a page can thus find the metric in JSON, csv and the documentation. Labels of counts name the
things counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise import text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slotwise.replay.replay_data import ReplayData

STATISTICS = ("mean", "median", "p95", "max")
_FAMILIES: dict[str, Callable[[float], str]] = {
    "eligible_wait": text.clock,
    "eligible_response": text.clock,
    "eligible_slowdown": text.ratio,
    "eligible_bounded_slowdown": text.ratio,
    "eligible_bounded_slowdown_floor": text.ratio,
    "eligible_per_processor_bounded_slowdown": text.ratio,
    "wait": text.clock,
    "response": text.clock,
    "slowdown": text.ratio,
    "bounded_slowdown": text.ratio,
    "bounded_slowdown_floor": text.ratio,
    "per_processor_bounded_slowdown": text.ratio,
}
FAMILIES = tuple(_FAMILIES)
_COMPOUNDS = ("area weighted", "per processor", "processor hours")


@dataclass(frozen=True)
class MetricFormat:
    """How one metric is displayed.

    Attributes
    ----------
    better : int
        -1 if less is better, 1 if more is, 0 if neither is.
    """

    label: str
    write: Callable[[float], str]
    better: int = 0


def label_of(key: str) -> str:
    """Write a key, or a part of one, as words: ``per-processor bounded slowdown``."""
    words = key.replace("_", " ")
    for compound in _COMPOUNDS:
        words = words.replace(compound, compound.replace(" ", "-"))
    return words


def _jobs_per_hour(rate: float) -> str:
    return f"{text.ratio(rate)} jobs/h"


class _Single(NamedTuple):
    """How a metric of the whole replay, such as utilisation, is displayed."""

    section: str
    write: Callable[[float], str]
    better: int = 0
    label: str = ""


_SINGLE = {
    "utilisation": _Single("Machine", text.percent, 1),
    "utilisation_of_available": _Single("Machine", text.percent, 1),
    "loss_of_capacity": _Single("Machine", text.percent, -1),
    "makespan": _Single("Machine", text.clock, -1),
    "throughput": _Single("Machine", _jobs_per_hour, 1),
    "mean_queue_length": _Single("Queue", text.ratio, -1),
    "max_queue_length": _Single("Queue", text.count, -1),
    "n_jobs": _Single("Jobs", text.count, label="jobs"),
    "n_started": _Single("Jobs", text.count, label="jobs started"),
    "n_backfilled": _Single("Jobs", text.count, label="jobs backfilled"),
    "n_killed": _Single("Jobs", text.count, label="jobs killed at their time limit"),
    "n_rejected": _Single("Jobs", text.count, label="jobs rejected"),
    "n_attempts": _Single("Attempts", text.count, label="attempts"),
    "n_interrupted": _Single("Attempts", text.count, -1, "attempts interrupted"),
    "lost_processor_hours": _Single("Attempts", text.ratio, -1),
    "refunded_processor_hours": _Single("Attempts", text.ratio, 0),
    "share_contiguous": _Single("Nodes", text.percent, 1),
    "mean_pieces": _Single("Nodes", text.ratio, -1),
    "fragmentation": _Single("Nodes", text.percent, -1),
    "area_weighted_eligible_wait": _Single("Weighted by area", text.clock, -1),
    "area_weighted_eligible_response": _Single("Weighted by area", text.clock, -1),
    "area_weighted_wait": _Single("Weighted by area", text.clock, -1),
    "area_weighted_response": _Single("Weighted by area", text.clock, -1),
    "mean_queued_processors": _Single("Processors", text.count, -1),
    "mean_busy_processors": _Single("Processors", text.count, 1),
    "n_trimmed": _Single("", text.count, label="jobs trimmed"),
    "n_dropped": _Single("", text.count, label="lines dropped"),
    "n_fair_start": _Single("", text.count, label="jobs with a known fair start"),
    "mean_fair_start_missed": _Single("", text.clock, -1),
    "share_fair_start_missed": _Single("", text.percent, -1),
}
"""Metrics of the whole replay, in the order of their sections."""


def names_in(section: str) -> tuple[str, ...]:
    """Return the names of the metrics in a section, in order."""
    return tuple(name for name, single in _SINGLE.items() if single.section == section)


def format_of(name: str) -> MetricFormat:
    """Return how a metric is displayed; by default, as a ratio without a preferred direction."""
    if name in _SINGLE:
        single = _SINGLE[name]
        return MetricFormat(single.label or label_of(name), single.write, single.better)
    if name.startswith("utilisation_of_"):
        return MetricFormat(label_of(name), text.percent, 1)
    statistic, _, family = name.partition("_")
    if statistic in STATISTICS and family in _FAMILIES:
        return MetricFormat(label_of(name), _FAMILIES[family], -1)
    return MetricFormat(label_of(name), text.ratio)


def best_of(name: str, values: Sequence[float]) -> int | None:
    """Return the position of the best value, or None.

    There is no best value if it ties after rounding, if there is only one value, or if the metric
    has no preferred direction.
    """
    shown = format_of(name)
    written = [shown.write(value) for value in values]
    known = [(value, i) for i, value in enumerate(values) if value == value]
    if not shown.better or len(known) == 0 or len(values) < 2:
        return None
    _, best = (max if shown.better > 0 else min)(known)
    return best if written.count(written[best]) == 1 else None


def are_comparable(results: Sequence[ReplayData]) -> bool:
    """Return True if the same jobs started in all results, so that the results can be ranked."""
    first = results[0].start >= 0
    return all(np.array_equal(result.start >= 0, first) for result in results[1:])


def note_of_best(*, comparable: bool) -> str:
    """Explain the mark for the best value, or its absence."""
    if comparable:
        return "* best in its row; ties are not marked."
    return "No best values are marked, because the same jobs did not start in all columns."
