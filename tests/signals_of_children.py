"""Signals of commands that tests end."""

from __future__ import annotations

import signal


def heed_signals() -> None:
    """Let a child heed signals even where the suite runs in the background, which ignores them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
