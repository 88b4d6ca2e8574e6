"""Readers of machines, one for each kind of file, imported on first use.

Because of this late import, `Nodes.from_slurm_conf` can read a file although ``formats`` belongs to
a higher layer than ``site``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Reader = TypeVar("Reader", bound="Callable[..., Any]")

_MODULES = {"slurm.conf": "slotwise.formats.slurm_conf"}
"""The module that registers the reader for each kind of file."""
_READERS: dict[str, Callable[..., Any]] = {}


def reads_machines(kind: str) -> Callable[[Reader], Reader]:
    """Register the decorated function, which reads machines from a kind of file."""

    def register(reader: Reader) -> Reader:
        _READERS[kind] = reader
        return reader

    return register


def reader_of(kind: str) -> Callable[..., Any]:
    """Return the reader for a kind of file; it takes a path and its own options."""
    importlib.import_module(_MODULES[kind])
    return _READERS[kind]
