"""``--threshold`` and ``--trim``: how metrics are measured."""

from __future__ import annotations

from slotwise.terminal.exits import UsageError
from slotwise.terminal.numbers import shortened, whole_of


def parse_threshold(written: str) -> int:
    """Read the run-time threshold of the bounded slowdown: whole seconds, at least 1."""
    seconds = whole_of(written)
    if seconds is None or not 1 <= seconds < 2**32 - 1:
        raise UsageError(
            f"--threshold {shortened(written)} must be a whole number of seconds, at least 1; 10 "
            "is usual"
        )
    return seconds


def parse_trim(trim: str | None) -> tuple[float, float]:
    """Read the warm-up and cool-down to trim, such as ``0.05,0.05``; by default, both are 0."""
    if trim is None:
        return (0.0, 0.0)
    try:
        begin, end = (float(part) for part in trim.split(","))
    except ValueError:
        begin = end = -1.0
    if not (begin >= 0 and end >= 0):
        raise UsageError(
            f"--trim {trim} must have the form BEGIN,END with both values at least 0; write, for "
            "example, 0.05,0.05"
        )
    return begin, end
