"""Outages: times at which a part of the machine is away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from slotwise.site.parts import readers
from slotwise.site.parts.maintenance import PERIOD_CHECK, REPEATED_READERS
from slotwise.site.parts.part import SitePart

if TYPE_CHECKING:
    from slotwise.site.parts.times import Instant, Length


@dataclass(frozen=True, slots=True)
class Outage(SitePart):
    """Some processors are away: once, or every so often.

    Parameters
    ----------
    start, duration, every
        As those of `Maintenance`; `every` may equal `duration`.
    processors : int
        How many are away, at least 1. Outages at the same time add up.
    mode : {"sudden", "drain", "kill"}, default "sudden"
        What is known beforehand. ``"sudden"``: nothing; jobs are killed, last started first, until
        the rest fits. ``"drain"``: nothing starts that by its estimate would overlap. ``"kill"``:
        jobs may start all the same, and are killed when it begins.
    pool : str, optional
        Default: taken from the pools in their order, free processors first.

    Raises
    ------
    SiteError
        Naming every field at fault.
    """

    start: Instant
    duration: Length
    processors: int
    every: Length | None = None
    mode: Literal["sudden", "drain", "kill"] = "sudden"
    pool: str | None = None

    DURATIONS: ClassVar = frozenset({"duration", "every"})
    READERS: ClassVar = {
        **REPEATED_READERS,
        "processors": readers.processors,
        "mode": readers.one_of("sudden", "drain", "kill"),
        "pool": readers.optional(readers.name),
    }
    CHECKS: ClassVar = (PERIOD_CHECK,)
