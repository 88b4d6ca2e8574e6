"""Faults in a site, each with its place, so that a message can list them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from slotwise.errors import SiteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Part = TypeVar("Part")
Key = tuple[str | int, ...]
"""Location of a value in a site: ``("queue", 2, "walltime")``."""


class Fault(NamedTuple):
    """One fault: its place, and a sentence with the wrong value, the rule and the remedy."""

    key: Key
    text: str

    def __str__(self) -> str:
        return f"{dotted(self.key)}: {self.text}" if self.key else self.text


class Check(NamedTuple):
    """A check, and the fields that must be valid for the check to run."""

    needs: frozenset[str]
    find: Callable[[Any], Iterator[Fault]]


class Unsound(NamedTuple):
    """Replacement for a faulty part in a list, with the part's valid fields.

    In `part`, the `wrong` fields have the value `UNKNOWN`. `part` is None if no field is valid.
    """

    part: Any
    wrong: frozenset[str] = frozenset()

    def knows(self, names: Iterable[str]) -> bool:
        """Return whether these fields are valid."""
        return self.part is not None and not self.wrong.intersection(names)


class _Unknown:
    """Replacement for a wrong value in a part; checks that need the value skip this part."""

    __slots__ = ()


UNKNOWN = _Unknown()


class FaultsError(SiteError):
    """Raised for a faulty site; the message lists each fault with its place, one per line.

    Parameters
    ----------
    faults : iterable of Fault
    owner : str, default ""
        Name of the faulty object, written at the start of each line.

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


def faults_at(key: Key, error: ValueError) -> list[Fault]:
    """Return the faults of an error that the value at `key` caused."""
    if isinstance(error, FaultsError):
        return [Fault((*key, *fault.key), fault.text) for fault in error.faults]
    return [Fault(key, str(error))]


def read_each(read: Callable[[Any], Any], values: Iterable[Any]) -> tuple[Any, ...]:
    """Read every value; a wrong value becomes a fault with its position.

    Raises
    ------
    FaultsError
        If there are faults; the message lists all of them.
    """
    items, faults = [], []
    for index, value in enumerate(values):
        try:
            items.append(read(value))
        except ValueError as fault:
            faults += faults_at((index,), fault)
    if faults:
        raise FaultsError(faults)
    return tuple(items)


def sound(parts: Sequence[Part | Unsound], *names: str) -> list[tuple[int, Part]]:
    """Return the parts in which the named fields are valid, each with its position in the list."""
    found: list[tuple[int, Part]] = []
    for index, part in enumerate(parts):
        if not isinstance(part, Unsound):
            found.append((index, part))
        elif part.knows(names):
            found.append((index, part.part))
    return found


def all_sound(parts: Sequence[object], *names: str) -> bool:
    """Return whether the named fields are valid in every part."""
    return len(sound(parts, *names)) == len(parts)


def dotted(key: Key) -> str:
    """Write a key as users do: ``queue[2].walltime``."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
