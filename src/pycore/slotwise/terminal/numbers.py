"""Whole numbers typed on the command line."""

from __future__ import annotations

import re

from slotwise.terminal.exits import UsageError

_WHOLE = re.compile(r"[0-9]{1,18}")
_LONGEST = 60


def whole_of(written: str) -> int | None:
    """Read a non-negative whole number of up to 18 digits; None for anything else."""
    return int(written) if _WHOLE.fullmatch(written) else None


def shortened(written: str) -> str:
    """Shorten an option's value for a message."""
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 3]}..."


def parse_whole(option: str, written: str, low: int, high: int) -> int:
    """Read the value of an option as a whole number from `low` to `high`."""
    number = whole_of(written.strip())
    if number is None or not low <= number <= high:
        raise UsageError(
            f"{option} {shortened(written)} must be a whole number from {low} to {high:,}"
        )
    return number
