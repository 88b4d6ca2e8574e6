"""Workloads of clusters with several kinds of nodes, as the Slurm simulator writes them."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import read_cell
from slotwise.errors import TraceError
from slotwise.formats.lines import GZIP, numbered_lines
from slotwise.formats.slurm_arrays import tasks_of
from slotwise.formats.slurm_requests import demands_of_line, options_of, wanted_features
from slotwise.trace import Trace
from slotwise.trace.demands import PREFIX, UNITS, Demands
from slotwise.trace.dependency_lists import conditions_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.machine.nodes import Nodes

_UNREADABLE = (OSError, EOFError, UnicodeDecodeError, zlib.error)
_MOST_NICE = 2_147_483_645  # largest --nice in sbatch(1)


def is_slurm_events(path: str | os.PathLike[str]) -> bool:
    """Return whether a file begins with a ``submit_batch_job`` event; a pipe is not read."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            packed = file.read(2) == GZIP
        with gzip.open(path) if packed else Path(path).open("rb") as text:
            return text.readline(400).lstrip().startswith(b"-dt ")
    except _UNREADABLE:
        return False


def begins_events(data: bytes) -> bool:
    """Return whether a string begins with a ``submit_batch_job`` event."""
    return data.lstrip().startswith((b"-dt ", b"-dt="))


def read_slurm_events(path: str | os.PathLike[str], nodes: Nodes) -> Trace:
    """Read the events of a Slurm simulation: one ``submit_batch_job`` per line.

    Parameters
    ----------
    path : path-like
        The file, which may be compressed with gzip.
    nodes : Nodes
        Nodes from `read_slurm_nodes`, which determine which partitions and features are counted.

    Returns
    -------
    Trace
        ``-N`` is the number of units; ``-n`` times ``-c`` is the total number of cores.
        ``--mem`` or ``--mem-per-cpu``, ``--gres=gpu[:type][:k]``, ``--constraint``, ``-p`` and
        ``--exclusive`` are demands of each unit. ``-sim-walltime`` is the run time and ``-t`` the
        requested time; with a run time of -1, the job runs to its limit. Without ``-N``, the number
        of nodes follows from ``--ntasks-per-node``, or is one. ``--array`` gives one row per task,
        and ``--dependency`` is copied unchanged. Fractions of seconds are rounded half up. A job
        that requests no memory gets 2,800 MB per core, the DefMemPerCPU of the UB-medium log.

    Notes
    -----
    Two options differ from Slurm. In Slurm, ``-N 2`` means two nodes; here it means two units,
    which may share a node that is large enough for both. In Slurm, ``--exclusive=user`` lets jobs
    of one user share a node; here it means the same as ``--exclusive``, which reserves the node
    for one job.

    Raises
    ------
    TraceError
        For a file that cannot be read, or a line (with its number) that has any other event or
        option, or requests a partition, feature or GPU type that is not counted.
    """
    source = os.fsdecode(path)
    rows: list[dict[str, Any]] = []
    users: dict[str, int] = {}
    queues: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            rows += _tasks(_event(line, nodes, users, queues))
        except KeyError as fault:
            missing = f"{fault.args[0]} is missing"
            raise _not_read(missing, source, number) from None
        except (ValueError, OverflowError) as fault:
            raise _not_read(str(fault), source, number) from None
    if not rows:
        raise TraceError("the file contains no jobs; use another file", path=source)
    try:
        return _as_trace(rows, nodes, users, queues, source)
    except TraceError as fault:
        raise TraceError(fault.message, path=source, line=fault.line) from None


def asked_features(path: str | os.PathLike[str]) -> list[str]:
    """Return the features and GPU types that the events of a Slurm simulation request.

    `read_slurm_nodes` needs them to count what the jobs request. Unreadable lines are skipped.

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
            continue  # `read_slurm_events` later reports the line with its number
    return list(asked)


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers."""
    source = os.fsdecode(path)
    for number, line in numbered_lines(source):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise TraceError(
                "the line is not UTF-8 text; correct or remove it", path=source, line=number
            ) from None
        if text.strip():
            yield number, text


def _not_read(why: str, source: str, number: int) -> TraceError:
    why = why if len(why) <= 300 else f"{why[:297]}..."
    return TraceError(
        f"this is not a readable submit_batch_job event ({why}): correct or remove it",
        path=source,
        line=number,
    )


