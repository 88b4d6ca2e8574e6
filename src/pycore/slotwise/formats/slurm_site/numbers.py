"""Numbers and times as Slurm writes them.

Example: ``1-12`` is a day and 12 hours, ``90`` is 90 minutes, ``0:30`` is half a minute and counts
as one minute; ``2K`` of a generic resource is 2048.
"""

from __future__ import annotations

import re

from slotwise.formats.slurm_times import time_in_seconds

ENDLESS = ("infinite", "unlimited", "-1")
"""Words that mean no limit, in lower case."""

_COUNT = re.compile(r"(\d{1,12})([KMGTP]?)", re.ASCII | re.IGNORECASE)
_SUFFIXES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}


def time_limit(key: str, text: str) -> int | None:
    """Return a time limit in seconds, rounded up to whole minutes as in Slurm; None for no limit.

    Raises
    ------
    ValueError
        For any other text.
    """
    if text.lower() in ENDLESS:
        return None
    seconds = time_in_seconds(text)
    if seconds is None:
        raise ValueError(
            f"{key}={text:.60} must be a time in Slurm's form: minutes, such as 90, or 24:00:00, "
            "1-12:00:00 or UNLIMITED"
        )
    return -(-seconds // 60) * 60


def truth(key: str, text: str) -> bool:
    """Read YES or NO, which Slurm also accepts as TRUE, UP, 1 and FALSE, DOWN, 0.

    Raises
    ------
    ValueError
        For any other text.
    """
    if text.lower() in ("yes", "true", "up", "1"):
        return True
    if text.lower() in ("no", "false", "down", "0"):
        return False
    raise ValueError(f"{key}={text:.60} must be YES or NO")


def whole_number(key: str, text: str, least: int = 0, most: int | None = None) -> int:
    """Read a whole number of at most 12 digits.

    Raises
    ------
    ValueError
        For any other text, or a number outside the bounds.
    """
    if most is not None:
        if re.fullmatch(r"\d{1,12}", text, re.ASCII) and least <= int(text) <= most:
            return int(text)
        raise ValueError(f"{key}={text:.60} must be a whole number from {least:,} to {most:,}")
    if not re.fullmatch(r"\d{1,12}", text, re.ASCII) or int(text) < least:
        raise ValueError(
            f"{key}={text:.60} must be a whole number of at most 12 digits, at least {least}"
        )
    return int(text)


def count_of(key: str, text: str) -> int:
    """Read a count of a generic resource, such as ``4`` or ``2K``.

    Raises
    ------
    ValueError
        For any other text.
    """
    match = _COUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"{key}: count {text!r:.60} must be a whole number, such as 4, 2K or 7T")
    return int(match[1]) * _SUFFIXES[match[2].upper()]
