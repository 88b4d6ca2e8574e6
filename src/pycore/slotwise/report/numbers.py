"""Figures as a reader of a report wants them: a few digits and a unit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def duration(seconds: float) -> str:
    """Format seconds with the two largest units that matter, `1 h 54 min`; a dash for no number."""
    if math.isnan(seconds):
        return "–"
    if seconds < 0:
        return "−" + duration(-seconds)
    if seconds < _MINUTE:
        return f"{seconds:.0f} s" if seconds == round(seconds) else f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02d} s"
    minutes = round(seconds / _MINUTE)
    if minutes < 1440:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    hours = round(seconds / _HOUR)
    return f"{hours // 24:,} d {hours % 24} h" if hours < 2400 else f"{hours / 24:,.0f} d"


def ratio(value: float) -> str:
    """Format a pure number with four digits."""
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent(value: float) -> str:
    """Format a share of one as percent, as 69.71 %."""
    return "–" if math.isnan(value) else f"{100 * value:.2f} %"


def count(value: float) -> str:
    """Format a whole number with separators."""
    return "–" if math.isnan(value) else f"{value:,.0f}"


def metric(name: str, value: float) -> str:
    """Format the value of a metric by what its name says it is."""
    return _format_of(name)(value)


def exact(name: str, value: float) -> str:
    """Format the value of a metric in full, with its unit."""
    unit = " s" if _format_of(name) is duration else ""
    return f"{value:.10g}{unit}"


def _format_of(name: str) -> Callable[[float], str]:
    if name.startswith(("n_", "max_queue", "processors")):
        return count
    if name in ("utilisation", "utilisation_of_available", "loss_of_capacity"):
        return percent
    if "slowdown" not in name and name.endswith(("wait", "response", "makespan", "_time")):
        return duration
    return ratio
