"""Whole numbers of the command line."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"[0-9]{1,18}")
_LONGEST = 60


def whole_of(written: str) -> int | None:
    """Read a whole number from 0; None for anything else, and for more than 18 digits."""
    return int(written) if _WHOLE.fullmatch(written) else None


def shortened(written: str) -> str:
    """Cut what an option was given to a length that a message can hold."""
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 3]}..."
