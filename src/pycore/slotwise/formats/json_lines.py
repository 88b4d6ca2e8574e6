"""Files of JSON lines to which several runs append the results of sweeps and studies.

Each line is one object. Lines are appended whole. A line that is damaged, or cut off because its
process ended, is ignored; all others are still read.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from slotwise._files import named_in_faults, write_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def values_of(text: bytes) -> Iterator[Any]:
    """Yield the values of the complete lines; lines that are not JSON are skipped."""
    for line in text.split(b"\n")[:-1]:
        with suppress(ValueError, RecursionError):
            yield json.loads(line)


def line_of(value: Mapping[str, Any]) -> bytes:
    """Write a value as one line.

    Raises
    ------
    TypeError
        For a value that JSON cannot represent.
    """
    return json.dumps(value).encode() + b"\n"


class JsonLines:
    """A file of JSON lines, open for appending; leaving its ``with`` block closes it.

    Parameters
    ----------
    path : path-like
    alone : bool
        Lock the file against other processes; otherwise several processes may append.
    sync_seconds : float, default 0
        Shortest time between two flushes to disk. A power failure may lose the lines written since
        the last flush.

    Attributes
    ----------
    text : bytes
        Content of the file when it was opened.

    Raises
    ------
    ValueError
        If another process has locked the file.
    OSError
        If the file cannot be written.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, alone: bool, sync_seconds: float = 0.0
    ) -> None:
        self._sync_seconds = sync_seconds
        self._synced = time.monotonic()
        with named_in_faults(path):
            self._file = FileIO(path, "a")
        try:
            self._locked = alone and _lock(self._file)
            with named_in_faults(path):
                self.text = Path(path).read_bytes()
        except BaseException:
            self._file.close()
            raise

    def begin(self, first: bytes = b"") -> None:
        """Ensure that the file ends with a complete line, then write a first line if one is given.

        In a locked file, an incomplete last line is removed; in other files, a line break is added.

        Raises
        ------
        OSError
        """
        with named_in_faults(self._file.name):
            if self._locked:
                self._file.truncate(self.text.rfind(b"\n") + 1)
            elif self.text and not self.text.endswith(b"\n"):
                write_all(self._file, b"\n")
            if first:
                write_all(self._file, first)

    def add(self, values: Iterable[Mapping[str, Any]]) -> None:
        """Append one line per value.

        Raises
        ------
        OSError
            If the file cannot be extended; the error names it.
        TypeError
            For a value that JSON cannot represent.
        """
        with named_in_faults(self._file.name):
            for value in values:
                write_all(self._file, line_of(value))
            if time.monotonic() - self._synced >= self._sync_seconds:
                self._sync()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()

    def close(self) -> None:
        """Flush the file, release its lock and close it."""
        try:
            if self._sync_seconds:
                with named_in_faults(self._file.name):
                    self._sync()
        finally:
            if self._locked:
                _unlock(self._file)
            self._file.close()

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()


def _lock(file: FileIO) -> bool:
    """Lock the file against other processes until it is closed or this process ends.

    Returns False on a system without file locks. There, two processes may write to the file. Both
    append whole lines with the same results, so the file stays valid.

    Raises
    ------
    ValueError
        If another process is writing to it.
    """
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        if fault.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise ValueError(
                f"{file.name} is being written by another process, and only one may write at a "
                "time; wait until that process ends, or choose another name"
            ) from None
        return False
    return True


def _unlock(file: FileIO) -> None:
    """Release the lock explicitly, because child processes may still have the file open."""
    if sys.platform == "win32":
        return
    import fcntl

    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_UN)
