"""Numbers as users hold them: Python's own and NumPy's scalars, but no text and no truth value."""

from __future__ import annotations

import operator

import numpy as np


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
