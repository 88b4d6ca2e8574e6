"""Readers of machines by the kind of file; each format registers its own.

A machine is made from a file by `Nodes.from_slurm_conf`, though formats stand above the site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Reader = TypeVar("Reader", bound="Callable[..., Any]")

MACHINE_READERS: dict[str, Callable[..., Any]] = {}
"""Reader by kind of file; it takes a path, and options of its own."""


def reads_machines(kind: str) -> Callable[[Reader], Reader]:
    """Register the decorated reader of machines."""

    def register(reader: Reader) -> Reader:
        MACHINE_READERS[kind] = reader
        return reader

    return register
