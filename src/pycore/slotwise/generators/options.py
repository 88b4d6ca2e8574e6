"""Checks on a model's options: each returns the value, or raises an error with a remedy."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from typing import SupportsFloat

from slotwise import _numbers
from slotwise.written_values import shown

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([smhdw]?)\s*")


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`.

    Raises
    ------
    ValueError
        For any other value; the message gives a valid example.
    """
    number = _numbers.whole(value)
    if number is None or not low <= number <= high:
        raise ValueError(
            f"{name}={shown(value)}: it must be a whole number from {low:,} to {high:,}; "
            f"use, for example, {name}={min(max(low, 1000), high)}"
        )
    return number


def real(name: str, value: object, low: float, high: float, remedy: str) -> float:
    """Return a finite number from `low` to `high`.

    Raises
    ------
    ValueError
        For any other value; the message ends with `remedy`.
    """
    number = _float(value)
    if not low <= number <= high:
        raise ValueError(
            f"{name}={shown(value)}: it must be a number from {low:g} to {high:g}; {remedy}"
        )
    return number


def _float(value: object) -> float:
    try:
        return float(value) if isinstance(value, SupportsFloat) else math.nan
    except OverflowError:
        return math.inf


def seconds(name: str, value: float | str | timedelta) -> int:
    """Return a duration of at least a second from a number, a string like "12h" or a timedelta.

    Raises
    ------
    ValueError
        For any other value, and for a duration beyond 2^40 seconds.
    """
    if isinstance(value, timedelta):
        number = value.total_seconds()
    elif isinstance(value, str):
        found = DURATION.fullmatch(value)
        number = float(found[1]) * UNITS[found[2] or "s"] if found else math.nan
    else:
        number = _float(value)
    if not 1 <= number <= 2**40:
        raise ValueError(
            f"{name}={shown(value)}: it must be a duration of at least one second, as a "
            f"number of seconds or with one of the units {', '.join(UNITS)}; use, for example, "
            f'{name}="365d"'
        )
    return round(number)


def moment(name: str, value: str | datetime) -> datetime:
    """Return a date with its zone (default UTC) from an ISO string or a datetime.

    Raises
    ------
    ValueError
        For any other value, and for a date before 1970.
    """
    rule = (
        "it must be a date in ISO format, after the beginning of 1970; write, for example, "
        '"2024-01-01T08:00:00+01:00"'
    )
    try:
        given = datetime.fromisoformat(value) if isinstance(value, str) else value
        date = given if given.tzinfo else given.replace(tzinfo=UTC)
        late_enough = date.timestamp() > 0
    except (ValueError, TypeError, AttributeError, OverflowError):
        late_enough = False
    if not late_enough:
        raise ValueError(f"{name}={value!r}: {rule}")
    return date