def _event(
    line: str, nodes: Nodes, users: dict[str, int], queues: dict[str, int]
) -> dict[str, Any]:
    options = options_of(line)
    requested = _time(options["-t"])
    endless = options["-sim-walltime"].strip() == "-1"  # the job runs until its time limit
    row: dict[str, Any] = {
        "submit": _whole(options["-dt"]),
        "run_time": requested if endless else _whole(options["-sim-walltime"]),
        "requested_time": requested,
        "user": users.setdefault(options["--uid"], len(users) + 1),
        "queue": queues.setdefault(options["-q"], len(queues) + 1) if "-q" in options else -1,
        "job_id": _job_id(options["-J"]),
        "array": options.get("--array", ""),
        "dependency": options.get("--dependency", ""),
        "nice": _nice(options.get("--nice", "0")),
    }
    conditions_of(row["dependency"])
    asked = demands_of_line(options, nodes)
    units = asked.pop(UNITS)
    if units * asked["cores"] >= 2**31:
        raise ValueError(
            f"{units} nodes of {asked['cores']} cores have more than 2^31 - 1 cores in total"
        )
    for name, value in asked.items():
        if value >= 2**62:
            raise ValueError(f"{name} is {value}; it must be at most 2^62 - 1")
    return row | {UNITS: units} | {PREFIX + name: value for name, value in asked.items()}


def _tasks(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Create one row per task of an array; the first task has the number of the array."""
    array = row.pop("array")
    if not array:
        return [row]
    tasks, limit = tasks_of(array)
    of_array = {"array_id": row["job_id"], "array_limit": limit}
    rows = [row | of_array | {"array_task": task} for task in tasks]
    for later in rows[1:]:
        later["job_id"] = -1
    return rows


def _number_tasks(rows: list[dict[str, Any]]) -> None:
    """Assign an unused job number to each task of an array except the first."""
    free = max(row["job_id"] for row in rows) + 1
    for row in rows:
        if "array_task" in row and row["job_id"] == -1:
            row["job_id"], free = free, free + 1


def _job_id(text: str) -> int:
    number = text.rpartition("_")[2]
    if not re.fullmatch(r"-?[0-9]{1,18}", number):
        raise ValueError(f"-J {text} must end in a number of at most 18 digits, as in jobid_7")
    return int(number)


def _nice(text: str) -> int:
    if not re.fullmatch(r"[-+]?[0-9]{1,10}", text, re.ASCII) or abs(int(text)) > _MOST_NICE:
        raise ValueError(
            f"--nice={text} must be a whole number from -{_MOST_NICE:,} to {_MOST_NICE:,}"
        )
    return int(text)


def _whole(text: str) -> int:
    if not re.fullmatch(r"\s*[+-]?(?:[0-9.]+(?:[eE][+-]?[0-9]+)?|inf|nan)\s*", text):
        raise ValueError(f"{text} must be a number of seconds")
    seconds = float(text)
    if not 0 <= seconds < 2**40:
        raise ValueError(f"{text} must be a number of seconds, at least 0 and below 2^40")
    return int(np.floor(seconds + 0.5))


def _time(text: str) -> int:
    """Read a time as ``sbatch`` does: 30, 30:00, 1:30:00, 1-2, 1-2:30 or 1-2:30:00."""
    seconds = read_cell("duration", text, 60.0)
    if re.fullmatch(r"[0-9:-]{1,30}", text) is None or seconds < 0:
        raise ValueError(
            f"-t {text} must have one of the forms minutes, minutes:seconds, "
            "hours:minutes:seconds, days-hours, days-hours:minutes or days-hours:minutes:seconds"
        )
    return seconds


def _as_trace(
    rows: list[dict[str, Any]],
    nodes: Nodes,
    users: dict[str, int],
    queues: dict[str, int],
    source: str,
) -> Trace:
    rows.sort(key=lambda row: row["submit"])
    _number_tasks(rows)
    labels = {"user": users, "queue": queues}

    def column(name: str, missing: int = 0) -> Any:
        return np.array([row.get(name, missing) for row in rows], dtype=np.int64)

    demands = Demands(column(UNITS), **{name: column(PREFIX + name) for name in nodes.resources})
    names = ("submit", "run_time", "requested_time", "user", "queue", "job_id")
    further: dict[str, Any] = {}
    if any("array_id" in row for row in rows):
        further = {name: column(name, -1) for name in ("array_id", "array_task", "array_limit")}
    if any(row["nice"] for row in rows):
        further["nice"] = column("nice")
    if any(row["dependency"] for row in rows):
        further["dependency"] = [row["dependency"] for row in rows]
    trace = Trace.from_columns(
        **{name: column(name) for name in names},
        **further,
        processors=demands.processors,
        max_processors=nodes.count,
        header_lines=[f"; Queue: {number} {name}" for name, number in queues.items()],
        labels={
            name: {number: word for word, number in codes.items()} for name, codes in labels.items()
        },
    )
    trace.source = source
    return trace.with_demands(demands)
