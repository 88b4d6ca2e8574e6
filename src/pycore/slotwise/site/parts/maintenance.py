"""Maintenance: times at which a machine or a pool is away whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from slotwise.site.faults import Check, Fault
from slotwise.site.parts import readers
from slotwise.site.parts.node_places import PLACE_CHECKS, PLACE_READERS, NodePlaces
from slotwise.site.parts.times import Instant, Length, instant_of, written_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

REPEATED_READERS = {
    "start": instant_of,
    "duration": readers.lasting,
    "every": readers.optional(readers.lasting),
}
"""Fields of whatever takes place once or every so often."""


def _longer_than_its_period(part: Any) -> Iterator[Fault]:
    if part.every is not None and part.duration > part.every:
        yield Fault(
            ("duration",),
            f"{written_duration(part.duration)} is longer than its period, every "
            f"{written_duration(part.every)}; shorten it, or omit 'every'",
        )


PERIOD_CHECK = Check(frozenset({"duration", "every"}), _longer_than_its_period)
"""Check of every part that recurs."""


def _always(maintenance: Any) -> Iterator[Fault]:
    if maintenance.duration == maintenance.every:
        length = written_duration(maintenance.duration)
        yield Fault(
            ("duration",),
            f"{length} is not shorter than its period, every {length}: from its start on no "
            "job would run; shorten it, or omit 'every'",
        )


@dataclass(frozen=True, slots=True)
class Maintenance(NodePlaces):
    """The machine, a pool, or some nodes are away: once, or every so often.

    Parameters
    ----------
    start : instant
        Of the first: a date, as ``"2010-10-13T08:00:00"`` or a datetime, on the machine's clock
        where it names no zone; or whole seconds of the trace's clock.
    duration : duration
        Seconds, a timedelta, or a text as ``"8h"``, ``"24:00:00"``, ``"7d"``.
    every : duration, optional
        From one start to the next, longer than `duration`. Default: once.
    mode : {"drain", "kill"}, default "drain"
        Whether no job starts that by its estimate would overlap it, or jobs that run are killed as
        it begins.
    pool : str, optional
        Default: the whole machine.
    nodes : str or sequence of str, optional
        Of a machine of node types, the nodes that are away: lists of names, as ``"gpu[001-016]"``,
        ``"type:fat"``, ``"feature:ib"``; the union.
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
    every: Length | None = None
    mode: Literal["drain", "kill"] = "drain"
    pool: str | None = None

    DURATIONS: ClassVar = frozenset({"duration", "every"})
    READERS: ClassVar = {
        **REPEATED_READERS,
        "mode": readers.one_of("drain", "kill"),
        "pool": readers.optional(readers.name),
        **PLACE_READERS,
    }
    CHECKS: ClassVar = (Check(PERIOD_CHECK.needs, _always), PERIOD_CHECK, *PLACE_CHECKS)
