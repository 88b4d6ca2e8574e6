"""Objects that installed packages add to Slotwise, by entry-point group."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise.errors import PackageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint


def points_of(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, such as ``"slotwise.formats"``.

    Importing `importlib.metadata` takes as long as a small replay, so it is skipped if no installed
    package declares the group.
    """
    named = _groups_named(tuple(sys.path))
    if named is not None and group not in named:
        return []
    from importlib.metadata import entry_points

    return list(entry_points(group=group))


def loaded(point: EntryPoint) -> Any:
    """Import the object of an entry point.

    Raises
    ------
    PackageError
        For any error during the import; the message names the entry point and its package.
    """
    try:
        return point.load()
    except Exception as fault:
        raise fault_of(point, f"cannot be loaded: {type(fault).__name__}: {fault}") from fault


def load_decorated(group: str, decorator: str, is_registered: Callable[[Any], bool]) -> None:
    """Import the functions of a group; their decorator registers them.

    Parameters
    ----------
    group, decorator : str
        Their names.
    is_registered : callable
        Takes an entry point's object; returns True if the decorator has registered it.

    Raises
    ------
    PackageError
        For an object that is not registered, and for any error during the import.
    """
    for point in points_of(group):
        if not is_registered(given := loaded(point)):
            raise fault_of(
                point, f"is {given!r}; it must be a function decorated with `{decorator}`"
            )


def fault_of(point: EntryPoint, fault: str) -> PackageError:
    """Return an error that names a faulty entry point and its package."""
    return PackageError(
        f"entry point {point.name!r} of {point.group} ({package_of(point)}) {fault}; correct the "
        "package, or uninstall it"
    )


def package_of(point: EntryPoint) -> str:
    """Return the name and version of the package that declares an entry point."""
    return "unknown package" if point.dist is None else f"{point.dist.name} {point.dist.version}"


@cache
def _groups_named(places: tuple[str, ...]) -> frozenset[str] | None:
    """Return the Slotwise groups that installed packages declare, or None if this is unknown."""
    found = set()
    for place in places:
        folder = Path(place or ".")
        if folder.is_file():  # a zip file, which this function cannot search
            return None
        for pattern in ("*.dist-info", "*.egg-info", "*.egg/EGG-INFO"):
            for file in folder.glob(f"{pattern}/entry_points.txt"):
                text = file.read_text(encoding="utf-8", errors="replace")
                if "[slotwise." in text:
                    found |= {line.strip()[1:-1] for line in text.splitlines() if line[:1] == "["}
    return frozenset(found)
