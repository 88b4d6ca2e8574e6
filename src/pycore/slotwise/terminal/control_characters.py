"""Escapes for characters that control a terminal."""

from __future__ import annotations

import re

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udc9f]")
"""Control characters except tab and newline, changes of text direction, and bytes of file names
that some terminals read as control characters."""


def shown(text: str) -> str:
    """Replace characters that control a terminal: ESC becomes a backslash and ``x1b``, for example.

    All text for the screen passes through here, because logs, sites and file names are not trusted.
    """
    return _UNSEEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
