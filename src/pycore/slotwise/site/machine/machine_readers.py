"""Readers of machines by the kind of file, imported at their first use.

A machine is made from a file by `Nodes.from_slurm_conf`, though formats stand above the site.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Reader = TypeVar("Reader", bound="Callable[..., Any]")

_MODULES = {"slurm.conf": "slotwise.formats.slurm_conf"}
"""The module that registers the reader of each kind of file."""
_READERS: dict[str, Callable[..., Any]] = {}


def reads_machines(kind: str) -> Callable[[Reader], Reader]:
    """Register the decorated reader of machines."""

    def register(reader: Reader) -> Reader:
        _READERS[kind] = reader
        return reader

    return register


def reader_of(kind: str) -> Callable[..., Any]:
    """Return the reader of a kind of file; it takes a path, and options of its own."""
    importlib.import_module(_MODULES[kind])
    return _READERS[kind]
