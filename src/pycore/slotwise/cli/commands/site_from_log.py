"""``slotwise site from-log``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.advice.logged_site.described import describe_log
from slotwise.terminal import screen
from slotwise.terminal.trace_argument import open_trace

if TYPE_CHECKING:
    from pathlib import Path


def print_site_of_log(log: Path) -> None:
    """Print the site file inferred from a log.

    Raises
    ------
    TraceError
        If the log cannot be read or has no start times; nothing is printed in this case.
    """
    screen.write(describe_log(open_trace(log)))
