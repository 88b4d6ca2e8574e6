"""Reads and writes traces in the Standard Workload Format, version 2.2."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import SwfReader, format_swf
from slotwise._files import written_whole
from slotwise.errors import TraceError
from slotwise.formats.lines import GZIP, PIECE, unpacked
from slotwise.replay.replay_data import ReplayData
from slotwise.replay.state import State
from slotwise.text import plural
from slotwise.trace import Trace
from slotwise.trace.header import Header, decode
from slotwise.trace.report import TraceReport, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from typing import IO

    from numpy.typing import NDArray

_ROWS = 1 << 16
_PACKED = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd"}


def read_swf(path: str | os.PathLike[str], *, strict: bool = False) -> Trace:
    """Read a Standard Workload Format 2.2 file, which may be compressed with gzip.

    Faults in real logs are repaired if possible and counted in ``trace.report`` (docs/traces.md
    lists every rule).

    Parameters
    ----------
    path : str or path-like
        The file.
    strict : bool, default False
        Raise an error at the first fault of the file.

    Returns
    -------
    Trace
        One row per usable job, sorted by submit time.

    Raises
    ------
    TraceError
        For a file that cannot be read, contains no jobs, or has numbers too large to replay; under
        `strict`, for anything that would be repaired, dropped or rejected. `path` and `line` give
        the place.

    References
    ----------
    Chapin et al., "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers",
    JSSPP 1999; https://www.cs.huji.ac.il/labs/parallel/workload/swf.html
    """
    source = os.fsdecode(path)
    try:
        with Path(source).open("rb") as file:
            trace = _read(file, source)
    except TraceError as error:
        raise TraceError(error.message, path=source, line=error.line) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise TraceError(
            f"cannot be read ({reason}); a trace is a file with one job per line: check the path",
            path=source,
        ) from error
    if strict:
        _refuse_faults(trace)
    return trace


def _read(file: BufferedReader, source: str) -> Trace:
    head = file.peek(6)[:6]
    for magic, name in _PACKED.items():
        if head.startswith(magic):
            raise TraceError(
                f"is compressed with {name}; only plain text and gzip are read: decompress it first"
            )
    size = os.fstat(file.fileno()).st_size
    packed = head.startswith(GZIP)
    reader = SwfReader(_unpacked_size(file, size) if packed else size)
    for piece in unpacked(file) if packed else _pieces(file):
        reader.feed(piece)
    jobs, comments, counts = reader.finish()
    in_nodes = any(reason == "processors_from_descriptor" for reason, *_ in counts)
    header, faults = Header.parsed(comments, in_nodes=in_nodes)
    faults += [
        make_fault(reason, count, lines, decode(example))
        for reason, count, lines, example in counts
    ]
    faults += header.rejected(jobs.columns())
    return Trace._make(jobs, header, TraceReport(faults), source)


def _pieces(file: BufferedReader) -> Iterator[memoryview]:
    buffer = memoryview(bytearray(PIECE))
    while count := file.readinto(buffer):
        yield buffer[:count]


def _unpacked_size(file: BufferedReader, size: int) -> int:
    """Return the uncompressed size (modulo 4 GB) stored in a gzip file; 0 if it is unavailable."""
    if size < 4 or not file.seekable():
        return 0
    file.seek(size - 4)
    claimed = int.from_bytes(file.read(4), "little")
    file.seek(0)
    return min(claimed, 40 * size)


def _refuse_faults(trace: Trace) -> None:
    faults = [fault for fault in trace.report.faults() if fault.kind != "note"]
    if not faults:
        return
    first = min(faults, key=lambda fault: fault.lines[0])
    text = " ".join(first.example.split())
    shown = f" in {text[:150]!r}" if text else ""
    raise TraceError(
        f"{first.reason}{shown}: {first.rule}; strict mode accepts no faults (this file has "
        f"{sum(fault.count for fault in faults)}): correct the file, or turn strict mode off",
        path=trace.source,
        line=first.lines[0],
    )


def write_swf(trace_or_result: Trace | ReplayData, path: str | os.PathLike[str]) -> None:
    """Write a trace, or the schedule of a replay, as a Standard Workload Format 2.2 file.

    The file begins with MaxProcs and UnixStartTime, if they are known and no comment states them.
    The comments of the trace follow verbatim (in UTF-8). A trace that is written and read again
    equals the original, except for columns that SWF does not have. The file appears under its name
    once it is complete.

    For a result, wait and run time are those of the replay, and status is 1 (completed), 0 (killed
    at its limit) or 5 (never started). A job that never started has wait -1 and run time -1, so
    readers drop it; a Note in the header states the number of such jobs.

    Parameters
    ----------
    trace_or_result : Trace or Result
    path : str or path-like
        The file, compressed with gzip if its name ends in ``.gz``.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    if not isinstance(trace_or_result, Trace | ReplayData):
        raise TypeError(
            f"{trace_or_result!r} is neither a trace nor a result; pass the return "
            "value of a reader or of simulate"
        )
    if isinstance(trace_or_result, Trace):
        trace, schedule, notes = trace_or_result, None, []
    else:
        trace, schedule = trace_or_result.trace, _schedule_columns(trace_or_result)
        notes = _schedule_notes(trace_or_result)
    lines = trace._header.written() + notes
    with written_whole(path) as file:
        if os.fspath(path).endswith(".gz"):
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                _write(packed, lines, trace, schedule)
        else:
            _write(file, lines, trace, schedule)


_ScheduleColumns = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int32]"]


def _write(
    file: IO[bytes] | gzip.GzipFile,
    lines: list[str],
    trace: Trace,
    schedule: _ScheduleColumns | None,
) -> None:
    file.write("".join(line + "\n" for line in lines).encode())
    for first in range(0, len(trace), _ROWS):
        file.write(format_swf(trace._jobs, first, first + _ROWS, schedule))


def _schedule_columns(result: ReplayData) -> _ScheduleColumns:
    started = result.start >= 0
    run_time = np.where(started, result.end - result.start, -1)
    status = np.where(started, np.where(result.state == State.KILLED, 0, 1), 5).astype(np.int32)
    return result.wait, run_time, status


def _schedule_notes(result: ReplayData) -> list[str]:
    notes = [
        "; Note: a replay by Slotwise on "
        f"{result.processors} processors; wait, run time and status are those of the replay"
    ]
    missing = int(np.count_nonzero(result.start < 0))
    if missing:
        notes.append(
            f"; Note: {plural(missing, 'job')} never started: wait -1, run time -1, status 5; "
            "SWF readers ignore them"
        )
    return notes
