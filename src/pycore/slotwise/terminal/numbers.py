"""Numbers as they are typed."""

from __future__ import annotations

from slotwise.terminal.exits import UsageError


def parse_whole(option: str, written: str, low: int, high: int) -> int:
    """Take a whole number of an option."""
    digits = written.strip()
    if not digits.isascii() or not digits.isdigit() or not low <= int(digits) <= high:
        raise UsageError(f"{option} {written}: must be a whole number from {low} to {high:,}")
    return int(digits)
