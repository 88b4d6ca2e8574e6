"""Workloads of clusters of unlike nodes, as the Slurm simulator writes them."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.errors import TraceError
from slotwise.formats.slurm_requests import demands_of_line, options_of, wanted_features
from slotwise.trace import Trace
from slotwise.trace.demands import Demands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.nodes import Nodes

_GZIP = b"\x1f\x8b"
_UNREADABLE = (OSError, EOFError, UnicodeDecodeError, zlib.error)


def is_slurm_events(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file begins with a ``submit_batch_job`` event; a pipe is let alone."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path) if packed else Path(path).open("rb") as text:
            return text.readline(400).lstrip().startswith(b"-dt ")
    except _UNREADABLE:
        return False


def read_slurm_events(path: str | os.PathLike[str], nodes: Nodes) -> Trace:
    """Read the events of a Slurm simulation: one ``submit_batch_job`` a line.

    Parameters
    ----------
    path : path-like
        Packed with gzip or not.
    nodes : Nodes
        As `read_slurm_nodes` reads them: says which partitions and features are counted.

    Returns
    -------
    Trace
        ``-N`` nodes are units, ``-n`` tasks of ``-c`` cores the cores of all; ``--mem`` or
        ``--mem-per-cpu``, ``--gres=gpu[:type][:k]``, ``--constraint``, ``-p`` and ``--exclusive``
        are demands of each unit; ``-sim-walltime`` is the run time, ``-t`` the request. Decimals of
        times are rounded half up. A job that asks no memory gets 2,800 MB a core, DefMemPerCPU of
        the log UB-medium.

    Notes
    -----
    Two things mean more to Slurm. ``-N 2`` are two nodes there; here it is two units, which may
    share a node that has room for both. ``--exclusive=user`` lets jobs of one user share a node;
    here it is ``--exclusive``, the node for the job alone.

    Raises
    ------
    TraceError
        For a file that cannot be read, and with its number for a line that is none of these, asks
        a partition, feature or type of GPUs that is not counted, or has any other option.
    """
    source = os.fsdecode(path)
    rows: list[dict[str, int]] = []
    users: dict[str, int] = {}
    queues: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            rows.append(_event(line, nodes, users, queues))
        except KeyError as fault:
            missing = f"{fault.args[0]} is missing"
            raise _not_read(missing, source, number) from None
        except (ValueError, OverflowError) as fault:
            raise _not_read(str(fault), source, number) from None
    if not rows:
        raise TraceError("holds no job; give another file", path=source)
    return _as_trace(rows, nodes, queues, source)


def asked_features(path: str | os.PathLike[str]) -> list[str]:
    """Give the features and types of GPUs that the events of a Slurm simulation ask.

    With them `read_slurm_nodes` counts what the jobs need. Lines that cannot be read ask none.

    Raises
    ------
    TraceError
        For a file that cannot be read.
    """
    asked: dict[str, None] = {}
    for _, line in _lines(path):
        try:
            asked |= dict.fromkeys(wanted_features(options_of(line)))
        except ValueError:
            continue  # `read_slurm_events` tells it with its number
    return list(asked)


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Give the lines that are not empty, with their numbers."""
    try:
        data = Path(path).read_bytes()
        text = (gzip.decompress(data) if data[:2] == _GZIP else data).decode()
    except _UNREADABLE as fault:
        raise TraceError(
            f"cannot be read ({fault}); check the path", path=os.fsdecode(path)
        ) from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line


def _not_read(why: str, source: str, number: int) -> TraceError:
    return TraceError(
        f"is no submit_batch_job event that can be read ({why}): correct it or leave it out",
        path=source,
        line=number,
    )


def _event(
    line: str, nodes: Nodes, users: dict[str, int], queues: dict[str, int]
) -> dict[str, int]:
    options = options_of(line)
    row = {
        "submit": _whole(options["-dt"]),
        "run_time": _whole(options["-sim-walltime"]),
        "requested_time": _time(options["-t"]),
        "user": users.setdefault(options["--uid"], len(users) + 1),
        "queue": queues.setdefault(options["-q"], len(queues) + 1),
        "job_id": int(options["-J"].rpartition("_")[2]),
    }
    return row | demands_of_line(options, nodes)


def _whole(text: str) -> int:
    seconds = float(text)
    if not 0 <= seconds < 2**40:
        raise ValueError(f"{text} must be seconds from 0")
    return int(np.floor(seconds + 0.5))


def _time(text: str) -> int:
    """Read ``[days-]hours:minutes:seconds``."""
    match = re.fullmatch(r"(?:(\d{1,6})-)?(\d{1,6}):(\d{1,6}):(\d{1,6})", text)
    if match is None:
        raise ValueError(f"-t {text} must be [days-]hours:minutes:seconds")
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return days * 86400 + hours * 3600 + minutes * 60 + seconds


def _as_trace(
    rows: list[dict[str, int]], nodes: Nodes, queues: dict[str, int], source: str
) -> Trace:
    rows.sort(key=lambda row: row["submit"])

    def column(name: str) -> Any:
        return np.array([row.get(name, 0) for row in rows], dtype=np.int64)

    demands = Demands(column("units"), **{name: column(name) for name in nodes.resources})
    names = ("submit", "run_time", "requested_time", "user", "queue", "job_id")
    trace = Trace.from_columns(
        **{name: column(name) for name in names},
        processors=demands.processors,
        max_processors=nodes.count,
        header_lines=[f"; Queue: {number} {name}" for name, number in queues.items()],
    )
    trace.source = source
    return trace.with_demands(demands)
