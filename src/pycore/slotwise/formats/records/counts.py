"""Recognition of counts in the text of a record."""

from __future__ import annotations

_DIGITS = 18
"""Maximum number of digits of a count, which then fits into 64 bits."""


def is_count(text: str) -> bool:
    """Return True for 1 to 18 ASCII digits."""
    return len(text) <= _DIGITS and text.isascii() and text.isdigit()


def count_in(text: str, otherwise: int = 0) -> int:
    """Return the count in a text, or `otherwise` for any other text."""
    return int(text) if is_count(text) else otherwise
