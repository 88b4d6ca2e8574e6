"""Submit, eligible, start and end times of the jobs in a log, on one clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.errors import TraceError
from slotwise.formats.text.zones import YEAR_1990, to_utc, written, zone_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from slotwise.formats.text.raw_columns import RawColumn
    from slotwise.formats.text.rows_kept import RowsKept

    Int64 = NDArray[np.int64]

_POINTS = ("submit", "eligible", "start", "end")
_UNKNOWN = -1


@dataclass(frozen=True)
class JobTimes:
    """The times of each row, in seconds; -1 if unknown, which occurs only in dropped rows.

    Attributes
    ----------
    is_dated : bool
        True if the times are seconds since 1970; otherwise they start on an unknown day.
    has_starts : bool
        True if the log has start times; otherwise `start` is the submit time.
    """

    submit: Int64
    eligible: Int64
    start: Int64
    end: Int64
    is_dated: bool
    has_starts: bool = True

    @property
    def run_time(self) -> Int64:
        """Seconds from start to end."""
        return self.end - self.start

    @property
    def wait(self) -> Int64:
        """Seconds from submission to start."""
        return self.start - self.submit


def job_times(columns: Mapping[str, RawColumn], kept: RowsKept, zone: str) -> JobTimes:
    """Find the times of every row, and drop rows without times.

    Raises
    ------
    TraceError
        For an unknown zone, and for columns in which only some times have a zone.
    """
    is_dated = any(len(columns[name].extra) for name in _POINTS if name in columns)
    points = _points(columns, kept, zone)
    if is_dated:
        _drop_old(points, kept)
    n_rows = len(kept.lines)
    none = np.full(n_rows, _UNKNOWN, dtype=np.int64)
    submit = points.get("submit", none)
    start = points.get("start", none)
    if "wait" in columns:
        waited = _known(columns["wait"])
        start = np.where((start < 0) & (waited >= 0) & (submit >= 0), submit + waited, start)
    has_starts = "start" in columns or "wait" in columns
    start = start if has_starts else submit
    kept.drop("malformed", submit < 0, "submit: unknown")
    kept.drop("never_started", start < 0)
    end = _ends(columns, points.get("end", none), start, kept)
    early = start < submit
    kept.note("submit_after_start", early)
    submit = np.where(early, start, submit)
    eligible = _eligible(columns, points.get("eligible", none), submit, start, kept)
    return JobTimes(submit, eligible, start, end, is_dated, has_starts)


def _known(column: RawColumn) -> Int64:
    made: Int64 = np.where(column.is_known, column.values, _UNKNOWN)
    return made


def _points(columns: Mapping[str, RawColumn], kept: RowsKept, zone: str) -> dict[str, Int64]:
    """Return points in time as seconds since 1970, or since the beginning of the log."""
    found = {}
    walls = []
    for name in _POINTS:
        if name not in columns:
            continue
        column = columns[name]
        found[name] = _known(column)
        known = kept.mask & column.is_known & (column.values != 0)
        if len(column.extra) and known.any():
            zoned = column.extra[known] == 1
            if zoned.any() and not zoned.all():
                raise TraceError(
                    f"{name} contains times with a zone and times without one; write all of them "
                    "with a zone, or all without"
                )
            walls += [] if zoned.any() else [name]
    if walls and zone:
        _set_zone(found, walls, columns, zone)
    elif walls:
        kept.note("zone_assumed", kept.mask)
    return found


def _set_zone(
    found: dict[str, Int64], walls: list[str], columns: Mapping[str, RawColumn], zone: str
) -> None:
    """Convert local times to UTC.

    Clocks show one hour twice in autumn; the run times decide which of the two is meant.
    """
    there = zone_named(zone)
    wall_of = {name: found[name] for name in walls}
    for name in walls:
        known = wall_of[name] != _UNKNOWN
        found[name] = np.where(known, to_utc(wall_of[name], there), _UNKNOWN)
    if "end" not in walls or "start" not in walls:
        return
    known = (found["start"] != _UNKNOWN) & (found["end"] != _UNKNOWN)
    later = {name: to_utc(wall_of[name], there, later=True) for name in ("start", "end")}
    run_time = _known(columns["run_time"]) if "run_time" in columns else found["end"] * 0 - 1
    for first, last in (
        (found["start"], later["end"]), (later["start"], found["end"]),
        (later["start"], later["end"]),
    ):  # fmt: skip
        length = found["end"] - found["start"]
        wrong = known & np.where(run_time >= 0, length != run_time, length < 0)
        better = wrong & np.where(run_time >= 0, last - first == run_time, last - first >= 0)
        found["start"] = np.where(better, first, found["start"])
        found["end"] = np.where(better, last, found["end"])


def _drop_old(points: dict[str, Int64], kept: RowsKept) -> None:
    """Drop rows with a date before 1990; 0 means an unknown date."""
    for name, column in points.items():
        column[column == 0] = _UNKNOWN
        old = (column < YEAR_1990) & (column != _UNKNOWN)
        if old.any():
            example = f"{name}: {written(int(column[np.argmax(old)]))}"
            kept.drop("before_1990", old, example)


def _ends(columns: Mapping[str, RawColumn], end: Int64, start: Int64, kept: RowsKept) -> Int64:
    """Return the end times; a missing one is computed from the start and run time."""
    if "run_time" in columns:
        run_time = _known(columns["run_time"])
        said = columns["run_time"].is_known
        kept.drop("end_before_start", said & (run_time < 0))
        instead = (end < 0) & said
        if "end" in columns:
            kept.note("end_from_elapsed", instead & (start >= 0))
        end = np.where(instead, start + run_time, end)
    kept.drop("not_ended", end < 0)
    kept.drop("end_before_start", end < start)
    return end


def _eligible(
    columns: Mapping[str, RawColumn], eligible: Int64, submit: Int64, start: Int64, kept: RowsKept
) -> Int64:
    """Return each job's eligible time, or its submit time if that is unknown or after the start."""
    if "eligible_wait" in columns:
        waited = _known(columns["eligible_wait"])
        eligible = np.where(waited >= 0, start - waited, eligible)
    said = eligible >= 0
    kept.note("eligible_before_submit", said & (eligible < submit))
    made: Int64 = np.where(said & (eligible <= start), np.maximum(eligible, submit), submit)
    return made
