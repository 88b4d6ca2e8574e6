"""Starts child processes for tests that send them signals."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def started(script: Path) -> subprocess.Popen[str]:
    """Start a script in its own folder; it receives signals even if the test suite ignores them."""
    return subprocess.Popen(
        [sys.executable, str(script)],
        cwd=script.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )


def heed_signals() -> None:
    """Restore default signal handling in a child, since the suite may ignore signals."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
