"""Objects that installed packages add to Slotwise, by entry-point group."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def points_of(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, such as ``"slotwise.formats"``.

    Importing `importlib.metadata` takes as long as a small replay, so it is skipped if no installed
    package names the group.
    """
    if not _is_named(group):
        return []
    from importlib.metadata import entry_points

    return list(entry_points(group=group))


def _is_named(group: str) -> bool:
    """Return whether an installed package may have entry points of a group."""
    sought = f"[{group}]"
    for place in sys.path:
        folder = Path(place or ".")
        if folder.is_file():  # a zip file; importlib.metadata reads these
            return True
        for pattern in ("*.dist-info", "*.egg-info", "*.egg/EGG-INFO"):
            for file in folder.glob(f"{pattern}/entry_points.txt"):
                if sought in file.read_text(encoding="utf-8", errors="replace"):
                    return True
    return False
