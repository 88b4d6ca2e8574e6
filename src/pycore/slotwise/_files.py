"""Files that appear under their name whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


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
        Its subclass says what is wrong: a folder that is not there, a folder in the place of the
        file, no permission, a full disk.
    """
    given = os.fspath(path)
    target = Path(given).resolve()
    if target.is_dir():
        raise IsADirectoryError(f"{given} is a folder; a file is to be written: give its name")
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            yield device
        return
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"{given} cannot be written: there is no folder {target.parent}; make it first"
        )
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    file = beside.open("xb")
    try:
        with file:
            yield file
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
