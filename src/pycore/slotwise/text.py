"""Numbers and durations as readable text."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

NONE = "-"
"""Text for an undefined figure."""

HOUR = 3600
DAY = 86400
_LONGEST_PLAIN = 10**15


def duration(seconds: float) -> str:
    """Write a duration for a sentence: ``37 s``, ``1:53:57``, ``4.7 days``.

    Durations from a minute to 100 hours are written as `clock` does.
    """
    if math.isnan(seconds):
        return NONE
    size = abs(seconds)
    if size >= 100 * HOUR:
        return f"{seconds / DAY:,.1f} days"
    if math.floor(size + 0.5) < 60:
        return f"{seconds:.0f} s" if seconds == math.floor(seconds) else f"{seconds:.1f} s"
    return clock(seconds)


def clock(seconds: float) -> str:
    """Write a duration for a table: ``0:00:37``, ``1:53:57``, ``27d 15:37:37``.

    In a right-aligned column, the hours, minutes and seconds are aligned.
    """
    if math.isnan(seconds):
        return NONE
    whole = math.floor(abs(seconds) + 0.5)
    days, rest = divmod(whole, DAY)
    time = f"{rest % HOUR // 60:02d}:{rest % 60:02d}"
    sign = "-" if seconds < 0 and whole else ""
    return f"{sign}{days:,}d {rest // HOUR:02d}:{time}" if days else f"{sign}{rest // HOUR}:{time}"


def count(number: float) -> str:
    """Write a count: ``28,476``."""
    return NONE if math.isnan(number) else f"{number:,.0f}"


def percent(share: float) -> str:
    """Write a share from 0 to 1 in percent: ``69.71 %``."""
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
    """Write a wall time: ``8.2 ms``, ``1.24 s``."""
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def signed(text: str, number: float) -> str:
    """Put a plus sign before the text of a positive number."""
    return f"+{text}" if number > 0 else text


def plural(number: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun: ``1 job``, ``3 jobs``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def are(number: float) -> str:
    """Return the verb for a count: 1 job *is*, 3 jobs *are*."""
    return "is" if number == 1 else "are"


def have(number: int) -> str:
    """Return the verb for a count: 1 node *has*, 3 nodes *have*."""
    return "has" if number == 1 else "have"


def first_of(names: Collection[str], most: int) -> str:
    """Name the first entries and count the others: ``a, b and 3 more``."""
    more = len(names) - most
    return ", ".join(islice(names, most)) + (f" and {more:,} more" if more > 0 else "")


def jobs_a_second(jobs: int, seconds: float) -> str:
    """Write a speed to two significant digits: ``4.2 million jobs/s``, ``250,000 jobs/s``."""
    if not seconds > 0:
        return "-"
    rounded = float(f"{jobs / seconds:.2g}")
    if rounded >= 1e6:
        return f"{rounded / 1e6:g} million jobs/s"
    return f"{rounded:,.0f} jobs/s" if rounded >= 10 else f"{rounded:g} jobs/s"


def plain_number(value: float) -> str:
    """Write a number; whole numbers of up to 15 digits have no exponent: ``1209600``, ``0.25``."""
    if abs(value) < _LONGEST_PLAIN and value == int(value):
        return str(int(value))
    return format(value, "g")
