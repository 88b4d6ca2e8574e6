"""Columns and traces as files: csv, parquet and SWF, complete or not there at all."""

from __future__ import annotations

import csv
import secrets
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise._files import beginning_of, followed, named_in_faults
from slotwise.formats.swf import write_swf

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from slotwise.trace import Trace

JOB_SUFFIXES = (".csv", ".parquet", ".swf", ".swf.gz")
"""Endings that name a format of jobs."""

HEADER_KEY = b"slotwise.header"
"""Where a parquet file keeps the comments of the SWF header."""

_ROWS = 16_384
"""Rows of a csv file turned into Python objects at a time."""


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
    kind = kind_of(path)
    with whole_file(path) as beside:
        if kind == ".csv":
            write_csv(trace_columns(trace) | _machine_columns(trace), beside)
        elif kind == ".parquet":
            extras.load("pyarrow.parquet")
            import pyarrow as pa

            kept = {HEADER_KEY: "\n".join(_header_lines(trace))}
            write_parquet(pa.table(trace_columns(trace), metadata=kept), beside)
        else:
            write_swf(trace, beside)


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

KNOWN_ONLY = ("account", "qos")
"""Further columns, written where they are known of any job."""

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
    further = {name: getattr(trace, name) for name in KNOWN_ONLY}
    columns |= {name: values for name, values in further.items() if (values >= 0).any()}
    return columns | ({} if trace.demands is None else trace.demands.columns())


def _header_lines(trace: Trace) -> list[str]:
    """Give the comments of a trace, and the machine's size where they do not say it."""
    lines = list(trace.header_lines)
    if trace.max_processors is not None and not {"MaxProcs", "MaxNodes"} & set(trace.header):
        lines.append(f"; MaxProcs: {trace.max_processors}")
    if trace.unix_start_time is not None and "UnixStartTime" not in trace.header:
        lines.append(f"; UnixStartTime: {trace.unix_start_time}")
    return lines


def kind_of(path: str | os.PathLike[str]) -> str:
    """Return the suffix of `path` that chooses its format."""
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
            write_parquet(dict(columns), beside)
        else:
            write_csv(columns, beside)


def write_csv(columns: Mapping[str, Any], path: Path) -> None:
    """Write named columns as csv."""
    # A name of a file may hold bytes that are no text.
    with path.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        n_rows = len(next(iter(columns.values())))
        for first in range(0, n_rows, _ROWS):
            rows = (column[first : first + _ROWS].tolist() for column in columns.values())
            writer.writerows(zip(*rows, strict=True))


def write_parquet(table: Any, path: Path) -> None:
    """Write what has columns as parquet."""
    parquet = extras.load("pyarrow.parquet")
    import pyarrow as pa

    with path.open("xb") as file:  # pyarrow takes no name that is no text
        parquet.write_table(pa.table(table), file, compression="zstd")
