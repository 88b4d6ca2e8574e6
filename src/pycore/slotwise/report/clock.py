"""Dates of a trace: its seconds as calendar time at one fixed zone offset."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

if TYPE_CHECKING:
    from slotwise.trace import Trace


@dataclass(frozen=True)
class Clock:
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
            local = moment.astimezone(timezone(timedelta(seconds=self.offset)))
        except (OverflowError, ValueError, OSError):
            return f"{seconds} s"
        return local.strftime("%Y-%m-%d %H:%M")


def clock_of(trace: Trace) -> Clock | None:
    """Find the calendar of a trace.

    Parameters
    ----------
    trace : Trace

    Returns
    -------
    Clock or None
        None where the header has no UnixStartTime. Where the first submit is itself at or after
        UnixStartTime, times are already absolute.
    """
    unix = trace.unix_start_time
    if unix is None or unix <= 0 or len(trace) == 0:
        return None
    absolute = int(trace.submit[0]) >= unix
    offset, zone = _zone(trace.header, unix)
    return Clock(0 if absolute else unix, offset, zone)


def _zone(header: dict[str, str], unix: int) -> tuple[int, str]:
    """The zone offset at `unix` and its name: TimeZoneString, else TimeZone (seconds), else UTC."""
    name = header.get("TimeZoneString", "").strip()
    if name:
        try:
            local = datetime.fromtimestamp(unix, ZoneInfo(name))
        except (ZoneInfoNotFoundError, ValueError, OverflowError, OSError):
            pass
        else:
            shift = local.utcoffset()
            return (int(shift.total_seconds()) if shift else 0), name
    seconds = re.match(r"\s*([-+]?\d+)", header.get("TimeZone", ""))
    if seconds and abs(int(seconds[1])) < 86400:
        offset = int(seconds[1])
        sign = "-" if offset < 0 else "+"
        hours, rest = divmod(abs(offset), 3600)
        return offset, f"UTC{sign}{hours:02d}:{rest // 60:02d}" if offset else "UTC"
    return 0, "UTC"
