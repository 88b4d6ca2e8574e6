"""Columns and names of a trace that a format has no place for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.trace.columns import FURTHER, PRIMARY

if TYPE_CHECKING:
    from slotwise.trace import Trace

_IN_BATSIM = (*PRIMARY, "job_id", "line", "requested_processors")


def lost_in(trace: Trace, suffix: str) -> list[str]:
    """List what a file of a suffix does not hold of a trace, in words.

    Demands on nodes are not among them.
    """
    known = [
        name
        for name, column in trace._jobs.columns().items()
        if name != "line" and (column != -1).any()
    ]
    if suffix == ".json":
        lost = [name for name in known if name not in _IN_BATSIM]
    elif suffix.startswith(".swf"):
        lost = [name for name in known if name in FURTHER and name != "has_request"]
        lost += [f"names of {name}" for name in trace.labels if name not in FURTHER]
    else:
        lost = []
    if suffix in (".csv", ".json") and trace.header_lines:
        lost.append("comments of the header")
    if suffix == ".json" and trace.unix_start_time is not None:
        lost.append("the date of time 0")
    return lost
