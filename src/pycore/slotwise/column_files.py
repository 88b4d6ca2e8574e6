"""Traces in csv and parquet files with one named column for each column of a trace."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise.demands import PREFIX, UNITS, Demands
from slotwise.errors import TraceError
from slotwise.output import HEADER_KEY, MACHINE_COLUMNS, TRACE_COLUMNS
from slotwise.trace import Trace

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from numpy.typing import NDArray

SUFFIXES = (".csv", ".parquet")
"""Endings of the files :func:`read_columns` reads."""

_NEEDED = ("submit", "run_time", "processors")
_KNOWN = tuple(name for name in TRACE_COLUMNS if name != "line")


def read_columns(path: str | os.PathLike[str]) -> Trace:
    """Read a trace of named columns, such as ``slotwise convert`` writes.

    Parameters
    ----------
    path : path-like
        ``.parquet``, else csv with a first line of names. ``submit``, ``run_time`` and
        ``processors`` must be there, other columns of a trace may, and so may ``units`` with
        ``unit_cores``, ``unit_memory`` (KB), … of `Demands`; further ones are ignored. An
        empty or null value is unknown. ``max_processors`` and ``unix_start_time`` are numbers of
        the whole trace, the same in every row; they go before those of a header, which a parquet
        file written from a trace keeps.

    Raises
    ------
    TraceError
        For a file that cannot be read, lacks a column, or holds no number where one must be.
    MissingExtraError
        For parquet without pyarrow.
    """
    source = str(path)
    try:
        if Path(path).suffix.lower() == ".parquet":
            columns, header = _read_parquet(path)
        else:
            columns, header = _read_csv(path), None
        if not len(columns["submit"]):
            raise TraceError("holds no job; a trace has at least one row: give another file")
        machine = {
            name: _one_value(name, columns.pop(name)) for name in MACHINE_COLUMNS if name in columns
        }
        demands = {name: columns.pop(name) for name in [*columns] if name not in _KNOWN}
        trace = Trace.from_columns(
            **columns,
            max_processors=machine.get("max_processors"),
            unix_start_time=machine.get("unix_start_time"),
            header_lines=header,
        )
        trace = _with_demands(trace, columns, demands)
    except TraceError as fault:
        raise TraceError(fault.message, path=source, line=fault.line) from None
    except OSError as fault:
        raise TraceError(
            f"cannot be read ({fault.strerror or fault}); check the path", path=source
        ) from None
    trace.source = source
    return trace


def _check_names(names: Iterable[str]) -> list[str]:
    present = list(names)
    missing = [name for name in _NEEDED if name not in present]
    if missing:
        raise TraceError(
            f"has no column '{missing[0]}'; a trace needs {', '.join(_NEEDED)}, "
            f"and the file has {', '.join(present) or 'no column'}"
        )
    known = [name for name in (*_KNOWN, *MACHINE_COLUMNS) if name in present]
    if UNITS in present:
        known += [name for name in present if name == UNITS or name.startswith(PREFIX)]
    return known


def _one_value(name: str, values: NDArray[Any]) -> int | None:
    """Give the number that stands in every row of a column; None where every row is unknown."""
    if values.dtype.kind not in "iuf":
        raise TraceError(f"{name} holds no numbers; give whole numbers")
    first = values[0]
    other = values != first
    if other.any():
        row = int(np.argmax(other))
        raise TraceError(
            f"{name} is {first} in row 1 and {values[row]} in row {row + 1}; it is of the whole "
            "trace: give one value in every row, or leave the column out"
        )
    if first < 0 or first != first:
        return None
    if first != np.floor(first):
        raise TraceError(f"{name} is {first}; it is a whole number: correct it")
    return int(first)


def _with_demands(trace: Trace, columns: dict[str, Any], demands: dict[str, Any]) -> Trace:
    """Add what the jobs ask of nodes, in the order of the trace's rows."""
    demands = {name: _amounts(name, values) for name, values in demands.items()}
    if UNITS in demands and PREFIX + "cores" not in demands:
        raise TraceError(f"has a column '{UNITS}' and none of '{PREFIX}cores'; give both or none")
    made = Demands.from_columns(demands)
    if made is None:
        return trace
    return trace.with_demands(made.take(np.argsort(columns["submit"], kind="stable")))


def _amounts(name: str, values: NDArray[Any]) -> NDArray[np.int64]:
    """Check a column of what units ask; a file of fractions holds whole numbers as 2.0 too."""
    if values.dtype.kind not in "iuf":
        raise TraceError(f"{name} holds no numbers; give whole numbers")
    least = int(name == UNITS)
    low = "a job has at least one unit" if least else "a demand is never negative"
    for wrong, rule in (
        (values != np.floor(values), "it must be a whole number"),
        (values < least, f"{low} (an empty field counts as -1)"),
        (values >= 2**62, "it may be at most 2^62 - 1"),
    ):
        if wrong.any():
            row = int(np.argmax(wrong))
            raise TraceError(f"{name} is {values[row]} in row {row + 1}; {rule}: correct it")
    return values.astype(np.int64)


def _read_csv(path: str | os.PathLike[str]) -> dict[str, Any]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.reader(file, strict=True)
            names = [name.strip() for name in next(reader, [])]
            wanted = _check_names(names)
            rows = [row for row in reader if row]
        except (UnicodeDecodeError, csv.Error) as fault:
            raise TraceError(f"is no csv file in UTF-8 ({fault}); give another file") from None
    places = [names.index(name) for name in wanted]
    for number, row in enumerate(rows, 2):
        if len(row) != len(names):
            raise TraceError(
                f"{len(row)} values under {len(names)} names; give every row one a column",
                line=number,
            )
    return {
        name: _numbers(name, [row[place] for row in rows])
        for name, place in zip(wanted, places, strict=True)
    }


def _numbers(name: str, texts: list[str]) -> NDArray[Any]:
    """Read a column; whole numbers stay exact, an empty value is -1."""
    filled = [text.strip() or "-1" for text in texts]
    for kind in (np.int64, np.float64):
        try:
            return np.array(filled, dtype=np.str_).astype(kind) if filled else np.empty(0, kind)
        except (ValueError, OverflowError):
            continue
    for number, text in enumerate(filled, 2):
        try:
            float(text)
        except ValueError:
            raise TraceError(f"{name} is '{text}'; it must be a number", line=number) from None
    raise TraceError(f"{name} holds a number too large to replay")


def _read_parquet(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[str] | None]:
    parquet = extras.load("pyarrow.parquet")
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        table = parquet.read_table(path)
        wanted = _check_names(table.column_names)
        columns = {name: pc.fill_null(table[name], -1).to_numpy() for name in wanted}
    except pa.ArrowException as fault:
        raise TraceError(f"is no parquet file of numbers ({fault}); give another file") from None
    kept = (table.schema.metadata or {}).get(HEADER_KEY)
    return columns, kept.decode().splitlines() if kept else None
