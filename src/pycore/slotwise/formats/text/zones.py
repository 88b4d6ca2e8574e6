"""Converts local times to seconds since 1970: 02:30 in Stockholm is 00:30 UTC in summer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from slotwise.errors import TraceError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from numpy.typing import NDArray

YEAR_1990 = 631_152_000
"""Seconds from 1970 to 1990; an earlier time comes from a clock that was not set."""

_EPOCH = datetime(1970, 1, 1)
_QUARTER = 900
"""Seconds; zones change their offsets only at multiples of this number."""


def zone_named(name: str) -> ZoneInfo:
    """Find a zone by its name in the time zone database.

    Raises
    ------
    TraceError
        For an unknown name.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise TraceError(
            f"{name!r} is not a known time zone; use a name from the time zone database, such as "
            "Europe/Stockholm or UTC"
        ) from None


def to_utc(wall: NDArray[np.int64], zone: ZoneInfo, *, later: bool = False) -> NDArray[np.int64]:
    """Return local times of a zone as seconds since 1970.

    When summer time ends, clocks show an hour twice. The first one is used, or with `later` the
    second. In an hour that clocks skip, the offset from before the change applies, or with `later`
    the one from after it.
    """
    quarters, place = np.unique(wall // _QUARTER, return_inverse=True)
    offsets = [_offset(int(quarter) * _QUARTER, zone, later=later) for quarter in quarters]
    return wall - np.array(offsets, dtype=np.int64)[place]


def _offset(wall: int, zone: ZoneInfo, *, later: bool) -> int:
    try:
        moment = (_EPOCH + timedelta(seconds=wall)).replace(tzinfo=zone, fold=int(later))
        return int((moment.utcoffset() or timedelta()).total_seconds())
    except OverflowError:
        return 0


def written(seconds: int) -> str:
    """Write seconds since 1970 as a date in UTC."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"
    except (OverflowError, ValueError, OSError):
        return f"{seconds} s after 1970"
