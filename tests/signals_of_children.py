"""Commands that tests end by a signal."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def started(script: Path) -> subprocess.Popen[str]:
    """Start a script in its folder; it heeds signals even where the suite itself ignores them."""
    return subprocess.Popen(
        [sys.executable, str(script)],
        cwd=script.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )


def heed_signals() -> None:
    """Heed signals in a child, even where the suite itself ignores them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
