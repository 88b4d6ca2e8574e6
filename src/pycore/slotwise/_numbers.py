"""Numbers as users hold them: Python's own and NumPy's scalars, but no text and no truth value."""

from __future__ import annotations

import operator

import numpy as np

from slotwise.written_values import shown


def whole(value: object) -> int | None:
    """Return a whole number as an int; None for anything else."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def real(value: object) -> float | None:
    """Return a number as a float, infinite where it is too large; None for anything else."""
    if isinstance(value, bool | np.bool_ | str | bytes):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return float("inf")
    except (TypeError, ValueError):
        return None


def threshold_of(threshold: int) -> int:
    """Return the least run time in bounded slowdowns, checked."""
    number = whole(threshold)
    if number is None or not 1 <= number < 2**32 - 1:
        raise ValueError(
            f"threshold is {shown(threshold)}; give seconds between 1 and 2^32 - 2 (10 is usual)"
        )
    return number


def trim_of(trim: tuple[float, float]) -> tuple[float, float]:
    """Return what is left out at begin and end as a pair of numbers."""
    try:
        begin, end = trim
        return float(begin), float(end)
    except (TypeError, ValueError):
        raise ValueError(
            f"trim is {shown(trim)}; give two numbers, what to leave out at begin and end, such as "
            "(0.05, 0.05)"
        ) from None
