"""Display of metrics: label, unit, and the direction that is better.

A label is the metric's key with spaces, such as "mean wait" for ``mean_wait``, so that a reader of
a table or a page finds the metric in JSON, csv and the documentation. Labels of counts name the
things counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    """Display of one metric.

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


_COUNTS = {
    "n_jobs": "jobs",
    "n_started": "jobs started",
    "n_rejected": "jobs rejected",
    "n_killed": "jobs killed at their limit",
    "n_backfilled": "jobs backfilled",
    "n_trimmed": "jobs trimmed",
    "n_dropped": "lines dropped",
    "n_attempts": "attempts",
    "n_interrupted": "attempts interrupted",
    "n_fair_start": "jobs with a known fair start",
}
_BETTER = {"n_interrupted": -1}
_SINGLE: dict[str, tuple[Callable[[float], str], int]] = {
    "area_weighted_eligible_response": (text.clock, -1),
    "area_weighted_eligible_wait": (text.clock, -1),
    "area_weighted_response": (text.clock, -1),
    "area_weighted_wait": (text.clock, -1),
    "utilisation": (text.percent, 1),
    "utilisation_of_available": (text.percent, 1),
    "loss_of_capacity": (text.percent, -1),
    "makespan": (text.clock, -1),
    "mean_queue_length": (text.ratio, -1),
    "max_queue_length": (text.count, -1),
    "mean_queued_processors": (text.count, -1),
    "mean_busy_processors": (text.count, 1),
    "throughput": (_jobs_per_hour, 1),
    "share_contiguous": (text.percent, 1),
    "mean_pieces": (text.ratio, -1),
    "fragmentation": (text.percent, -1),
    "lost_processor_hours": (text.ratio, -1),
    "refunded_processor_hours": (text.ratio, 0),
    "mean_fair_start_missed": (text.clock, -1),
    "share_fair_start_missed": (text.percent, -1),
}


def format_of(name: str) -> MetricFormat:
    """Return the display of a metric; unlisted ones are ratios without a preferred direction."""
    if name in _COUNTS:
        return MetricFormat(_COUNTS[name], text.count, _BETTER.get(name, 0))
    if name.startswith("utilisation_of_"):
        return MetricFormat(label_of(name), text.percent, 1)
    if name in _SINGLE:
        return MetricFormat(label_of(name), *_SINGLE[name])
    statistic, _, family = name.partition("_")
    if statistic in STATISTICS and family in _FAMILIES:
        return MetricFormat(label_of(name), _FAMILIES[family], -1)
    return MetricFormat(label_of(name), text.ratio)


def best_of(name: str, values: Sequence[float]) -> int | None:
    """Return the position of the best value; None for a tie after rounding."""
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
        return "* best of its row; ties are not marked."
    return "No best values are marked, because not all columns started the same jobs."
