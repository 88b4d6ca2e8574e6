"""Stdout and stderr of a command, safe for any text, even after the reader has closed the pipe."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STDOUT = "standard output"
"""Name of stdout in error messages."""


class Stream:
    """A text stream that silently drops output once its reader has closed the pipe.

    Other write errors are raised with the name of the stream. With `silent`, which is meant for
    stderr, they are ignored, because they could not be reported anywhere.
    """

    def __init__(self, stream: Any, name: str, *, silent: bool) -> None:
        self._stream = stream
        self._name = name
        self._silent = silent

    def write(self, text: str) -> int:
        """Write text, or drop it if the reader has closed the pipe."""
        self._guarded(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        """Write out buffered text."""
        self._guarded(self._stream.flush)

    def discard(self) -> None:
        """Redirect the stream to the null device, including text that is flushed at exit."""
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)

    def _guarded(self, work: Callable[[], object]) -> None:
        try:
            work()
        except OSError as fault:
            self.discard()
            if not self._silent and not isinstance(fault, BrokenPipeError):
                raise OSError(fault.errno, fault.strerror, self._name) from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def opened_streams() -> Iterator[None]:
    """Make stdout and stderr accept any text inside the block.

    A stream that was closed before the program started discards its text. Characters that the
    encoding lacks (file names may hold any) are written as escapes.
    """
    before = sys.stdout, sys.stderr
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        if getattr(stream, "errors", None) == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        guarded = Stream(stream, STDOUT, silent=False)
        if name == "stderr":
            guarded = Stream(stream, "standard error", silent=True)
        setattr(sys, name, guarded)
    try:
        yield
    finally:
        for name, stream in zip(("stdout", "stderr"), before, strict=True):
            setattr(sys, name, stream)
