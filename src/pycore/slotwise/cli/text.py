"""Numbers as people read them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NONE = "-"
"""Stands for a figure there is nothing to take over."""

HOUR = 3600
DAY = 86400


def duration(seconds: float) -> str:
    """Write a length of time: ``37 s``, ``1:53:57`` (h:mm:ss), from 100 hours on ``4.7 days``."""
    if math.isnan(seconds):
        return NONE
    if seconds < 0:
        return "-" + duration(-seconds)
    if seconds >= 100 * HOUR:
        return f"{seconds / DAY:,.1f} days"
    whole = math.floor(seconds + 0.5)
    if whole < 60:
        return f"{seconds:.0f} s" if seconds in (0, whole) else f"{seconds:.1f} s"
    return f"{whole // HOUR}:{whole % HOUR // 60:02d}:{whole % 60:02d}"


def durations(seconds: Sequence[float]) -> list[str]:
    """Write lengths of time that are compared, all in one unit.

    Seconds where all are below a minute, days where all are of 100 hours or more; else h:mm:ss.
    Those of 0 go with any.
    """
    sizes = [abs(value) for value in seconds if value and not math.isnan(value)]
    if not sizes or max(sizes) < 59.5 or min(sizes) >= 100 * HOUR:
        return [duration(value) for value in seconds]
    return [NONE if math.isnan(value) else _clock(value) for value in seconds]


def _clock(seconds: float) -> str:
    whole = math.floor(abs(seconds) + 0.5)
    sign = "-" if seconds < 0 and whole else ""
    return f"{sign}{whole // HOUR}:{whole % HOUR // 60:02d}:{whole % 60:02d}"


def count(number: float) -> str:
    """Write a number of things: ``28,476``."""
    return NONE if math.isnan(number) else f"{number:,.0f}"


def percent(share: float) -> str:
    """Write a share of one: ``69.71 %``."""
    return NONE if math.isnan(share) else f"{100 * share:.2f} %"


def ratio(number: float) -> str:
    """Write a ratio to about four digits: ``92.73``, ``1,204``."""
    if math.isnan(number):
        return NONE
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.4g}" if abs(number) >= 100 else f"{number:.2f}"


def area(processor_seconds: float) -> str:
    """Write an amount of work in processor hours."""
    return NONE if math.isnan(processor_seconds) else f"{processor_seconds / HOUR:,.0f} processor-h"


def took(seconds: float) -> str:
    """Write how long the computer worked: ``8.2 ms``, ``1.24 s``."""
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def signed(text: str, number: float) -> str:
    """Put a plus before what is written of a positive number."""
    return f"+{text}" if number > 0 else text


def plural(number: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun: ``1 job``, ``3 jobs``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
