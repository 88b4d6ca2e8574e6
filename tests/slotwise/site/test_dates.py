"""Times of a trace as dates, in the time zone of the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.site.dates import dates_of, written_instant, written_period

if TYPE_CHECKING:
    from pathlib import Path

# This is 2000-01-01 00:00:00 UTC in Unix seconds.
Y2K = 946_684_800


def trace_with(tmp_path: Path, header: str, submit: int = 0) -> sw.Trace:
    log = tmp_path / "log.swf"
    log.write_text(f"; MaxProcs: 4\n{header}1 {submit} -1 10 1 -1 -1 1 10" + " -1" * 9 + "\n")
    return sw.read_swf(log)


def test_a_trace_without_unix_start_time_has_no_dates(tmp_path: Path) -> None:
    assert dates_of(trace_with(tmp_path, "")) is None


def test_times_count_from_unix_start_time(tmp_path: Path) -> None:
    dates = dates_of(trace_with(tmp_path, f"; UnixStartTime: {Y2K}\n"))
    assert dates is not None
    assert dates.date(86400 + 3660) == "2000-01-02 01:01 UTC"


def test_times_at_or_after_unix_start_time_are_absolute(tmp_path: Path) -> None:
    dates = dates_of(trace_with(tmp_path, f"; UnixStartTime: {Y2K}\n", submit=Y2K + 60))
    assert dates is not None
    assert dates.date(Y2K + 60) == "2000-01-01 00:01 UTC"


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        (
            "; TimeZoneString: Europe/Paris\n",
            "2000-01-01 01:00 UTC+01:00",
        ),  # in winter, one hour ahead of UTC
        ("; TimeZone: -28800\n", "1999-12-31 16:00 UTC-08:00"),  # eight hours behind
        ("; TimeZoneString: No/Where\n; TimeZone: 3600\n", "2000-01-01 01:00 UTC+01:00"),
        ("; TimeZoneString: ../../etc/passwd\n", "2000-01-01 00:00 UTC"),
    ],
)
def test_dates_are_at_the_zone_of_the_header(tmp_path: Path, zone: str, expected: str) -> None:
    dates = dates_of(trace_with(tmp_path, f"; UnixStartTime: {Y2K}\n{zone}"))
    assert dates is not None
    assert dates.date(0) == expected


def test_a_time_no_calendar_reaches_stays_a_number(tmp_path: Path) -> None:
    dates = dates_of(trace_with(tmp_path, f"; UnixStartTime: {Y2K}\n"))
    assert dates is not None
    assert dates.date(1 << 52) == f"{1 << 52:,} s"


def test_a_time_is_written_with_its_zone_and_its_second(tmp_path: Path) -> None:
    dates = dates_of(trace_with(tmp_path, f"; UnixStartTime: {Y2K}\n; TimeZone: 3600\n"))
    assert written_instant(60, dates) == "2000-01-01 01:01 UTC+01:00 (60 s)"
    assert written_instant(86_460, None) == "86,460 s"
    assert written_period(60, 120, dates) == "2000-01-01 01:01 to 2000-01-01 01:02 UTC+01:00"
    assert written_period(60, 3600, None) == "60 s to 3,600 s on the log's clock"


def test_one_offset_holds_for_a_whole_log(tmp_path: Path) -> None:
    # In July, Paris has summer time, but the log began in winter and keeps its winter offset.
    dates = dates_of(
        trace_with(tmp_path, f"; UnixStartTime: {Y2K}\n; TimeZoneString: Europe/Paris\n")
    )
    assert dates is not None
    assert dates.date(182 * 86400) == "2000-07-01 01:00 UTC+01:00"
