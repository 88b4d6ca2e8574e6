"""User reservations: processors kept free for some users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from slotwise.site.faults import Check, Fault
from slotwise.site.parts import readers
from slotwise.site.parts.maintenance import PERIOD_CHECK, REPEATED_READERS
from slotwise.site.parts.node_places import (
    PLACE_CHECKS,
    PLACE_READERS,
    SIZE_CHECK,
    NodePlaces,
)
from slotwise.site.parts.owners import OWNER_COLUMNS, OWNER_READERS, owners_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slotwise.site.parts.times import Instant, Length


def _for_nobody(reservation: Any) -> Iterator[Fault]:
    if not owners_of(reservation):
        yield Fault(
            ("users",),
            "no user, group, account or qos may use this reservation; add one, or use an outage to "
            "keep the processors idle",
        )


@dataclass(frozen=True, slots=True)
class Reservation(NodePlaces):
    """A one-off or periodic reservation of processors or nodes for some users or accounts.

    Jobs of these owners start in the reservation if they fit and end before the reservation ends;
    other jobs are planned around it.

    Parameters
    ----------
    name : str
    start, duration, every
        As in `Maintenance`; `every` may equal `duration`.
    processors : int, optional
        Number of processors, at least 1. Alternatively, specify `nodes` or `node_type`.
    pool : str, optional
        Required if the site has several pools.
    users, groups, accounts, qos : sequence of str or int, optional
        Owners whose jobs may use the reservation, by name or by their number in the trace; at
        least one.
    nodes : str or sequence of str, optional
        On a machine with node types, the reserved nodes: the union of lists such as
        ``"gpu[001-016]"``, ``"type:fat"`` and ``"feature:ib"``.
    node_type : str, optional
        With `node_count`, instead of `nodes`: that number of nodes of this type.
    node_count : int, optional
        Number of nodes.

    Raises
    ------
    SiteError
        If fields are invalid; the message names each of them.
    """

    name: str
    start: Instant
    duration: Length
    processors: int | None = None
    pool: str | None = None
    every: Length | None = None
    users: str | int | Sequence[str | int] = ()
    groups: str | int | Sequence[str | int] = ()
    accounts: str | int | Sequence[str | int] = ()
    qos: str | int | Sequence[str | int] = ()

    DURATIONS: ClassVar = frozenset({"duration", "every"})
    READERS: ClassVar = {
        "name": readers.name,
        **REPEATED_READERS,
        "processors": readers.optional(readers.processors),
        "pool": readers.optional(readers.name),
        **OWNER_READERS,
        **PLACE_READERS,
    }
    CHECKS: ClassVar = (
        PERIOD_CHECK,
        SIZE_CHECK,
        *PLACE_CHECKS,
        Check(frozenset(OWNER_COLUMNS), _for_nobody),
    )
