"""Text files, optionally compressed with gzip, read piece by piece in bounded memory."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise import extras
from slotwise.errors import TraceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BufferedReader

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
PIECE = 1 << 20
"""Bytes read or decompressed at a time."""

LONGEST_LINE = 1 << 20
"""Maximum number of bytes in a line; an endless line would fill the memory."""

LONGEST_RECORD = 1 << 24
"""Maximum number of bytes in a line of an accounting file, which lists every node of a job."""


def unpacked(file: BufferedReader) -> Iterator[bytes]:
    """Decompress a gzip file piece by piece; zeros between its members are padding.

    Raises
    ------
    TraceError
        If the data are damaged or cut short.
    """
    member = None
    try:
        while piece := file.read(PIECE // 8):
            while piece:
                if member is None:
                    piece = piece.lstrip(b"\0")
                    if not piece:
                        break
                    member = zlib.decompressobj(wbits=31)
                yield member.decompress(piece, PIECE)
                piece = member.unconsumed_tail or member.unused_data
                if member.eof:
                    member = None
        while member is not None and (rest := member.decompress(b"", PIECE)):
            yield rest
            member = None if member.eof else member
    except zlib.error as error:
        raise TraceError(
            f"cannot be read: the gzip data is damaged ({error}); fetch the file again"
        ) from error
    if member is not None:
        raise TraceError("cannot be read: the gzip data is cut short; fetch the file again")


def text_pieces(path: str) -> Iterator[bytes]:
    """Yield the bytes of a text file in pieces, decompressed if the file is gzip or zstd.

    Raises
    ------
    TraceError
        For a file that cannot be read, and for damaged data.
    MissingExtraError
        For zstd without pyarrow.
    """
    try:
        with Path(path).open("rb") as file:
            first = file.peek(4)[:4]
            if first.startswith(GZIP):
                yield from unpacked(file)
            elif first == ZSTD:
                yield from _unpacked_zstd(file)
            else:
                yield from iter(lambda: file.read(PIECE), b"")
    except TraceError as fault:
        raise TraceError(fault.message, path=path, line=fault.line) from None
    except OSError as fault:
        why = fault.strerror or fault
        raise TraceError(f"cannot be read ({why}); check the path", path=path) from None
    except ValueError as fault:
        raise TraceError(f"cannot be read ({fault}); check the path", path=path) from None


def _unpacked_zstd(file: BufferedReader) -> Iterator[bytes]:
    pa = extras.load("pyarrow")
    with pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd") as stream:
        yield from iter(lambda: stream.read(PIECE), b"")


def numbered_lines(path: str, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers, from 1, without line ends.

    Raises
    ------
    TraceError
        For a file that cannot be read, damaged gzip data, and a line of more than `longest` bytes.
    """
    try:
        yield from _parted(text_pieces(path), longest)
    except TraceError as fault:
        raise TraceError(fault.message, path=path, line=fault.line) from None


def _parted(pieces: Iterable[bytes], longest: int) -> Iterator[tuple[int, bytes]]:
    number = 1
    begun: list[bytes] = []
    size = 0
    for piece in pieces:
        rest, *lines = piece.split(b"\n")
        for line in lines:
            begun.append(rest)
            rest = line
            whole = begun[0] if len(begun) == 1 else b"".join(begun)
            begun.clear()
            check_length(whole, number, longest)
            yield number, whole.rstrip(b"\r")
            del whole
            number += 1
            size = 0
        begun.append(rest)
        size += len(rest)
        if size > longest:
            raise _too_long(longest, number)
    if size:
        yield number, b"".join(begun).rstrip(b"\r")


def check_length(line: bytes | str, number: int, longest: int = LONGEST_LINE) -> None:
    """Refuse a line of more than `longest` bytes."""
    if len(line) > longest:
        raise _too_long(longest, number)


def _too_long(longest: int, number: int) -> TraceError:
    return TraceError(
        f"the line has more than {longest} bytes, too many for one job; correct or remove the line",
        line=number,
    )
