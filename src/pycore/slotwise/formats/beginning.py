"""The first bytes of a file, by which its format is recognised."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from slotwise.errors import MissingExtraError, TraceError
from slotwise.formats.lines import text_pieces
from slotwise.trace.header import decode

_MOST = 1 << 16
"""Number of bytes examined."""


@dataclass(frozen=True)
class Beginning:
    """The first bytes of a file, decompressed.

    Attributes
    ----------
    path : str
    data : bytes
        At most 64 KiB.
    """

    path: str
    data: bytes

    @classmethod
    def of(cls, path: str) -> Beginning | None:
        """Read the beginning; return None for an unreadable file or a pipe."""
        try:
            if not Path(path).is_file():
                return None
            data = b""
            for piece in text_pieces(path):
                data += piece
                if len(data) >= _MOST:
                    break
        except (TraceError, MissingExtraError, OSError, ValueError):
            return None
        return cls(path, data[:_MOST])

    @functools.cached_property
    def lines(self) -> list[str]:
        """The first lines that are not empty."""
        text = decode(self.data.removeprefix(b"\xef\xbb\xbf"))
        return [line.rstrip("\r") for line in text.split("\n")[:50] if line.strip()]

    def first_line(self, comment: str = "") -> str:
        """Return the first line that is not a comment, or an empty string if there is none."""
        for line in self.lines:
            if not (comment and line.lstrip().startswith(comment)):
                return line
        return ""
