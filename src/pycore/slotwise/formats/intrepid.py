"""The job list of ANL's Intrepid: named text columns, fewer than in SWF."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from slotwise.errors import TraceError
from slotwise.trace import Trace

NODES = 40_960
"""Number of nodes of Intrepid, an IBM Blue Gene/P; the list and the trace count nodes."""

_NAMES = ("Job_name", "Submit", "Runtime", "Nodes")


def begins_intrepid(line: bytes) -> bool:
    """Return whether a first line has the column names of this list."""
    return tuple(line.decode(errors="replace").split()[: len(_NAMES)]) == _NAMES


def read_intrepid(path: str | os.PathLike[str]) -> Trace:
    """Read a job list with columns ``Job_name Submit Runtime Nodes``, separated by spaces.

    Further columns are ignored. The list has no requested times, so run times replace them. Each
    node counts as one processor of the trace; the machine has the 40,960 nodes of Intrepid.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    Trace

    Raises
    ------
    TraceError
        For a file that cannot be read, has other columns, or has no number where one is required;
        `path` and `line` give the place.
    """
    source = os.fsdecode(path)
    try:
        lines = Path(source).read_bytes().splitlines()
    except OSError as fault:
        raise TraceError(
            f"cannot be read ({fault.strerror or fault}); check the path", path=source
        ) from fault
    if not lines or not begins_intrepid(lines[0]):
        raise TraceError(
            f"the file does not begin with {' '.join(_NAMES)}; use a job list with these columns",
            path=source,
        )
    rows = [(number, line.split()) for number, line in enumerate(lines[1:], 2) if line.strip()]
    if not rows:
        raise TraceError("the file contains no jobs; use another file", path=source)
    columns = np.array([_numbers(row, number, source) for number, row in rows], dtype=np.int64)
    job_id, submit, run_time, nodes = columns.T
    try:
        trace = Trace.from_columns(submit, run_time, nodes, job_id=job_id, max_processors=NODES)
    except TraceError as fault:
        raise TraceError(fault.message, path=source, line=fault.line) from None
    trace.source = source
    return trace


def _numbers(row: list[bytes], number: int, source: str) -> list[int]:
    try:
        job_id, submit, run_time, nodes = map(int, row[: len(_NAMES)])
    except ValueError:
        raise TraceError(
            f"'{b' '.join(row).decode(errors='replace')}' does not begin with "
            f"{len(_NAMES)} whole numbers ({', '.join(_NAMES)}); correct the line",
            path=source,
            line=number,
        ) from None
    if submit < 0 or run_time < 0 or not 0 < nodes < 2**31 or max(submit, run_time) >= 2**32:
        raise TraceError(
            f"submit {submit}, run time {run_time}, {nodes} nodes: a job must have from 1 to "
            "2^31 - 1 nodes, and times from 0 to 2^32 - 1 s; correct the line",
            path=source,
            line=number,
        )
    return [job_id, submit, run_time, nodes]
