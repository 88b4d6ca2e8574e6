"""Per-job results and traces as files: csv, parquet and SWF, complete or not there at all."""

from __future__ import annotations

import csv
import itertools
import re
import secrets
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise._core import place
from slotwise._files import beginning_of, followed, named_in_faults
from slotwise.replay.placements import node_columns
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.state import State

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from slotwise import Result, Trace

JOB_SUFFIXES = (".csv", ".parquet", ".swf", ".swf.gz")
"""Endings :func:`write_jobs` and :func:`write_trace` know."""

HEADER_KEY = b"slotwise.header"
"""Where a parquet file keeps the comments of the SWF header."""

_ROWS = 16_384
"""Rows of a csv file turned into Python objects at a time."""

_FINAL_STATES = {
    State.COMPLETED: "COMPLETED_SUCCESSFULLY",
    State.KILLED: "COMPLETED_WALLTIME_REACHED",
    State.REJECTED: "REJECTED",
    State.CANCELLED: "COMPLETED_KILLED",
    State.INTERRUPTED: "COMPLETED_KILLED",
    State.WAITING: "SUBMITTED",
    State.RUNNING: "RUNNING",
}


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a name beside `path` to write to; on success it becomes `path`, else it is removed.

    The name keeps the suffixes of `path`, by which writers choose a format. A symbolic link is
    followed.

    Raises
    ------
    OSError
        Naming `path`, where it cannot be written.
    """
    target = followed(path)
    suffix = "".join(target.suffixes[-2:])
    if len(suffix) > 16:
        suffix = target.suffix[:16]
    beside = target.with_name(f".{beginning_of(target.name)}.{secrets.token_hex(6)}.part{suffix}")
    try:
        with named_in_faults(path, beside):
            yield beside
            beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def write_jobs(result: Result, path: str | os.PathLike[str]) -> None:
    """Write one row a job; the suffix of `path` chooses the format.

    Parameters
    ----------
    result : Result
        A replay.
    path : path-like
        ``.csv`` has the columns of Batsim's ``jobs.csv``, which evalys reads, see
        :func:`job_columns`; ``.parquet`` has the columns of ``result.jobs``; ``.swf`` and
        ``.swf.gz`` are SWF 2.2, whose field 3 is then the replayed wait.

    Raises
    ------
    ValueError
        For another suffix.
    MissingExtraError
        For parquet without pyarrow.

    References
    ----------
    Batsim, output of jobs: https://batsim.readthedocs.io/en/latest/output-jobs.html
    """
    kind = _kind_of(path)
    with whole_file(path) as beside:
        if kind == ".csv":
            _write_csv(job_columns(result), beside)
        elif kind == ".parquet":
            _write_parquet(result.jobs, beside)
        else:
            _write_swf(result, beside)


def write_trace(trace: Trace, path: str | os.PathLike[str]) -> None:
    """Write a trace; ``.csv`` and ``.parquet`` have one column for each column of the trace.

    Parquet keeps the comments of the header beside them; a csv has the numbers that a replay takes
    from it, :data:`MACHINE_COLUMNS`, in columns of one value.

    Raises
    ------
    ValueError
        For a suffix other than those of :data:`JOB_SUFFIXES`.
    MissingExtraError
        For parquet without pyarrow.
    """
    kind = _kind_of(path)
    with whole_file(path) as beside:
        if kind == ".csv":
            _write_csv(trace_columns(trace) | _machine_columns(trace), beside)
        elif kind == ".parquet":
            extras.load("pyarrow.parquet")
            import pyarrow as pa

            kept = {HEADER_KEY: "\n".join(_header_lines(trace))}
            _write_parquet(pa.table(trace_columns(trace), metadata=kept), beside)
        else:
            _write_swf(trace, beside)


TRACE_COLUMNS = (
    "job_id",
    "submit",
    "wait",
    "run_time",
    "processors",
    "requested_time",
    "allocated_processors",
    "requested_processors",
    "cpu_time",
    "used_memory",
    "requested_memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding_job",
    "think_time",
    "line",
)


MACHINE_COLUMNS = ("max_processors", "unix_start_time")
"""Numbers of a trace's header, which a csv file repeats in every row where they are known.

