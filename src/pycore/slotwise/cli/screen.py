"""Where things are printed: data and tables on stdout, progress and faults on stderr."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console

_PATIENCE = 0.4
"""Seconds of work before a progress bar is worth showing."""


def stdout() -> Console:
    """Make the console for results; a file or pipe without COLUMNS gets 120 columns."""
    from rich.console import Console

    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(width=120 if piped else None, highlight=False, emoji=False)


def stderr() -> Console:
    """Make the console for progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, emoji=False)


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object; what is not a number there (no job at all) becomes null."""
    sys.stdout.write(json.dumps(_finite(value), indent=2, ensure_ascii=False) + "\n")


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
    """Print what went wrong, one message, on stderr."""
    first, *rest = message.split("\n")
    lines = [f"slotwise: error: {first}", *(f"                 {line}" for line in rest)]
    sys.stderr.write("\n".join(lines) + "\n")


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """Give a callable that takes the fraction done; a bar appears on a terminal after a moment."""
    if not sys.stderr.isatty():
        yield lambda _fraction: None
        return
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
    task = bar.add_task(label, total=1.0)
    begun = time.monotonic()
    shown = False

    def advance(fraction: float) -> None:
        nonlocal shown
        if not shown and time.monotonic() - begun > _PATIENCE:
            bar.start()
            shown = True
        if shown:
            bar.update(task, completed=fraction)

    try:
        yield advance
    finally:
        if shown:
            bar.stop()
