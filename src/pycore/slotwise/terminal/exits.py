"""Exit codes, and which fault ends the program with which."""

from __future__ import annotations

import enum

from slotwise.errors import MissingExtraError, ReplayError, SiteError, TraceError


class ExitCode(enum.IntEnum):
    """What the shell sees."""

    DONE = 0
    REPLAY_FAILED = 1
    USAGE = 2
    TRACE_REFUSED = 3
    REGRESSION = 4
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class UsageError(Exception):
    """The command line asks for something that cannot be done as written."""


class RegressionError(Exception):
    """A bound of ``compare --fail-if`` is broken; the comparison itself went well."""


_CODES: tuple[tuple[type[BaseException], ExitCode], ...] = (
    (UsageError, ExitCode.USAGE),
    (SiteError, ExitCode.USAGE),
    (MissingExtraError, ExitCode.USAGE),
    (TraceError, ExitCode.TRACE_REFUSED),
    (RegressionError, ExitCode.REGRESSION),
    (ReplayError, ExitCode.REPLAY_FAILED),
)


def exit_code_of(fault: BaseException) -> ExitCode | None:
    """Give the code of a fault a user can meet; None for one that nobody foresaw."""
    for kind, code in _CODES:
        if isinstance(fault, kind):
            return code
    return None
