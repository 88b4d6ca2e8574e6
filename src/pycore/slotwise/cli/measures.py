"""How each metric is shown: its label, its unit, and which direction is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slotwise import text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_STATISTICS = {"mean": "mean", "median": "median", "p95": "95 %", "max": "longest"}
_FAMILIES: dict[str, tuple[str, Callable[[float], str]]] = {
    "wait": ("wait", text.clock),
    "response": ("response", text.clock),
    "slowdown": ("slowdown", text.ratio),
    "bounded_slowdown": ("bounded slowdown", text.ratio),
    "bounded_slowdown_floor": ("bounded slowdown, floor", text.ratio),
    "per_processor_bounded_slowdown": ("slowdown per processor", text.ratio),
}
FAMILIES = tuple(_FAMILIES)
STATISTICS = tuple(_STATISTICS)


@dataclass(frozen=True)
class Measure:
    """How one metric is shown.

    Attributes
    ----------
    better : int
        -1 where less is better, 1 where more is, 0 where neither is.
    """

    label: str
    write: Callable[[float], str]
    better: int = 0


_SINGLE = {
    "area_weighted_response": Measure("area-weighted response", text.clock, -1),
    "area_weighted_wait": Measure("area-weighted wait", text.clock, -1),
    "utilisation": Measure("utilisation", text.percent, 1),
    "utilisation_of_available": Measure("utilisation of what there was", text.percent, 1),
    "loss_of_capacity": Measure("loss of capacity", text.percent, -1),
    "makespan": Measure("span of the replay", text.clock, -1),
    "mean_queue_length": Measure("queue length, mean", text.ratio, -1),
    "max_queue_length": Measure("queue length, longest", text.count, -1),
    "mean_queued_processors": Measure("queued processors, mean", text.count, -1),
    "mean_busy_processors": Measure("busy processors, mean", text.count, 1),
    "throughput": Measure("jobs ended per hour", text.ratio, 1),
    "share_contiguous": Measure("jobs on contiguous nodes", text.percent, 1),
    "mean_pieces": Measure("pieces a job, mean", text.ratio, -1),
    "fragmentation": Measure("free nodes off the largest slot", text.percent, -1),
    "n_jobs": Measure("jobs", text.count),
    "n_started": Measure("started", text.count),
    "n_rejected": Measure("rejected", text.count),
    "n_killed": Measure("killed at their limit", text.count),
    "n_backfilled": Measure("started by backfill", text.count),
    "n_attempts": Measure("attempts", text.count),
    "n_interrupted": Measure("interrupted attempts", text.count, -1),
    "lost_processor_hours": Measure("lost processor-hours", text.ratio, -1),
    "refunded_processor_hours": Measure("refunded processor-hours", text.ratio),
    "n_trimmed": Measure("trimmed", text.count),
    "n_dropped": Measure("dropped lines", text.count),
}


def measure(name: str) -> Measure:
    """Give the way to show a metric; one nobody described is shown under its own name."""
    if name in _SINGLE:
        return _SINGLE[name]
    statistic, _, family = name.partition("_")
    if statistic in _STATISTICS and family in _FAMILIES:
        label, write = _FAMILIES[family]
        return Measure(f"{label}, {_STATISTICS[statistic]}", write, -1)
    return Measure(name, text.ratio)


def best_of(name: str, values: Sequence[float]) -> set[int]:
    """Give the positions of the best values; none where all are shown alike."""
    shown = measure(name)
    written = [shown.write(value) for value in values]
    known = [(value, i) for i, value in enumerate(values) if value == value]
    if not shown.better or len(set(written)) < 2 or not known:
        return set()
    best = (max if shown.better > 0 else min)(known)[0]
    return {i for i, form in enumerate(written) if form == written[values.index(best)]}