The first is left out of a trace with demands, whose machine has to be described as nodes.
"""


def _machine_columns(trace: Trace) -> dict[str, Any]:
    known = {name: getattr(trace, name) for name in MACHINE_COLUMNS}
    if trace.demands is not None:
        known["max_processors"] = None  # cores alone do not describe a machine of nodes
    return {
        name: np.full(len(trace), value, dtype=np.int64)
        for name, value in known.items()
        if value is not None
    }


def trace_columns(trace: Trace) -> dict[str, Any]:
    """Give the columns of a trace by name, (n_jobs,) integers, seconds, -1 = unknown.

    After those of SWF come what the jobs ask of nodes, where that is known.
    """
    columns = {name: getattr(trace, name) for name in TRACE_COLUMNS}
    return columns | ({} if trace.demands is None else trace.demands.columns())


def job_columns(result: Result) -> dict[str, Any]:
    """Give a replay in the columns of Batsim's ``jobs.csv``.

    Times are seconds on the trace's clock. A job that never started has -1 in every time of its
    schedule. ``profile`` is the run time the log has for the job; ``execution_time`` is what it ran
    here, less where it was killed at its limit. ``stretch`` divides by at least one second.
    ``allocated_resources`` are intervals of processors as ``"0-3 7"``; the replay does not decide
    which ones, so each job is given the lowest that are free when it starts; on a torus they are
    the positions of its nodes, on nodes with several resources their numbers. ``consumed_energy``
    is -1. After Batsim's columns come ``backfilled``, ``user`` and ``queue`` (of the trace), then
    the names of ``site_queue``, ``pool`` and ``reject_reason``, empty where there is none.
    """
    trace = result.trace
    started = result.start >= 0
    execution = np.where(started, result.end - result.start, -1)
    turnaround = np.where(started, result.end - trace.submit, -1)
    n_jobs = len(trace)
    name = re.sub(r"(\.(swf|txt|csv|parquet))?(\.gz)?$", "", Path(trace.source).name) or "trace"
    state = np.asarray(result.state)
    return {
        "job_id": trace.job_id,
        "workload_name": np.full(n_jobs, name),
        "profile": trace.run_time,
        "submission_time": trace.submit,
        "requested_number_of_resources": trace.processors,
        "requested_time": trace.requested_time,
        "success": (state == 0).astype(np.uint8),
        "final_state": np.asarray([_FINAL_STATES[each] for each in State])[state],
        "starting_time": result.start,
        "execution_time": execution,
        "finish_time": result.end,
        "waiting_time": result.wait,
        "turnaround_time": turnaround,
        "stretch": np.where(started, turnaround / np.maximum(execution, 1), -1.0).round(6),
        "allocated_resources": np.array(_intervals(result), dtype=object),
        "consumed_energy": np.full(n_jobs, -1),
        "metadata": np.full(n_jobs, ""),
        "backfilled": np.asarray(result.backfilled).astype(np.uint8),
        "user": trace.user,
        "queue": trace.queue,
        "site_queue": _names_at(result.queue_names, result.queue),
        "pool": _names_at(result.pool_names, result.pool),
        "reject_reason": _names_at(
            [reason.name.lower() for reason in RejectReason if reason],
            result.reject_reason.astype(np.int64) - 1,
        ),
    }


def _names_at(names: Sequence[str], positions: NDArray[Any]) -> NDArray[np.object_]:
    """Give the name of each position, and an empty text for none."""
    chosen: NDArray[np.object_] = np.array([*names, ""], dtype=object)[positions]
    return chosen


def _header_lines(trace: Trace) -> list[str]:
    """Give the comments of a trace, and the machine's size where they do not say it."""
    lines = list(trace.header_lines)
    if trace.max_processors is not None and not {"MaxProcs", "MaxNodes"} & set(trace.header):
        lines.append(f"; MaxProcs: {trace.max_processors}")
    if trace.unix_start_time is not None and "UnixStartTime" not in trace.header:
        lines.append(f"; UnixStartTime: {trace.unix_start_time}")
    return lines


def _intervals(result: Result) -> list[str]:
    """Write the processors of each job as Batsim does; empty where it never ran for a second."""
    first: NDArray[np.int32]
    nodes = node_columns(result)
    if nodes is not None:
        count, first, end = nodes
        last = end - 1
        bounds = [0, *np.cumsum(count).tolist()]
    else:
        placed = place(result.start, result.end, result.trace.processors, result.processors)
        first = placed.first
        last = first + placed.count - 1
        bounds = placed.offset.tolist()
    pieces = [
        str(low) if low == high else f"{low}-{high}"
        for low, high in zip(first.tolist(), last.tolist(), strict=True)
    ]
    return [" ".join(pieces[a:b]) for a, b in itertools.pairwise(bounds)]


def _kind_of(path: str | os.PathLike[str]) -> str:
    name = Path(path).name.lower()
    for suffix in JOB_SUFFIXES:
        if name.endswith(suffix):
            return suffix
    raise ValueError(
        f"{path}: the name must end in one of {', '.join(JOB_SUFFIXES)}, which chooses the format"
    )


def write_columns(columns: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write named columns (NumPy arrays of one length) whole: ``.parquet``, else csv."""
    with whole_file(path) as beside:
        if Path(path).suffix.lower() == ".parquet":
            _write_parquet(dict(columns), beside)
        else:
            _write_csv(columns, beside)


def _write_csv(columns: Mapping[str, Any], path: Path) -> None:
    # A name of a file may hold bytes that are no text.
    with path.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        n_rows = len(next(iter(columns.values())))
        for first in range(0, n_rows, _ROWS):
            rows = (column[first : first + _ROWS].tolist() for column in columns.values())
            writer.writerows(zip(*rows, strict=True))


def _write_parquet(table: Any, path: Path) -> None:
    parquet = extras.load("pyarrow.parquet")
    import pyarrow as pa

    with path.open("xb") as file:  # pyarrow takes no name that is no text
        parquet.write_table(pa.table(table), file, compression="zstd")


def _write_swf(source: Trace | Result, path: Path) -> None:
    from slotwise.formats.swf import write_swf

    write_swf(source, path)
