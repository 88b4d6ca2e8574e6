"""Standard input, copied to a file so that every format can be recognised and read.

Example: ``zcat log.gz | slotwise run -``.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise.errors import TraceError
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

DASH = Path("-")
"""The argument that stands for standard input; ``./-`` is a file of that name."""
_NAME = "standard input"


@contextmanager
def standard_input_as_file() -> Iterator[Path]:
    """Copy standard input into a file that is deleted after the block, and yield its path.

    Messages about the trace refer to standard input, not to the copy.

    Raises
    ------
    UsageError
        If standard input is a terminal or closed.
    """
    if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        raise UsageError(
            "-: standard input is a terminal or closed; pipe a log into the command, as in "
            "zcat log.gz | slotwise run -"
        )
    import tempfile

    with tempfile.TemporaryDirectory(prefix="slotwise-") as folder:
        copy = Path(folder, _NAME)
        with copy.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        try:
            yield copy
        except TraceError as fault:
            if fault.path != str(copy):
                raise
            raise TraceError(fault.message, path=_NAME, line=fault.line) from None


def is_standard_input(path: Path) -> bool:
    """Return whether a path is that of a copy of standard input."""
    return path.name == _NAME and path.parent.name.startswith("slotwise-")


def name_of_source(path: Path) -> str:
    """Name a trace by its path, or as standard input."""
    return _NAME if is_standard_input(path) else str(path)
