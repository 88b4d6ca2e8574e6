"""Shell completion for options whose values are names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Completion = Callable[[str], list[str]]


def one_of(names: Callable[[], Iterable[str]]) -> Completion:
    """Complete a single name."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


def list_of(names: Callable[[], Iterable[str]]) -> Completion:
    """Complete the last name of a comma-separated list: ``none,ea`` becomes ``none,easy``."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        given = before.split(",")
        return [
            f"{before}{comma}{name}"
            for name in names()
            if name.startswith(last) and name not in given
        ]

    return complete


def metric_names() -> list[str]:
    """Return the names that ``--columns`` accepts."""
    from slotwise.replay.metric_sections import KNOWN

    return list(KNOWN)
