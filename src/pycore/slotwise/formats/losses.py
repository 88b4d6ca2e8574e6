"""Columns and names of a trace that a format cannot store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.trace.columns import FURTHER, PRIMARY

if TYPE_CHECKING:
    from slotwise.trace import Trace

_IN_BATSIM = (*PRIMARY, "job_id", "line", "requested_processors")


def lost_in(trace: Trace, suffix: str) -> list[str]:
    """List in words the parts of a trace that a file with this suffix does not contain.

    Demands on nodes are not listed.
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
