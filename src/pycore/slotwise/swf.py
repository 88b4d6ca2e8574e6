"""Traces as Standard Workload Format 2.2 files."""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise import _core
from slotwise._header import Header
from slotwise.errors import TraceError
from slotwise.trace import Trace
from slotwise.trace_report import TraceReport, make_fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_PIECE = 1 << 20
_GZIP = b"\x1f\x8b"
_PACKED = {b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd"}


def read_swf(path: str | os.PathLike[str], *, strict: bool = False) -> Trace:
    """Read a Standard Workload Format 2.2 file, packed with gzip or not.

    Real logs are odd; what can be repaired is repaired and counted in ``trace.report``
    (docs/traces.md lists every rule).

    Parameters
    ----------
    path : str or path-like
        The file.
    strict : bool, default False
        Turn the first fault of the file into an error.

    Returns
    -------
    Trace
        One row a job that can be used, sorted by submit.

    Raises
    ------
    TraceError
        For a file that cannot be read, holds no job, or holds numbers too large to replay; under
        `strict` for anything that would be repaired, dropped or rejected. Its `path` and `line`
        say where.

    References
    ----------
    Chapin et al., "Benchmarks and Standards for the Evaluation of Parallel Job Schedulers",
    JSSPP 1999; https://www.cs.huji.ac.il/labs/parallel/workload/swf.html
    """
    source = os.fspath(path)
    try:
        with Path(source).open("rb") as file:
            trace = _read(file, source)
    except TraceError as error:
        raise TraceError(error.message, path=source, line=error.line) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise TraceError(
            f"cannot be read ({reason}); a trace is a file of one job a line: check the path",
            path=source,
        ) from error
    if strict:
        _refuse_faults(trace)
    return trace


def _read(file: BinaryIO, source: str) -> Trace:
    head = file.read(6)
    file.seek(0)
    for magic, name in _PACKED.items():
        if head.startswith(magic):
            raise TraceError(
                f"is packed with {name}; plain text and gzip are read: unpack it first"
            )
    size = os.fstat(file.fileno()).st_size
    packed = head.startswith(_GZIP)
    reader = _core.SwfReader(_unpacked_size(file, size) if packed else size)
    for piece in _unpacked(file) if packed else _pieces(file):
        reader.feed(piece)
    jobs, comments, counts = reader.finish()
    header, faults = Header.parsed(comments)
    faults += [make_fault(*count) for count in counts]
    faults += header.rejected(jobs.columns())
    return Trace._make(jobs, header, TraceReport(faults), source)


def _pieces(file: BinaryIO) -> Iterator[memoryview]:
    buffer = memoryview(bytearray(_PIECE))
    while count := file.readinto(buffer):  # type: ignore[attr-defined]
        yield buffer[:count]


def _unpacked_size(file: BinaryIO, size: int) -> int:
    """Return what gzip says of the text's size, which is a guess for files over 4 GB."""
    file.seek(max(size - 4, 0))
    claimed = int.from_bytes(file.read(4), "little")
    file.seek(0)
    return min(claimed, 40 * size)


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    """Unpack a gzip file of one or more members, piece by piece."""
    member = zlib.decompressobj(wbits=31)
    begun = False
    try:
        while piece := file.read(_PIECE // 8):
            while piece:
                begun = True
                yield member.decompress(piece)
                if not member.eof:
                    break
                piece = member.unused_data.lstrip(b"\0")
                member = zlib.decompressobj(wbits=31)
                begun = False
    except zlib.error as error:
        raise TraceError(f"the gzip data is damaged ({error}); fetch the file again") from error
    if begun:
        raise TraceError("the gzip data is cut short; fetch the file again")


def _refuse_faults(trace: Trace) -> None:
    faults = [fault for fault in trace.report.faults() if fault.kind != "note"]
    if not faults:
        return
    first = min(faults, key=lambda fault: fault.lines[0])
    raise TraceError(
        f"{first.rule} ({first.reason}); strict reading takes no fault, and the file has "
        f"{sum(fault.count for fault in faults)}: correct it or read it without strict",
        path=trace.source,
        line=first.lines[0],
    )
