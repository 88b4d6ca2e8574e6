"""Arguments of a replay, checked."""

from __future__ import annotations

from slotwise._numbers import real, whole
from slotwise.site import Site
from slotwise.trace import Trace
from slotwise.written_values import shown


def check_trace_and_site(trace: object, site: object) -> None:
    """Refuse with a TypeError what is no trace or no site."""
    if not isinstance(trace, Trace):
        msg = f"{_shown(trace)} is no trace; give what read_swf(path) returns"
        raise TypeError(msg)
    if not isinstance(site, Site):
        msg = f"{_shown(site)} is no site; give Site(machine=Processors(n), policy=Policy(...))"
        raise TypeError(msg)


def check_progress(progress: object) -> None:
    """Refuse with a TypeError what cannot be told how far a replay is."""
    if progress is not None and not callable(progress):
        msg = f"progress {_shown(progress)} cannot be called; give a function of the part done"
        raise TypeError(msg)


def checked_until(until: object) -> int | None:
    """Return the second to go on through; None: to the end.

    Raises
    ------
    ValueError
        For what is no second of a trace's clock.
    """
    if until is None:
        return None
    second = whole(until)
    if second is None or not second < 2**53:
        msg = f"until is {shown(until)}; give whole seconds on the trace's clock, below 2^53"
        raise ValueError(msg)
    return second


def checked_priority(priority: object) -> float:
    """Return a priority by hand, any number; a ValueError says that it is none."""
    value = real(priority)
    if value is None or value != value:
        raise ValueError(f"priority is {shown(priority)}; give a number, higher is first")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
