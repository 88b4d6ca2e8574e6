"""Exit codes, and the exceptions that lead to them."""

from __future__ import annotations

import enum

from slotwise.errors import MissingExtraError, PackageError, ReplayError, SiteError, TraceError


class ExitCode(enum.IntEnum):
    """Exit codes of the program."""

    DONE = 0
    REPLAY_FAILED = 1
    USAGE = 2
    TRACE_REFUSED = 3
    REGRESSION = 4
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class UsageError(Exception):
    """An error in the command line."""


class RegressionError(Exception):
    """A bound set by ``compare --fail-if`` is violated; the comparison itself succeeded."""


_CODES: tuple[tuple[type[BaseException], ExitCode], ...] = (
    (UsageError, ExitCode.USAGE),
    (SiteError, ExitCode.USAGE),
    (MissingExtraError, ExitCode.USAGE),
    (PackageError, ExitCode.USAGE),
    (TraceError, ExitCode.TRACE_REFUSED),
    (RegressionError, ExitCode.REGRESSION),
    (ReplayError, ExitCode.REPLAY_FAILED),
)


def exit_code_of(fault: BaseException) -> ExitCode | None:
    """Return the exit code for an exception that a user can cause; None for any other."""
    for kind, code in _CODES:
        if isinstance(fault, kind):
            return code
    return None
