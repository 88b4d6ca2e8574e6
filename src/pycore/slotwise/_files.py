"""Files that appear under their name whole or not at all, and faults that name the file."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

_KEPT_BYTES = 100
"""Most bytes of a name that the name of a file beside it repeats; file systems take 255 in all."""


@contextmanager
def named_in_faults(
    path: str | os.PathLike[str], beside: str | os.PathLike[str] = ""
) -> Iterator[None]:
    """Let a write that fails in the block say to which file: the system tells that of no open file.

    Parameters
    ----------
    path : path-like
        The name the user knows.
    beside : path-like, optional
        A file that is written in its place.

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
    """Give the file that a name stands for, at the end of all symbolic links.

    Raises
    ------
    OSError
        For a loop of links.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
    return target


def beginning_of(name: str) -> str:
    """Give as much of a file's name as fits into the name of another file beside it."""
    return os.fsencode(name)[:_KEPT_BYTES].decode("utf-8", "ignore")


def write_all(file: FileIO, data: bytes) -> None:
    """Write all of `data`, in one piece where the system takes it so.

    Raises
    ------
    OSError
    """
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file beside `path`, to be renamed to it when the block ends without an exception.

    What stood there stays until then, and stays if the block fails. A device or pipe is written
    to directly; a link is followed.

    Parameters
    ----------
    path : str or path-like
        The file to be.

    Yields
    ------
    binary file

    Raises
    ------
    OSError
        Naming `path`. Its subclass says what is wrong: a folder that is not there, a folder in the
        place of the file, no permission, a full disk.
    """
    given = os.fspath(path)
    target = followed(path)
    if target.is_dir():
        raise IsADirectoryError(f"{given} is a folder; a file is to be written: give its name")
    if target.exists() and not target.is_file():
        with named_in_faults(path), target.open("wb") as device:
            yield device
        return
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"{given} cannot be written: there is no folder {target.parent}; make it first"
        )
    beside = target.with_name(f".{beginning_of(target.name)}.{secrets.token_hex(6)}.part")
    with named_in_faults(path, beside):
        file = beside.open("xb")
        try:
            with file:
                yield file
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
