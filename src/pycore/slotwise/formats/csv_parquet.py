"""Reads traces from csv and parquet files with one named column for each column of a trace."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise.errors import TraceError
from slotwise.formats.column_names import TRACE_NAMES, known_names, warn_of_unread
from slotwise.formats.csv_columns import csv_columns
from slotwise.formats.job_files import HEADER_KEY, MACHINE_COLUMNS
from slotwise.trace import Trace
from slotwise.trace.arrow_columns import TIMES, column_values
from slotwise.trace.demands import PREFIX, TEXTS, UNITS, Demands
from slotwise.trace.header import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

_BATCH = 1 << 16
"""Number of rows that are read from a parquet file at a time."""


def read_columns(path: str | os.PathLike[str]) -> Trace:
    """Read a trace with named columns, as ``slotwise convert`` writes it.

    Parameters
    ----------
    path : path-like
        A ``.parquet`` file, otherwise csv with a first line of names. ``submit``, ``run_time`` and
        ``processors`` are required; other columns of a trace are optional, as are ``units`` with
        ``unit_cores``, ``unit_memory`` (KB), … (see `Demands`). A `TraceWarning` names any other
        columns. An empty or null value is unknown. ``max_processors`` and ``unix_start_time``
        describe the whole trace and are the same in every row. They take precedence over the
        trace's header, which a parquet file written from a trace also contains.

    Raises
    ------
    TraceError
        For a file that cannot be read, lacks a column, or has no number where one is required.
    MissingExtraError
        For parquet without pyarrow.
    """
    return _read(path, is_parquet=Path(path).suffix.lower() == ".parquet")


def read_parquet(path: str | os.PathLike[str]) -> Trace:
    """Read a trace with named columns from a parquet file; see `read_columns`."""
    return _read(path, is_parquet=True)


def read_csv(path: str | os.PathLike[str], *, zone: str | None = None) -> Trace:
    """Read a trace with named columns from a csv file.

    Parameters
    ----------
    path : path-like
        A csv file with a first line of names: ``submit``, ``run_time``, ``processors``, and any
        other column of a trace, as `slotwise convert` writes them. ``units`` and ``unit_cores``,
        ``unit_memory`` (KB, or text such as ``16GB``), … are those of `Demands`. An empty value is
        unknown. ``max_processors`` and ``unix_start_time`` describe the whole trace and are the
        same in every row. ``submit`` and ``eligible`` may be dates (2024-03-31T02:30:00), durations
        may be ``1-00:30:00``, and users, queues and similar columns may be names.
    zone : str, optional
        Zone of dates without one. Default: UTC.

    Raises
    ------
    TraceError
        For a file that cannot be read, lacks a column, or has no number where one is required.
    """
    return _read(path, is_parquet=False, zone=zone)


def _read(path: str | os.PathLike[str], *, is_parquet: bool, zone: str | None = None) -> Trace:
    source = str(path)
    names: list[str] = []

    def choose(found: Iterable[str]) -> list[str]:
        names.extend(found)
        return known_names(names)

    try:
        if is_parquet:
            columns, labels, dated, header = _read_parquet(path, choose)
        else:
            columns, labels, dated = csv_columns(os.fspath(path), choose, zone)
            header = None
        if not len(columns["submit"]):
            raise TraceError(
                "the file contains no jobs; a trace must have at least one row: use another file"
            )
        machine = {
            name: _one_value(name, columns.pop(name)) for name in MACHINE_COLUMNS if name in columns
        }
        demands = {name: columns.pop(name) for name in [*columns] if name not in TRACE_NAMES}
        trace = Trace.from_columns(
            **columns,
            max_processors=machine.get("max_processors"),
            unix_start_time=machine.get(
                "unix_start_time", int(columns["submit"].min()) if dated else None
            ),
            header_lines=header,
            labels=labels,
        )
        trace = _with_demands(trace, columns, demands)
    except TraceError as fault:
        raise TraceError(fault.message, path=source, line=fault.line) from None
    except OSError as fault:
        raise TraceError(
            f"cannot be read ({fault.strerror or fault}); check the path", path=source
        ) from None
    trace.source = source
    warn_of_unread(names, source)
    return trace


def _one_value(name: str, values: NDArray[Any]) -> int | None:
    """Return the number that all rows of a column contain, or None if it is unknown."""
    if values.dtype.kind not in "iuf":
        raise TraceError(f"{name} contains no numbers; use whole numbers")
    first = values[0]
    other = values != first
    if other.any():
        row = int(np.argmax(other))
        raise TraceError(
            f"{name} is {first} in row 1 and {values[row]} in row {row + 1}; it applies to the "
            "whole trace: write the same value in every row, or remove the column"
        )
    if first < 0 or first != first:
        return None
    if first != np.floor(first):
        raise TraceError(f"{name} is {first}; it must be a whole number: correct it")
    return int(first)


def _with_demands(trace: Trace, columns: dict[str, Any], demands: dict[str, Any]) -> Trace:
    """Add the jobs' demands on nodes, in the order of the trace's rows."""
    demands = {
        name: values if name in TEXTS else _amounts(name, values)
        for name, values in demands.items()
    }
    if UNITS in demands and PREFIX + "cores" not in demands:
        raise TraceError(
            f"the file has a column '{UNITS}' but no '{PREFIX}cores'; use both or neither"
        )
    made = Demands.from_columns(demands)
    if made is None:
        return trace
    return trace.with_demands(made.take(np.argsort(columns["submit"], kind="stable")))


def _amounts(name: str, values: NDArray[Any]) -> NDArray[np.int64]:
    """Check a column of demands; floating-point columns must contain whole numbers (2.0)."""
    if values.dtype.kind not in "iuf":
        raise TraceError(f"{name} contains no numbers; use whole numbers")
    least = int(name == UNITS)
    low = "a job must have at least one unit" if least else "a demand must not be negative"
    for wrong, rule in (
        (values != np.floor(values), "it must be a whole number"),
        (values < least, f"{low} (an empty field counts as -1)"),
        (values >= 2**62, "it must be at most 2^62 - 1"),
    ):
        if wrong.any():
            row = int(np.argmax(wrong))
            raise TraceError(f"{name} is {values[row]} in row {row + 1}; {rule}: correct it")
    return values.astype(np.int64)


def _readable(path: str | os.PathLike[str]) -> str | os.PathLike[str] | io.BytesIO:
    """Return a source for pyarrow: the path, or the file's bytes if its name is not valid text."""
    try:
        os.fspath(path).encode()
    except UnicodeEncodeError:
        return io.BytesIO(Path(path).read_bytes())
    return path


