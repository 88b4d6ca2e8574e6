"""Faults of a site: each with the place it stands at, so that all can be told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from slotwise.errors import SiteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Part = TypeVar("Part")
Key = tuple[str | int, ...]
"""Where a value stands in a site: ``("queue", 2, "walltime")``."""


class Fault(NamedTuple):
    """One fault: where, and a sentence that says the wrong value, the rule and the remedy."""

    key: Key
    text: str

    def __str__(self) -> str:
        return f"{dotted(self.key)}: {self.text}" if self.key else self.text


class Unsound(NamedTuple):
    """Stands in a list for a part with a fault of its own: what is known of it all the same."""

    name: str
    pools: tuple[str, ...] = ()  # that it names


class FaultsError(SiteError):
    """A site with faults in known places; its message has one a line.

    Parameters
    ----------
    faults : iterable of Fault
    owner : str, default ""
        Whose they are; it begins each line.

    Attributes
    ----------
    faults : tuple of Fault
    """

    def __init__(self, faults: Iterable[Fault], owner: str = "") -> None:
        self.faults = tuple(faults)
        self.owner = owner
        prefix = f"{owner}: " if owner else ""
        super().__init__("\n".join(f"{prefix}{fault}" for fault in self.faults))

    def __reduce__(self) -> tuple[object, ...]:
        return FaultsError, (self.faults, self.owner)


def sound(parts: Sequence[Part | Unsound]) -> list[tuple[int, Part]]:
    """Give the parts that are right by themselves, each with its place in the list."""
    return [(index, part) for index, part in enumerate(parts) if not isinstance(part, Unsound)]


def all_sound(*lists: Sequence[object]) -> bool:
    """Tell whether every part of the lists is right by itself."""
    return not any(isinstance(part, Unsound) for parts in lists for part in parts)


def dotted(key: Key) -> str:
    """Write a key as users do: ``queue[2].walltime``."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
