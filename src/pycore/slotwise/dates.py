"""Dates of a trace: its seconds as calendar time at one fixed zone offset."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from slotwise.sites.times import offset_seconds, zone_of

if TYPE_CHECKING:
    from slotwise.sites import Clock
    from slotwise.trace import Trace

_DAY = 86400


@dataclass(frozen=True)
class Dates:
    """Where a trace's time 0 lies in calendar time.

    Attributes
    ----------
    epoch : int
        Seconds to add to a trace time to get Unix time.
    offset : int
        Seconds east of UTC, fixed for the whole trace.
    zone : str
        Its name, to print beside a date.
    """

    epoch: int
    offset: int
    zone: str

    def date(self, seconds: int) -> str:
        """Format a trace time, in seconds, as a date and a time to the minute."""
        try:
            moment = datetime.fromtimestamp(self.epoch + seconds, UTC)
            local = moment.astimezone(zone_of(self.offset))
        except (OverflowError, ValueError, OSError):
            return f"{seconds} s"
        return local.strftime("%Y-%m-%d %H:%M")

    def seconds(self, date: datetime) -> int:
        """Give the trace time of a date; one without a zone is of the machine's clock."""
        return _unix(date, self.offset) - self.epoch

    @property
    def midnight(self) -> int:
        """The first midnight of the machine's clock at or after the trace's time 0."""
        return -(self.epoch + self.offset) % _DAY


def dates_of(trace: Trace, clock: Clock | None = None) -> Dates | None:
    """Find the calendar of a trace.

    Parameters
    ----------
    trace : Trace
    clock : Clock, optional
        What a site says of it: the offset, and the date of time 0 where the header has none.

    Returns
    -------
    Dates or None
        None where neither header nor site date time 0. Where the first submit is itself at or after
        UnixStartTime, times are already absolute.
    """
    offset = offset_seconds(str(clock.utc_offset)) if clock and clock.utc_offset else None
    unix = trace.unix_start_time
    if unix is not None and unix > 0 and len(trace) > 0:
        absolute = int(trace.submit[0]) >= unix
        return _dates(0 if absolute else unix, offset, _zone(trace.header, unix))
    start = clock.start if clock else None
    if not isinstance(start, datetime):
        return None
    named = start.utcoffset()
    if offset is None and named is not None:
        offset = int(named.total_seconds())
    zone = _zone(trace.header, _unix(start, 0))
    return _dates(_unix(start, zone[0] if offset is None else offset), offset, zone)


def _dates(epoch: int, offset: int | None, zone: tuple[int, str]) -> Dates:
    return Dates(epoch, *zone) if offset is None else Dates(epoch, offset, _zone_name(offset))


def _unix(date: datetime, offset: int) -> int:
    local = date if date.tzinfo is not None else date.replace(tzinfo=zone_of(offset))
    return int(local.timestamp())


def _zone(header: dict[str, str], unix: int) -> tuple[int, str]:
    """The zone offset at `unix` and its name: TimeZoneString, else TimeZone (seconds), else UTC."""
    name = header.get("TimeZoneString", "").strip()
    if name:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # slow to import

        try:
            local = datetime.fromtimestamp(unix, ZoneInfo(name))
        except (ZoneInfoNotFoundError, ValueError, OverflowError, OSError):
            pass
        else:
            shift = local.utcoffset()
            return (int(shift.total_seconds()) if shift else 0), name
    seconds = re.match(r"\s*([-+]?\d+)", header.get("TimeZone", ""))
    if seconds and abs(int(seconds[1])) < 86400:
        return int(seconds[1]), _zone_name(int(seconds[1]))
    return 0, "UTC"


def _zone_name(offset: int) -> str:
    sign = "-" if offset < 0 else "+"
    hours, rest = divmod(abs(offset), 3600)
    return f"UTC{sign}{hours:02d}:{rest // 60:02d}" if offset else "UTC"
