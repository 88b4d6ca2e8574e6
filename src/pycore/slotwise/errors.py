"""What is raised when something is wrong: the wrong value, the rule, the remedy."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class TraceError(ValueError):
    """A trace that cannot be used.

    Parameters
    ----------
    message : str
        What is wrong, without the place.
    path : str, default ""
        The file.
    line : int, optional
        Its line, from 1.

    Attributes
    ----------
    path : str
        The file; empty where there is none.
    line : int or None
        The line at fault, from 1; None where the fault is not on one line.
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
    """Name the file of a trace in what the core refuses; its other refusals are the site's."""
    try:
        yield
    except TraceError as fault:
        raise TraceError(fault.message, path=source, line=fault.line) from None
    except SiteError:
        raise
    except ValueError as fault:
        raise SiteError(str(fault)) from None


class SiteError(ValueError):
    """A site that contradicts itself, is incomplete, or names something unknown."""


class ReplayError(RuntimeError):
    """A replay that failed although trace and site are sound.

    An order gave a job a key that is no number, a function reported a fault, a dispatcher's answer
    cannot be followed, or a job is interrupted again and again and would never end.
    """


class MissingExtraError(ImportError):
    """A feature that needs an optional package which is not installed."""
