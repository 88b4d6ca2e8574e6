"""Durations as Slurm writes them: ``1-12`` is a day and 12 hours, ``90`` is 90 minutes."""

from __future__ import annotations

import re

_WITH_DAYS = re.compile(r"(\d{1,6})-(\d{1,6})(?::(\d{1,6}))?(?::(\d{1,6}))?", re.ASCII)
_WITHOUT_DAYS = re.compile(r"(\d{1,9})(?::(\d{1,6}))?(?::(\d{1,6}))?", re.ASCII)


def time_in_seconds(text: str) -> int | None:
    """Read a time such as ``90`` or ``1-12:00`` without rounding; return None for other text."""
    if match := _WITH_DAYS.fullmatch(text):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    elif match := _WITHOUT_DAYS.fullmatch(text):
        days, (first, second, third) = 0, match.groups()
        if third is not None:
            hours, minutes, seconds = int(first), int(second), int(third)
        else:
            hours, minutes, seconds = 0, int(first), int(second or 0)
    else:
        return None
    return days * 86400 + hours * 3600 + minutes * 60 + seconds


def written_time(seconds: int) -> str:
    """Write a time as Slurm does: ``12:00:00``, ``3-00:00:00``."""
    days, rest = divmod(seconds, 86400)
    written = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{written}" if days else written
