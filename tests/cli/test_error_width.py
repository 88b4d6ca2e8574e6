"""Width of errors: on a terminal they wrap between words; in a file they stay on one line."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

MESSAGE = (
    "slotwise: error: 'easy' is the only column, and a comparison needs at least two; add a "
    "site file, or a policy such as --policy order=sjf,backfill=easy"
)


def error_on_terminal(log: Path, width: int, **environment: str) -> list[str]:
    """Return the lines of an error on a terminal of `width` columns; stdout is a pipe."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    known = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(
        [sys.executable, "-m", "slotwise", "compare", log.name, "--backfill", "easy"],
        cwd=log.parent, env=known | environment, stdout=subprocess.PIPE, stderr=theirs,
        check=False, timeout=120,
    )  # fmt: skip
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert done.returncode == 2
    return shown.splitlines()


@pytest.mark.parametrize("width", [60, 80])
def test_an_error_is_wrapped_at_the_width_of_the_terminal(log: Path, width: int) -> None:
    lines = error_on_terminal(log, width)
    assert len(lines) > 1
    assert all(len(line) <= width for line in lines)
    assert all(line.startswith(" " * 17) for line in lines[1:])
    assert " ".join(line.strip() for line in lines) == MESSAGE


def test_a_narrow_terminal_gets_no_indentation_and_whole_words(log: Path) -> None:
    lines = error_on_terminal(log, 20)
    assert " ".join(lines) == MESSAGE
    assert [line for line in lines if len(line) > 20] == ["order=sjf,backfill=easy"]


def test_columns_of_the_environment_precede_those_of_the_terminal(log: Path) -> None:
    assert error_on_terminal(log, 40, COLUMNS="200") == [MESSAGE]


def test_an_error_in_a_pipe_stays_on_one_line(log: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "slotwise", "compare", log.name, "--backfill", "easy"],
        cwd=log.parent, env=os.environ | {"COLUMNS": "60"}, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.stderr == MESSAGE + "\n"
