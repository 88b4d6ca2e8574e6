"""Columns and names of a trace that a format cannot store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.trace.columns import FURTHER, PRIMARY

if TYPE_CHECKING:
    from slotwise.trace import Trace

_IN_BATSIM = (*PRIMARY, "job_id", "line", "requested_processors")
_IN_EVALYS = (*_IN_BATSIM, "wait", "status", "user", "queue", "energy")

EVALYS = "evalys"
"""Name for the ``jobs.csv`` of Batsim and evalys, used in place of a suffix."""


def lost_in(trace: Trace, suffix: str) -> list[str]:
    """Name the parts of a trace that a file with this suffix cannot contain.

    Requests for nodes are not listed for SWF, because commands warn about this loss separately.
    """
    known = [
        name
        for name, column in trace._jobs.columns().items()
        if name != "line" and (column != -1).any()
    ]
    if suffix in (".json", EVALYS):
        kept = _IN_BATSIM if suffix == ".json" else _IN_EVALYS
        lost = [name for name in known if name not in kept]
        lost += [] if trace.demands is None else ["requests for nodes"]
    elif suffix.startswith(".swf"):
        lost = [name for name in known if name in FURTHER and name != "has_request"]
        lost += [f"names of {name}" for name in trace.labels if name not in FURTHER]
    else:
        lost = []
    if suffix in (".csv", ".json", EVALYS) and trace.header_lines:
        lost.append("header comments")
    if suffix in (".json", EVALYS) and trace.unix_start_time is not None:
        lost.append("the date of time 0")
    if suffix == EVALYS and trace.max_processors is not None:
        lost.append("the size of the machine")
    return lost
