"""One format of job logs: its name, how it is recognised, and its reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.formats.beginning import Beginning
    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace import Trace


@dataclass(frozen=True)
class ReadOptions:
    """Options for a reader: a time zone, the machine's nodes (for Slurm events), and strictness."""

    zone: str | None = None
    nodes: Nodes | None = None
    strict: bool = False


@dataclass(frozen=True)
class Format:
    """A format of job logs.

    Attributes
    ----------
    name, title : str
        The name typed after ``--format``, and a title to display.
    evidence : str
        ``"real files"``, or ``"a description only"``.
    recognises : callable
        Returns true if the beginning of a file is in this format.
    read : callable
        Reads a file.
    how : str
        The command that writes such a log at the centre; empty if there is none.
    notes : str
        Notes for users, such as what counts as a processor.
    """

    name: str
    title: str
    evidence: str
    recognises: Callable[[Beginning], bool]
    read: Callable[[str, ReadOptions], Trace]
    how: str = ""
    notes: str = ""
