"""Outages: times at which a part of the machine is away."""

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
    """Some processors or nodes are away: once, or every so often.

    Parameters
    ----------
    start, duration, every
        As those of `Maintenance`; `every` may equal `duration`.
    processors : int, optional
        How many are away, at least 1; without it `nodes`, or `node_type`. Outages at the same time
        add up. On a machine of node types every node has one core where processors are counted.
    mode : {"sudden", "drain", "kill"}, default "sudden"
        What is known beforehand. ``"sudden"``: nothing; jobs are killed, last started first, until
        the rest fits. ``"drain"``: nothing starts that by its estimate would overlap. ``"kill"``:
        jobs may start all the same, and are killed when it begins.
    pool : str, optional
        Default: taken from the pools in their order, free processors first.
    nodes : str or sequence of str, optional
        Of a machine of node types, the nodes that are away: lists of names, as ``"gpu[001-016]"``,
        ``"type:fat"``, ``"feature:ib"``; the union.
        A node named by several outages at a time is away for all of them together.
    node_type : str, optional
        Instead, with `node_count`: so many nodes of this type, idle ones first, then those
        whose jobs started last.
    node_count : int, optional
        How many.

    Raises
    ------
    SiteError
        Naming every field at fault.
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
