"""Where things are printed: data and tables on stdout, progress and faults on stderr."""

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
"""Seconds of work before a progress bar is worth showing."""
_LINE_EVERY = 30.0
"""Seconds of work for a line of progress where stderr is no terminal."""
_ERROR = "slotwise: error: "


def write(text: str) -> None:
    """Write plain text to stdout as it is, but for control characters."""
    sys.stdout.write(shown(text))


def stdout() -> Console:
    """Make the console for results; a file or pipe without COLUMNS gets 120 columns, none under 80.

    In fewer columns figures would be cut short; longer lines are wrapped by the terminal.
    """
    from slotwise.terminal.console import SafeConsole

    asked = os.environ.get("COLUMNS", "")
    width = whole_of(asked)
    if width is None:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 120
    return SafeConsole(width=max(width, 80), highlight=False, emoji=False)


def stderr() -> Console:
    """Make the console for progress."""
    from slotwise.terminal.console import SafeConsole

    return SafeConsole(stderr=True, highlight=False, emoji=False)


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object; what is not a number there (no job at all) becomes null."""
    # JSON escapes all controls but this one.
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
    """Print what went wrong, one message, on stderr.

    On a terminal lines break between words; elsewhere each line of the message stays one line.
    """
    first, *rest = message.split("\n")
    lines = [f"{_ERROR}{first}", *(f"{' ' * len(_ERROR)}{line}" for line in rest)]
    width = _error_width()
    if width is not None:
        lines = [part for line in lines for part in _broken(line, width)]
    sys.stderr.write(shown("\n".join(lines)) + "\n")


def warn(message: str) -> None:
    """Print on stderr what the user may want to know, one line."""
    sys.stderr.write(f"slotwise: warning: {shown(message)}\n")


def _error_width() -> int | None:
    """Columns of the terminal that shows stderr; None where there is none."""
    if not sys.stderr.isatty():
        return None
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and asked.isascii() and int(asked) > 0:
        return int(asked)
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stderr.fileno()).columns or None
    return None


def _broken(line: str, width: int) -> list[str]:
    """Break a line between words; parts after the first are indented as an error's lines are.

    A word longer than the line, such as a path, stays whole. A terminal too narrow for the
    indentation gets none.
    """
    later = " " * len(_ERROR) if width >= 3 * len(_ERROR) else ""
    parts = textwrap.wrap(
        line, width, subsequent_indent=later, break_long_words=False, break_on_hyphens=False,
        drop_whitespace=True, replace_whitespace=False, expand_tabs=False,
    )  # fmt: skip
    return parts or [line]


def _lines(label: str) -> Callable[[float], None]:
    """Give a callable that takes the fraction done and writes a line on stderr now and then."""
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
    """Give a callable that takes the fraction done; a bar appears on a terminal after a moment.

    Elsewhere, as in the log of a batch job, long work writes a line now and then.
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
