"""Writes columns and traces to files (csv, parquet, SWF, Batsim), completely or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise._core import CsvRows
from slotwise._files import beginning_of, followed, named_in_faults
from slotwise.formats.batsim_json import write_batsim
from slotwise.formats.csv_values import Words, csv_column, quoted
from slotwise.formats.swf import write_swf
from slotwise.trace.columns import FURTHER
from slotwise.trace.labels import words_in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slotwise.trace import Trace

JOB_SUFFIXES = (".csv", ".parquet", ".swf", ".swf.gz")
"""Suffixes of formats for jobs."""

TRACE_SUFFIXES = (*JOB_SUFFIXES, ".json")
"""Suffixes of formats for traces; the last is that of a Batsim workload."""

HEADER_KEY = b"slotwise.header"
"""Key under which a parquet file keeps the comments of the SWF header."""

_ROWS = 16_384
"""Number of csv rows that are formatted at a time."""


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary file name; the file is renamed to `path` on success, otherwise removed.

    The yielded name is in the folder of `path` and has the same suffixes, because writers infer the
    format from them. A symbolic link is followed.

    Raises
    ------
    OSError
        If `path` cannot be written; the error names it.
    """
    target = followed(path)
    suffix = "".join(target.suffixes[-2:])
    if len(suffix) > 16:
        suffix = target.suffix[:16]
    beside = target.with_name(f".{beginning_of(target.name)}.{os.urandom(6).hex()}.part{suffix}")
    try:
        with named_in_faults(path, beside):
            yield beside
            beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def write_trace(trace: Trace, path: str | os.PathLike[str]) -> None:
    """Write a trace; ``.csv`` and ``.parquet`` have one column for each column of the trace.

    A parquet file also contains the header's comments. A csv file has the header values that a
    replay uses, :data:`MACHINE_COLUMNS`, as columns with the same value in every row.

    Raises
    ------
    ValueError
        For a suffix other than those of :data:`TRACE_SUFFIXES`.
    MissingExtraError
        For parquet without pyarrow.
    """
    kind = kind_of(path, TRACE_SUFFIXES)
    with whole_file(path) as beside:
        if kind == ".csv":
            write_csv(named_columns(trace) | _machine_columns(trace), beside)
        elif kind == ".parquet":
            extras.load("pyarrow.parquet")
            import pyarrow as pa

            kept = {HEADER_KEY: "\n".join(_header_lines(trace))}
            columns = {
                name: column.to_arrow() if isinstance(column, Words) else column
                for name, column in named_columns(trace).items()
            }
            write_parquet(pa.table(columns, metadata=kept), beside)
        elif kind == ".json":
            write_batsim(trace, beside)
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

MACHINE_COLUMNS = ("max_processors", "unix_start_time")
"""Numbers from a trace's header, which a csv file repeats in every row if they are known.

``max_processors`` is omitted for a trace with demands, whose machine must be described as nodes.
"""


def _machine_columns(trace: Trace) -> dict[str, Any]:
    known = {name: getattr(trace, name) for name in MACHINE_COLUMNS}
    if trace.demands is not None:
        known["max_processors"] = None  # a number of cores does not describe a machine with nodes
    return {
        name: np.full(len(trace), value, dtype=np.int64)
        for name, value in known.items()
        if value is not None
    }


def trace_columns(trace: Trace) -> dict[str, Any]:
    """Return the columns of a trace by name: (n_jobs,) integers, times in seconds, -1 if unknown.

    The columns of SWF come first, followed by columns that SWF lacks and the jobs' demands on
    nodes, if they are known.
    """
    columns = {name: getattr(trace, name) for name in TRACE_COLUMNS}
    columns |= {name: getattr(trace, name) for name in FURTHER if name in trace._jobs.columns()}
    return columns | ({} if trace.demands is None else trace.demands.columns())


def named_columns(trace: Trace) -> dict[str, Any]:
    """Return the columns of a trace, with names instead of codes if it has names."""
    columns = trace_columns(trace)
    for name, words in trace.labels.items():
        if name in columns:
            columns[name] = Words(columns[name], words_in_order(words), always_quoted=True)
    return columns


def _header_lines(trace: Trace) -> list[str]:
    """Return the comments of a trace, adding the machine's size if they do not state it."""
    lines = list(trace.header_lines)
    if trace.max_processors is not None and not {"MaxProcs", "MaxNodes"} & set(trace.header):
        lines.append(f"; MaxProcs: {trace.max_processors}")
    if trace.unix_start_time is not None and "UnixStartTime" not in trace.header:
        lines.append(f"; UnixStartTime: {trace.unix_start_time}")
    return lines


def kind_of(path: str | os.PathLike[str], suffixes: tuple[str, ...] = JOB_SUFFIXES) -> str:
    """Return the suffix of `path` that selects its format."""
    name = Path(path).name.lower()
    for suffix in suffixes:
        if name.endswith(suffix):
            return suffix
    raise ValueError(
        f"{path}: the name must end in one of {', '.join(suffixes)}; the suffix selects the format"
    )


def write_columns(columns: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write named columns (NumPy arrays of equal length) as csv, or as parquet for ``.parquet``."""
    with whole_file(path) as beside:
        if Path(path).suffix.lower() == ".parquet":
            write_parquet(dict(columns), beside)
        else:
            write_csv(columns, beside)


def write_csv(columns: Mapping[str, Any], path: Path) -> None:
    """Write named columns as csv.

    A column is an array of numbers or strings, `Words` or `Intervals`.
    """
    rows = CsvRows([csv_column(column) for column in columns.values()])
    # A file name may contain bytes that are not valid text.
    header = ",".join(quoted(name) for name in columns) + "\n"
    n_rows = min((len(column) for column in columns.values()), default=0)
    with path.open("xb") as file:
        file.write(header.encode("utf-8", "backslashreplace"))
        for first in range(0, n_rows, _ROWS):
            file.write(rows.format(first, min(first + _ROWS, n_rows)))


def write_parquet(table: Any, path: Path) -> None:
    """Write columns as parquet."""
    parquet = extras.load("pyarrow.parquet")
    import pyarrow as pa

    with path.open("xb") as file:  # pyarrow refuses names that are not valid text
        parquet.write_table(pa.table(table), file, compression="zstd")
