"""Calendar windows in which processors are unavailable, on the trace's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slotwise._core import Calendar, Outage as CoreOutage, Site as CoreSite, outage_shares, windows
from slotwise.site.parts.owners import OWNER_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise._core import JobOwners


class Window(NamedTuple):
    """Processors that a job cannot use in [start, end)."""

    start: int
    end: int
    processors: int
    announced: bool


def outages_of(site: CoreSite, pool: int, first: int, last: int) -> list[Window]:
    """List those outages of a pool that overlap [first, last)."""
    return [
        Window(start, end, share, outage.mode == CoreOutage.Mode.drain)
        for outage in site.outages
        if (share := outage_shares(site, outage)[pool]) > 0
        for start, end in windows(outage, first, last)
    ]


def repairs_of(site: CoreSite, pool: int, first_submit: int, first: int, last: int) -> list[Window]:
    """List the repairs that overlap [first, last). Each repair affects the pool or one node."""
    if site.crashes.repair == 0:
        return []
    size = site.pools[pool].processors if site.pools else site.processors
    if site.crashes.per_node and site.torus is not None:
        size = site.torus.processors // site.torus.nodes
    calendar, found = Calendar(site, first_submit), []
    while calendar.next() < last:
        time, kind, _ = calendar.pop()
        if kind == "crash" and time + site.crashes.repair > first:
            found.append(Window(time, time + site.crashes.repair, size, announced=False))
    return found


def owns(owners: JobOwners, owner: Mapping[str, int]) -> bool:
    """Return True if `owners` includes the user, group, account or QOS of a job.

    `owner` has the job's codes by trace column.
    """
    return any(
        owner[column] >= 0 and owner[column] in getattr(owners, field)
        for field, column in OWNER_COLUMNS.items()
    )


def fences_of(
    site: CoreSite, pool: int, owner: Mapping[str, int], first: int, last: int
) -> list[Window]:
    """List those reservations in a pool that are for other owners and overlap [first, last)."""
    return [
        Window(start, end, reservation.processors, True)
        for reservation in site.reservations
        if reservation.pool == pool and not owns(reservation.owners, owner)
        for start, end in windows(reservation, first, last)
    ]  # fmt: skip
