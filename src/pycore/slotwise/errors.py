"""Exceptions of the package; their messages name the wrong value, the rule and the remedy."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class TraceError(ValueError):
    """An error in a trace.

    Parameters
    ----------
    message : str
        The fault, without the place.
    path : str, default ""
        The file.
    line : int, optional
        The line of the file, from 1.

    Attributes
    ----------
    path : str
        The file; empty if there is none.
    line : int or None
        The line at fault, from 1; None if the fault is not on one line.
    """

    def __init__(self, message: str, *, path: str = "", line: int | None = None) -> None:
        place = path if line is None else f"{path}:{line}" if path else f"line {line}"
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.path = path
        self.line = line

    def __reduce__(self) -> tuple[object, ...]:
        return _trace_error, (self.message, self.path, self.line)


def _trace_error(message: str, path: str, line: int | None) -> TraceError:
    return TraceError(message, path=path, line=line)


@contextmanager
def faults_with_source(source: str) -> Iterator[None]:
    """Add the trace's file to the core's TraceErrors; turn other ValueErrors into SiteErrors."""
    try:
        yield
    except TraceError as fault:
        raise TraceError(fault.message, path=source, line=fault.line) from None
    except SiteError:
        raise
    except ValueError as fault:
        raise SiteError(str(fault)) from None


class TraceWarning(UserWarning):
    """A part of a file that is ignored, such as a column that no trace has."""


class SiteWarning(UserWarning):
    """A part of a site that has no effect on a trace, such as a name that the log lacks."""


class SiteError(ValueError):
    """An error in a site: a contradiction, a missing value, or an unknown name."""


class ReplayError(RuntimeError):
    """A failure of a replay whose trace and site are sound.

    The causes include an order whose score is not a number or whose function reports an error, an
    impossible decision by a dispatcher, and a job interrupted so often that it would never end.
    """


class WorkerError(RuntimeError):
    """Work lost on an executor: its workers died repeatedly, or cannot read the trace.

    Parameters
    ----------
    message : str
    attempts : int, default 1
        Number of times the work was started.
    """

    def __init__(self, message: str, attempts: int = 1) -> None:
        super().__init__(message)
        self.attempts = attempts

    def __reduce__(self) -> tuple[object, ...]:
        return WorkerError, (str(self), self.attempts)


class PackageError(ValueError):
    """An error in an entry point of an installed package, such as a wrong type of object."""


class MissingExtraError(ImportError):
    """An optional package that a feature needs is missing."""
