"""Write files completely or not at all, and name the file in errors."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

_KEPT_BYTES = 100
"""A temporary file's name begins with at most this many bytes of the final name."""


@contextmanager
def named_in_faults(
    path: str | os.PathLike[str], beside: str | os.PathLike[str] = ""
) -> Iterator[None]:
    """Add the file's name to an OSError raised in the block.

    The system names the file only if opening it fails, not if reading or writing fails.

    Parameters
    ----------
    path : path-like
        The name that the user gave.
    beside : path-like, optional
        The temporary file that is written instead.

    Raises
    ------
    OSError
    """
    try:
        yield
    except OSError as fault:
        if fault.filename is not None and str(fault.filename) != os.fspath(beside):
            raise
        reason = os.strerror(fault.errno) if fault.errno else str(fault)
        raise OSError(fault.errno, reason, os.fspath(path)) from fault


def followed(path: str | os.PathLike[str]) -> Path:
    """Return the file to which a name refers, following all symbolic links.

    Raises
    ------
    OSError
        If the links form a loop.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
    return target


def beginning_of(name: str) -> str:
    """Return the first part of a file's name, for use in the name of its temporary file."""
    return os.fsencode(name)[:_KEPT_BYTES].decode("utf-8", "ignore")


def write_all(file: FileIO, data: bytes) -> None:
    """Write all of `data`, in several calls if the system writes only part of it at a time.

    Raises
    ------
    OSError
    """
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a temporary file, which is renamed to `path` if the ``with`` block raises no exception.

    The temporary file is in the same folder. An existing file is kept if the block fails. A device
    or pipe is written to directly; links are followed.

    Parameters
    ----------
    path : str or path-like
        The final file.

    Yields
    ------
    binary file

    Raises
    ------
    OSError
        If the file cannot be opened or renamed; the error names `path`. The subclass of OSError
        shows why: a missing folder, a folder in place of the file, no permission, a full disk.
    """
    given = os.fspath(path)
    target = followed(path)
    if target.is_dir():
        raise IsADirectoryError(f"{given} is a folder; use a file instead")
    if target.exists() and not target.is_file():
        with named_in_faults(path), target.open("wb") as device:
            yield device
        return
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"{given} cannot be written: there is no folder {target.parent}; create it first"
        )
    beside = target.with_name(f".{beginning_of(target.name)}.{os.urandom(6).hex()}.part")
    with named_in_faults(path, beside):
        file = beside.open("xb")
        try:
            with file:
                yield file
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
