"""Maintenance windows: times at which a machine, a pool or some nodes are unavailable."""

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
"""Readers for the fields of one-off or periodic parts."""


def _longer_than_its_period(part: Any) -> Iterator[Fault]:
    if part.every is not None and part.duration > part.every:
        yield Fault(
            ("duration",),
            f"{written_duration(part.duration)} is longer than the period, which is "
            f"{written_duration(part.every)}; shorten the duration, or omit 'every'",
        )


PERIOD_CHECK = Check(frozenset({"duration", "every"}), _longer_than_its_period)
"""The check that every recurring part must pass."""


def _always(maintenance: Any) -> Iterator[Fault]:
    if maintenance.duration == maintenance.every:
        length = written_duration(maintenance.duration)
        yield Fault(
            ("duration",),
            f"{length} is as long as the period: no job could run after the first window has "
            "begun; shorten the duration, or omit 'every'",
        )


@dataclass(frozen=True, slots=True)
class Maintenance(NodePlaces):
    """A one-off or periodic maintenance window for the machine, a pool or some nodes.

    Parameters
    ----------
    start : instant
        Start of the first window, as whole seconds on the trace's clock or as a date. A date is a
        datetime or a string such as ``"2010-10-13T08:00:00"``. Without a zone, it is on the
        machine's clock.
    duration : duration
        Seconds, a timedelta, or a string such as ``"8h"``, ``"24:00:00"``, ``"7d"``.
    every : duration, optional
        Time from one start to the next, longer than `duration`. Default: the window occurs once.
    mode : {"drain", "kill"}, default "drain"
        ``"drain"``: a job does not start if its estimated run extends into the window.
        ``"kill"``: jobs still running when the window begins are killed.
    pool : str, optional
        Default: the whole machine.
    nodes : str or sequence of str, optional
        On a machine with node types, the nodes that are unavailable: the union of lists such as
        ``"gpu[001-016]"``, ``"type:fat"`` and ``"feature:ib"``.
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
