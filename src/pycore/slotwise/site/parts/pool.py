"""Pools: processors of a machine that are scheduled together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart


@dataclass(frozen=True, slots=True)
class Pool(SitePart):
    """A set of processors that belong to no other pool.

    A job runs within one pool. Each pool is backfilled separately and has its own reservation.

    Parameters
    ----------
    name : str
    processors : int
        Number of processors, at least 1.
    threshold : float, optional
        Makes the pool a conditional common pool [1]_. It is open only to jobs whose slowdown factor
        exceeds this threshold; they start in descending order of the factor. The factor is the wait
        so far, divided by the requested time and multiplied by the priority of the queue. Default:
        open to all jobs of its queues.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.

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
