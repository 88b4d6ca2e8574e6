"""Outages: times at which a part of the machine is unavailable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from slotwise.site.parts import readers
from slotwise.site.parts.maintenance import PERIOD_CHECK, REPEATED_READERS
from slotwise.site.parts.node_places import (
    PLACE_CHECKS,
    PLACE_READERS,
    SIZE_CHECK,
    NodePlaces,
)

if TYPE_CHECKING:
    from slotwise.site.parts.times import Instant, Length


@dataclass(frozen=True, slots=True)
class Outage(NodePlaces):
    """A one-off or periodic outage of some processors or nodes.

    Parameters
    ----------
    start, duration, every
        As in `Maintenance`; `every` may equal `duration`.
    processors : int, optional
        Number of unavailable processors, at least 1. Alternatively, specify `nodes` or `node_type`.
        Simultaneous outages add up. On a machine with node types, a number of processors requires
        nodes with one core each.
    mode : {"sudden", "drain", "kill"}, default "sudden"
        ``"sudden"``: the outage is not known in advance; jobs are killed, most recently started
        first, until the rest fit. ``"drain"``: a job does not start if its estimated run extends
        into the outage. ``"kill"``: jobs may start anyway, and are killed when the outage begins.
    pool : str, optional
        Default: processors are taken from the pools in order, free processors first.
    nodes : str or sequence of str, optional
        On a machine with node types, the nodes that are unavailable: the union of lists such as
        ``"gpu[001-016]"``, ``"type:fat"`` and ``"feature:ib"``. A node listed in several
        simultaneous outages is unavailable while any of them lasts.
    node_type : str, optional
        With `node_count`, instead of `nodes`: that number of nodes of this type. Idle nodes are
        chosen first, then those with the most recently started jobs.
    node_count : int, optional
        Number of nodes.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.
    """

    start: Instant
    duration: Length
    processors: int | None = None
    every: Length | None = None
    mode: Literal["sudden", "drain", "kill"] = "sudden"
    pool: str | None = None

    DURATIONS: ClassVar = frozenset({"duration", "every"})
    READERS: ClassVar = {
        **REPEATED_READERS,
        "processors": readers.optional(readers.processors),
        "mode": readers.one_of("sudden", "drain", "kill"),
        "pool": readers.optional(readers.name),
        **PLACE_READERS,
    }
    CHECKS: ClassVar = (PERIOD_CHECK, SIZE_CHECK, *PLACE_CHECKS)
