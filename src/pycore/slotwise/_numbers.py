"""Checks on numeric arguments; Python and NumPy scalars pass, strings and booleans do not."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from slotwise.written_values import shown


def whole(value: Any) -> int | None:
    """Return a whole number as an int, or None for any other value."""
    if type(value) is int:
        return value
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def real(value: Any) -> float | None:
    """Return a number as a float (infinite if too large), or None for any other value."""
    if type(value) is float:
        return value
    if isinstance(value, bool | np.bool_ | str | bytes):
        return None
    try:
        return float(value)
    except OverflowError:
        return float("inf")
    except (TypeError, ValueError):
        return None


def threshold_of(threshold: int) -> int:
    """Check the run-time threshold of the bounded slowdown, and return it as an int."""
    number = whole(threshold)
    if number is None or not 1 <= number < 2**32 - 1:
        raise ValueError(
            f"threshold is {shown(threshold)}; use a number of seconds from 1 to "
            "2^32 - 2 (10 is usual)"
        )
    return number


def trim_of(trim: tuple[float, float]) -> tuple[float, float]:
    """Check `trim`, and return its two numbers: the warm-up and the cool-down."""
    try:
        begin, end = trim
        return float(begin), float(end)
    except (TypeError, ValueError):
        raise ValueError(
            f"trim is {shown(trim)}; use two numbers, for the warm-up and the cool-down, "
            "such as (0.05, 0.05)"
        ) from None
