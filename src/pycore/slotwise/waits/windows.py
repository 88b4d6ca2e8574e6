"""What a calendar takes away, as windows on the trace's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slotwise import _core

if TYPE_CHECKING:
    from collections.abc import Iterator


class Window(NamedTuple):
    """Processors that are not there for a job in [start, end)."""

    start: int
    end: int
    processors: int
    announced: bool


def outages_of(site: _core.Site, pool: int, size: int, first: int, last: int) -> list[Window]:
    """Give the outages of a pool (of so many processors) that meet [first, last)."""
    found = []
    for outage in site.outages:
        share = _share(site, outage, pool, size)
        announced = outage.mode == _core.Outage.Mode.drain
        for start, end in _repeats(outage, first, last):
            if share:
                found.append(Window(start, end, share, announced))
    return found


def fences_of(
    site: _core.Site, pool: int, user: int, group: int, first: int, last: int
) -> list[Window]:
    """Give the reservations for others than this user in a pool that meet [first, last)."""
    return [
        Window(start, end, reservation.processors, True)
        for reservation in site.reservations
        if reservation.pool == pool and user not in reservation.users
        and group not in reservation.groups
        for start, end in _repeats(reservation, first, last)
    ]  # fmt: skip


def _repeats(
    part: _core.Outage | _core.UserReservation, first: int, last: int
) -> Iterator[tuple[int, int]]:
    """Give every repetition [start, end) that meets [first, last)."""
    start = part.start
    if part.every and start + part.duration <= first:
        start += (first - start - part.duration) // part.every * part.every
    while start < last:
        if start + part.duration > first:
            yield start, start + part.duration
        if not part.every:
            return
        start += part.every


def _share(site: _core.Site, outage: _core.Outage, pool: int, size: int) -> int:
    """Give how many processors an outage takes from a pool, others of the site first in order."""
    if outage.pool != _core.ANY_POOL:
        return min(outage.processors or size, size) if outage.pool == pool else 0
    if not outage.processors or not site.pools:
        return min(outage.processors or size, size)
    before = sum(p.processors for p in site.pools[:pool])
    return max(0, min(outage.processors - before, size))
