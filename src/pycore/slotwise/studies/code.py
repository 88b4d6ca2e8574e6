"""The code that computes a study's cells; changing it makes the cells invalid."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWING = ("cli", "terminal", "report", "pictures")
"""Folders of the package whose modules display results and do not compute cells."""

_SUFFIXES = {".py", ".toml", ".so", ".pyd"}


@cache
def code_hash(package: str) -> str:
    """Return a SHA-256 of the code that computes a study's cells.

    It covers the modules and data of the study and of slotwise, including compiled ones, but not
    other studies or modules that display results.

    Parameters
    ----------
    package : str
        The study's package, as in `StudyInfo.package`.
    """
    found = hashlib.sha256()
    for name, path in sorted({*_shared(), *_own(package)}):
        content = path.read_bytes()
        found.update(f"{name} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def _shared() -> Iterator[tuple[str, Path]]:
    root = Path(__file__).resolve().parents[1]
    studies = {path for path in (root / "studies").iterdir() if path.is_dir()}
    left_out = studies | {root / name for name in _SHOWING}
    for path in root.rglob("*"):
        if path.suffix in _SUFFIXES and left_out.isdisjoint(path.parents):
            yield str(path.relative_to(root)), path


def _own(package: str) -> Iterator[tuple[str, Path]]:
    module = sys.modules[package]
    for folder in map(Path, getattr(module, "__path__", ())):
        for path in folder.rglob("*"):
            if path.suffix in _SUFFIXES:
                yield f"{package} {path.relative_to(folder)}", path
    if not hasattr(module, "__path__") and module.__file__ is not None:
        yield package, Path(module.__file__)
