"""Converts between the times of a trace and dates, with a fixed UTC offset."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from slotwise.site.parts.times import offset_seconds, zone_of

if TYPE_CHECKING:
    from slotwise.site.parts import Clock
    from slotwise.trace import Trace

_DAY = 86400


@dataclass(frozen=True)
class Dates:
    """Calendar time of a trace's time 0.

    Attributes
    ----------
    epoch : int
        Seconds to add to a trace time to get Unix time.
    offset : int
        Seconds east of UTC, fixed for the whole trace.
    """

    epoch: int
    offset: int

    @property
    def zone(self) -> str:
        """The offset as written after a date, such as ``UTC`` or ``UTC+02:00``.

        The zone is not named, because a name would suggest that daylight saving time applies.
        """
        sign = "-" if self.offset < 0 else "+"
        hours, rest = divmod(abs(self.offset), 3600)
        return f"UTC{sign}{hours:02d}:{rest // 60:02d}" if self.offset else "UTC"

    def date(self, seconds: float) -> str:
        """Write a trace time, in seconds, as a date and a time to the minute, with its zone."""
        try:
            moment = datetime.fromtimestamp(self.epoch + int(seconds), UTC)
            local = moment.astimezone(zone_of(self.offset))
        except (OverflowError, ValueError, OSError):
            return f"{seconds:,.0f} s"
        return f"{local:%Y-%m-%d %H:%M} {self.zone}"

    def seconds(self, date: datetime) -> int:
        """Return the trace time of a date; a date without a zone is in the machine's local time."""
        return _unix(date, self.offset) - self.epoch

    @property
    def midnight(self) -> int:
        """The first midnight on the machine's clock, at or after the trace's time 0."""
        return -(self.epoch + self.offset) % _DAY


def dates_of(trace: Trace, clock: Clock | None = None) -> Dates | None:
    """Find the calendar of a trace.

    Parameters
    ----------
    trace : Trace
    clock : Clock, optional
        The site's clock: the offset, and the date of time 0 if the header has none.

    Returns
    -------
    Dates or None
        None if neither header nor site gives the date of time 0. If the first submit time is
        UnixStartTime or later, trace times are taken as Unix times.
    """
    offset = offset_seconds(str(clock.utc_offset)) if clock and clock.utc_offset else None
    unix = trace.unix_start_time
    if unix is not None and unix > 0 and len(trace) > 0:
        absolute = int(trace.submit[0]) >= unix
        return Dates(
            0 if absolute else unix, _offset(trace.header, unix) if offset is None else offset
        )
    start = clock.start if clock else None
    if not isinstance(start, datetime):
        return None
    named = start.utcoffset()
    if offset is None and named is not None:
        offset = int(named.total_seconds())
    if offset is None:
        offset = _offset(trace.header, _unix(start, 0))
    return Dates(_unix(start, offset), offset)


def written_instant(seconds: float, dates: Dates | None) -> str:
    """Write a trace time as a date, if dates are known, and in seconds on the log's clock."""
    if dates is None:
        return f"{seconds:,.0f} s"
    return f"{dates.date(seconds)} ({seconds:,.0f} s)"


def written_period(first: float, last: float, dates: Dates | None) -> str:
    """Write a period in dates or, if these are unknown, in seconds on the log's clock."""
    if dates is None:
        return f"{first:,.0f} s to {last:,.0f} s on the log's clock"
    begin, end = dates.date(first), dates.date(last)
    return f"{begin.removesuffix(f' {dates.zone}')} to {end}"


def _unix(date: datetime, offset: int) -> int:
    local = date if date.tzinfo is not None else date.replace(tzinfo=zone_of(offset))
    return int(local.timestamp())


def _offset(header: dict[str, str], unix: int) -> int:
    """Return the UTC offset at Unix time `unix` from the header, or 0 if the header has none."""
    name = header.get("TimeZoneString", "").strip()
    if name:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # slow to import

        try:
            local = datetime.fromtimestamp(unix, ZoneInfo(name))
        except (ZoneInfoNotFoundError, ValueError, OverflowError, OSError):
            pass
        else:
            shift = local.utcoffset()
            return int(shift.total_seconds()) if shift else 0
    seconds = re.match(r"\s*([-+]?\d+)", header.get("TimeZone", ""))
    return int(seconds[1]) if seconds and abs(int(seconds[1])) < 86400 else 0
