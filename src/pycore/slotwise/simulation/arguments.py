"""Arguments of a replay, checked."""

from __future__ import annotations

from slotwise._numbers import real, whole
from slotwise.site import Site
from slotwise.trace import Trace
from slotwise.written_values import shown


def check_trace_and_site(trace: object, site: object) -> None:
    """Raise a TypeError for an argument that is not a Trace or not a Site."""
    if not isinstance(trace, Trace):
        path = _shown(trace) if isinstance(trace, str) else "path"
        msg = f"{_shown(trace)} is not a Trace; pass sw.read_swf({path})"
        raise TypeError(msg)
    if not isinstance(site, Site):
        msg = f"{_shown(site)} is not a Site; pass sw.Site(machine=..., policy=...)"
        raise TypeError(msg)


def check_progress(progress: object) -> None:
    """Raise a TypeError for a progress callback that cannot be called."""
    if progress is not None and not callable(progress):
        msg = (
            f"progress {_shown(progress)} cannot be called; pass a function that takes the "
            "completed fraction"
        )
        raise TypeError(msg)


def checked_until(until: object) -> int | None:
    """Return the last second to handle; None means the end.

    Raises
    ------
    ValueError
        For a value that is not a second of a trace's clock.
    """
    if until is None:
        return None
    second = whole(until)
    if second is None or not second < 2**53:
        msg = (
            f"until is {shown(until)}; give a whole number of seconds on the trace's clock, below "
            "2^53"
        )
        raise ValueError(msg)
    return second


def checked_priority(priority: object) -> float:
    """Return a manual priority; raise a ValueError for a value that is not a number."""
    value = real(priority)
    if value is None or value != value:
        raise ValueError(
            f"priority is {shown(priority)}; give a number; higher priorities go first"
        )
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