def _read_parquet(
    path: str | os.PathLike[str], choose: Callable[[Iterable[str]], list[str]]
) -> tuple[dict[str, Any], dict[str, dict[int, str]], bool, list[str] | None]:
    """Read the columns of a trace, batch by batch; other columns are not read."""
    parquet = extras.load("pyarrow.parquet")
    import pyarrow as pa

    try:
        with parquet.ParquetFile(_readable(path)) as file:
            schema = file.schema_arrow
            wanted = choose(schema.names)
            for name in wanted:
                if schema.names.count(name) > 1:
                    raise TraceError(
                        f"the file has {schema.names.count(name)} columns '{name}'; "
                        "keep one of them"
                    )
            batches = list(file.iter_batches(_BATCH, columns=wanted))
        kept_schema = pa.schema([schema.field(name) for name in wanted], schema.metadata)
        columns, labels, dated = arrow_values(pa.Table.from_batches(batches, kept_schema), wanted)
    except (pa.ArrowException, UnicodeDecodeError, KeyError) as fault:
        raise TraceError(
            f"this is not a parquet file with columns of numbers ({fault}); use another file"
        ) from None
    kept = (schema.metadata or {}).get(HEADER_KEY)
    return columns, labels, dated, _comments(kept) if kept else None


def arrow_values(
    table: Any, wanted: Iterable[str]
) -> tuple[dict[str, Any], dict[str, dict[int, str]], bool]:
    """Return the columns of an Arrow table, the name of each code, and whether times are dates."""
    columns: dict[str, Any] = {}
    labels: dict[str, dict[int, str]] = {}
    for name in wanted:
        columns[name], words = column_values(name, table[name])
        if words is not None:
            labels[name] = words
    dated = any(
        "timestamp" in str(table[name].type) for name in TIMES if name in table.column_names
    )
    return columns, labels, dated


def _comments(kept: bytes) -> list[str]:
    """Split the header at line feeds only; a comment may contain any other line separator."""
    return [line.rstrip("\r") for line in decode(kept).removesuffix("\n").split("\n")]
