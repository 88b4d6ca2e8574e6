"""Printing: data and tables on stdout, progress and errors on stderr."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import textwrap
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from slotwise.terminal.control_characters import shown
from slotwise.terminal.numbers import whole_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console

_PATIENCE = 0.4
"""Seconds of work before a progress bar appears."""
_LINE_EVERY = 30.0
"""Seconds between lines of progress if stderr is not a terminal."""
_ERROR = "slotwise: error: "


def write(text: str) -> None:
    """Write plain text to stdout, with control characters as escapes."""
    sys.stdout.write(shown(text))


def stdout() -> Console:
    """Create the console for results, as wide as COLUMNS or the terminal, but at least 80 columns.

    With fewer columns, figures would be cut off; a narrower terminal wraps the lines. Files and
    pipes get 120 columns unless COLUMNS is set.
    """
    from slotwise.terminal.console import SafeConsole

    asked = os.environ.get("COLUMNS", "")
    width = whole_of(asked)
    if width is None:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 120
    return SafeConsole(width=max(width, 80), highlight=False, emoji=False)


def stderr() -> Console:
    """Create the console for progress."""
    from slotwise.terminal.console import SafeConsole

    return SafeConsole(stderr=True, highlight=False, emoji=False)


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object; NaN (such as the mean of no jobs) and infinity become null."""
    # The json module already escapes all other control characters.
    sys.stdout.write(json.dumps(_finite(value), indent=2).replace("\x7f", "\\u007f") + "\n")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if hasattr(value, "item"):
        return _finite(value.item())
    return value


def fault(message: str) -> None:
    """Print one error message on stderr.

    On a terminal, lines break between words; otherwise each line of the message stays one line.
    """
    first, *rest = message.split("\n")
    lines = [f"{_ERROR}{first}", *(f"{' ' * len(_ERROR)}{line}" for line in rest)]
    width = _error_width()
    if width is not None:
        lines = [part for line in lines for part in _broken(line, width)]
    sys.stderr.write(shown("\n".join(lines)) + "\n")


def warn(message: str) -> None:
    """Print a one-line warning on stderr."""
    sys.stderr.write(f"slotwise: warning: {shown(message)}\n")


def _error_width() -> int | None:
    """Return the width of the terminal behind stderr; None without a terminal or if unknown."""
    if not sys.stderr.isatty():
        return None
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and asked.isascii() and int(asked) > 0:
        return int(asked)
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or None
    return None


def _broken(line: str, width: int) -> list[str]:
    """Break a line between words, and indent all parts but the first.

    A word longer than the line, such as a path, stays whole. A narrow terminal gets no
    indentation.
    """
    later = " " * len(_ERROR) if width >= 3 * len(_ERROR) else ""
    parts = textwrap.wrap(
        line, width, subsequent_indent=later, break_long_words=False, break_on_hyphens=False,
        drop_whitespace=True, replace_whitespace=False, expand_tabs=False,
    )  # fmt: skip
    return parts or [line]


def _lines(label: str) -> Callable[[float], None]:
    """Return a callable that takes the fraction done and periodically writes a line to stderr."""
    begun = time.monotonic()
    due = _LINE_EVERY

    def advance(fraction: float) -> None:
        nonlocal due
        took = time.monotonic() - begun
        if took < due:
            return
        due = took + _LINE_EVERY
        sys.stderr.write(f"slotwise: {shown(label)}: {fraction:.1%} done after {took:.0f} s\n")
        sys.stderr.flush()

    return advance


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """Yield a callable that takes the fraction done and shows a bar on a terminal.

    Without a terminal, such as in a batch job, it prints a line every 30 seconds.
    """
    if not sys.stderr.isatty():
        yield _lines(label)
        return
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=stderr(),
        transient=True,
    )
    task = bar.add_task(escape(shown(label)), total=1.0)
    begun = time.monotonic()
    visible = False

    def advance(fraction: float) -> None:
        nonlocal visible
        if not visible and time.monotonic() - begun > _PATIENCE:
            bar.start()
            visible = True
        if visible:
            bar.update(task, completed=fraction)

    try:
        yield advance
    finally:
        if visible:
            bar.stop()
