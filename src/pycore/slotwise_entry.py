"""The ``slotwise`` command, which handles termination signals even before its imports.

The module is not part of the package, because importing the package takes some time.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys

TYPE_CHECKING = False  # set here, because importing typing would take time
if TYPE_CHECKING:
    from types import FrameType

REQUESTS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals that end a command; its exit code is then 128 plus the number of the signal."""


def main() -> int:
    """Run the command line once, and return its exit code."""
    heed_requests()
    from slotwise.cli import main as run

    return run()


def heed_requests() -> None:
    """Let signals end the process with a one-line message until the command handles them."""
    for number in REQUESTS:
        # Signals that are ignored, for example under nohup, stay ignored.
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, end_at_once)
    atexit.register(_keep_exit_code)  # registered first, so it runs last at exit


def _keep_exit_code() -> None:
    """Ignore signals that arrive while Python shuts down after the work is done."""
    for number in REQUESTS:
        signal.signal(number, signal.SIG_IGN)


def end_at_once(number: int, _frame: FrameType | None) -> None:
    """End the process at once; there are no files to remove yet."""
    try:
        os.write(2, b"slotwise: error: interrupted\n")
    finally:
        os._exit(128 + number)


def is_module_run() -> bool:
    """Return True if Python is still locating the module of ``python -m slotwise``."""
    return sys.argv[:1] == ["-m"] and any(
        given == "-mslotwise" or (given == "slotwise" and before == "-m")
        for before, given in zip(["", *sys.orig_argv], sys.orig_argv, strict=False)
    )
