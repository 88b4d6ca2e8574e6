"""Durations, instants and hours of the day, in the forms in which users write them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone

import numpy as np

from slotwise._numbers import real, whole
from slotwise.site.faults import read_each
from slotwise.written_values import shown

Length = int | float | str | timedelta
"""A duration in any form that users write."""

Instant = int | str | date | datetime
"""An instant in any form that users write."""

LONGEST = 2**53
"""Largest allowed time, in seconds; some of the types that store times are inexact above it."""

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_WITH_UNIT = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([smhdw]?)")
_CLOCK = re.compile(r"(?:([0-9]{1,9})-)?([0-9]{1,9}):([0-9]{2})(?::([0-9]{2}))?")
_OFFSET = re.compile(r"(?:UTC)?([+-])([0-9]{2}):?([0-9]{2})")
_TIME_OF_DAY = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")
_DAY = 86400


def seconds_of(value: object, least: int = 0) -> int:
    """Read a duration: whole seconds, text, or a timedelta.

    Text is ``"90"``, ``"90s"``, ``"30m"``, ``"24h"``, ``"7d"``, ``"2w"``, ``"HH:MM:SS"`` or
    ``"D-HH:MM:SS"``. ``"HH:MM"`` is refused, because batch systems disagree on its meaning.

    Raises
    ------
    ValueError
        For anything else, and for a duration under `least` (0 or 1) or with a fraction of a second.
    """
    seconds: float | int | None
    if isinstance(value, str):
        seconds = _written_seconds(value.strip())
    elif isinstance(value, timedelta | np.timedelta64):
        seconds = value / (timedelta(seconds=1) if isinstance(value, timedelta) else _SECOND)
    else:
        seconds = real(value) if whole(value) is None else whole(value)
    if seconds is None or seconds != seconds:
        raise ValueError(
            f'{shown(value)} must be a duration: a number of seconds, or a string such as "90s", '
            '"30m", "24h", "7d", "24:00:00" or "1-12:00:00"'
        )
    if least and seconds < least:
        raise ValueError(f"{shown(value)} must last at least {least} second")
    if not 0 <= seconds <= LONGEST:
        raise ValueError(f"{shown(value)} must lie between 0 and {LONGEST} seconds")
    if seconds != int(seconds):
        raise ValueError(f"{shown(value)} must be a whole number of seconds; round it")
    return int(seconds)


_SECOND = np.timedelta64(1, "s")


def _written_seconds(text: str) -> float | int | None:
    if match := _WITH_UNIT.fullmatch(text):
        number, unit = match[1], _UNITS[match[2] or "s"]
        return round(float(number) * unit, 6) if "." in number else int(number) * unit
    match = _CLOCK.fullmatch(text)
    if match is None or match[4] is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    if minutes >= 60 or seconds >= 60 or (match[1] is not None and hours >= 24):
        return None
    return days * _DAY + hours * 3600 + minutes * 60 + seconds


def written_duration(seconds: int) -> str:
    """Write a duration as in a site file: ``7d``, ``24:00:00``, ``90s``."""
    if seconds < 60:
        return f"{seconds}s"
    days, rest = divmod(seconds, _DAY)
    if days and not rest and days > 1:
        return f"{days}d"
    minutes, last = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours > 99:
        return f"{days}-{hours % 24:02d}:{minutes:02d}:{last:02d}"
    return f"{hours:02d}:{minutes:02d}:{last:02d}"


def instant_of(value: object) -> int | datetime:
    """Read an instant: whole seconds on the trace's clock, or a date.

    A date without a time zone is in the machine's local time; a day without a time means 00:00.

    Raises
    ------
    ValueError
        For anything else, negative seconds, and dates with fractions of a second.
    """
    if isinstance(value, str) and value.strip().isdecimal() and len(value.strip()) <= 16:
        value = int(value)
    seconds = whole(value)
    if seconds is not None:
        if not 0 <= seconds <= LONGEST:
            raise ValueError(
                f"{shown(seconds)} must lie between 0 and {LONGEST} seconds on the trace's clock"
            )
        return seconds
    try:
        return date_of(value)
    except ValueError as fault:
        raise ValueError(f"{fault}, or whole seconds on the trace's clock") from None


def date_of(value: object) -> datetime:
    """Read a date from ISO text, a datetime or a date; a day without a time means 00:00.

    Raises
    ------
    ValueError
        For anything else, and for a fraction of a second.
    """
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            raise ValueError(_no_date(value)) from None
    if isinstance(value, datetime) and not value.microsecond:
        return value
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    raise ValueError(_no_date(value))


def _no_date(value: object) -> str:
    return f'{shown(value)} must be a date and time to the second, such as "2010-10-13T08:00:00"'


def offset_of(value: object) -> str:
    """Read an offset from UTC, such as ``"-05:00"``, and return it in that form.

    Raises
    ------
    ValueError
        For any value other than ``"Z"``, ``"UTC"`` or an offset of whole minutes below a day.
    """
    if isinstance(value, timedelta) and not value % timedelta(minutes=1):
        sign, minutes = ("-", -value) if value < timedelta(0) else ("+", value)
        hours, rest = divmod(int(minutes.total_seconds()), 3600)
        value = f"{sign}{hours:02d}:{rest // 60:02d}"
    text = "+00:00" if value in ("Z", "UTC") else value
    match = _OFFSET.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None or int(match[2]) >= 24 or int(match[3]) >= 60:
        raise ValueError(f'{shown(value)} must be an offset from UTC, such as "-05:00"')
    return f"{match[1]}{match[2]}:{match[3]}"


def offset_seconds(offset: str) -> int:
    """Convert an offset, as returned by `offset_of`, to seconds east of UTC."""
    seconds = int(offset[1:3]) * 3600 + int(offset[4:6]) * 60
    return -seconds if offset[0] == "-" else seconds


def zone_of(seconds: int) -> timezone:
    """Return the fixed time zone `seconds` east of UTC."""
    return timezone(timedelta(seconds=seconds))


def hours_of(value: object) -> tuple[str, ...]:
    """Read one or several intervals of the day, and return them in the form ``"20:00-08:00"``.

    Raises
    ------
    ValueError
        For anything else, and for an empty interval.
    """
    if isinstance(value, str):
        return (_written_hours(value),)
    if not isinstance(value, list | tuple):
        raise ValueError(
            f'{shown(value)} must be hours of the day, such as "20:00-08:00", or a list of them'
        )
    return read_each(_written_hours, value)


def _written_hours(interval: object) -> str:
    ends = interval.split("-") if isinstance(interval, str) else []
    times = [_second_of_day(end.strip()) for end in ends]
    if len(times) != 2 or None in times or times[0] == _DAY:
        raise ValueError(
            f'{shown(interval)} must be hours of the day from 00:00 to 24:00, such as "20:00-08:00"'
        )
    if times[0] == times[1]:
        raise ValueError(
            f'{shown(interval)} contains no time; for the whole day write "00:00-24:00"'
        )
    return "-".join(_written_time(time) for time in times if time is not None)


def _second_of_day(text: str) -> int | None:
    match = _TIME_OF_DAY.fullmatch(text)
    if match is None:
        return None
    hour, minute, second = (int(part or 0) for part in match.groups())
    time = hour * 3600 + minute * 60 + second
    return time if minute < 60 and second < 60 and time <= _DAY else None


def _written_time(time: int) -> str:
    text = f"{time // 3600:02d}:{time // 60 % 60:02d}"
    return f"{text}:{time % 60:02d}" if time % 60 else text


def time_of_day(value: object) -> int:
    """Read a time of day, ``"20:00"``, as seconds from 0 to 86,399.

    Raises
    ------
    ValueError
        For anything else.
    """
    time = _second_of_day(value.strip()) if isinstance(value, str) else None
    if time is None or time == _DAY:
        raise ValueError(
            f'{shown(value)} must be a time of day from 00:00 to 23:59, such as "20:00"'
        )
    return time


def day_times(interval: str) -> tuple[int, int]:
    """Return the opening and closing times of an interval, in seconds since midnight."""
    opening, closing = (_second_of_day(end) for end in interval.split("-"))
    if opening is None or closing is None:
        raise ValueError(f'{interval!r} must be hours of the day, such as "20:00-08:00"')
    return opening, closing
