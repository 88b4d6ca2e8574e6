"""Figures as a reader of a report wants them: a few digits and a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import text

if TYPE_CHECKING:
    from collections.abc import Callable


def metric(name: str, value: float) -> str:
    """Format the value of a metric by what its name says it is."""
    return _format_of(name)(value)


def exact(name: str, value: float) -> str:
    """Format the value of a metric in full, with its unit."""
    unit = " s" if _format_of(name) is text.clock else ""
    return f"{value:.10g}{unit}"


def _format_of(name: str) -> Callable[[float], str]:
    if name.startswith(("n_", "max_queue", "processors")):
        return text.count
    if name in ("utilisation", "utilisation_of_available", "loss_of_capacity"):
        return text.percent
    if "slowdown" not in name and name.endswith(("wait", "response", "makespan", "_time")):
        return text.clock
    return text.ratio
