"""Pools: processors of a machine that are scheduled together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart


@dataclass(frozen=True, slots=True)
class Pool(SitePart):
    """Some processors of the machine that belong to no other pool.

    A job runs within one pool. Each pool backfills on its own and keeps its own reservation.

    Parameters
    ----------
    name : str
    processors : int
        Number of processors, at least 1.
    threshold : float, optional
        Makes the pool common under a condition [1]_: it is open only to jobs whose slowdown so far,
        multiplied by the priority of their queue, exceeds this threshold; the pool serves jobs in
        descending order of that product. Default: open to all jobs of its queues.

    Raises
    ------
    SiteError
        Naming every field at fault.

    References
    ----------
    .. [1] V. Kondameedi, S. Vadhiyar: Adaptive hybrid queue configuration for supercomputer
       systems.
    """

    name: str
    processors: int
    threshold: float | None = None

    READERS: ClassVar = {
        "name": readers.name,
        "processors": readers.processors,
        "threshold": readers.optional(readers.at_least_zero),
    }
