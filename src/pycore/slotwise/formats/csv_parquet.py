"""Traces in csv and parquet files with one named column for each column of a trace."""

from __future__ import annotations

import csv
import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise.errors import TraceError
from slotwise.formats.job_files import HEADER_KEY, KNOWN_ONLY, MACHINE_COLUMNS, TRACE_COLUMNS
from slotwise.formats.lines import LONGEST_LINE, check_length
from slotwise.trace import Trace
from slotwise.trace.demand_rules import TEXT_RULES
from slotwise.trace.demands import PREFIX, UNITS, Demands
from slotwise.trace.header import decode
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from numpy.typing import NDArray

SUFFIXES = (".csv", ".parquet")
"""Endings of the files :func:`read_columns` reads."""

_ROWS = 1 << 14
_LONGEST_NUMBER = 400
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?:nan|inf)")
_TEXTS = tuple(PREFIX + name for name in TEXT_RULES)
_NEEDED = ("submit", "run_time", "processors")
_KNOWN = tuple(name for name in (*TRACE_COLUMNS, *KNOWN_ONLY) if name != "line")


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
    return _read(path, is_parquet=Path(path).suffix.lower() == ".parquet")


def read_csv(path: str | os.PathLike[str]) -> Trace:
    """Read a trace of named columns from a csv file.

    Parameters
    ----------
    path : path-like
        A csv file with a first line of names: ``submit``, ``run_time``, ``processors``, and any
        other column of a trace, as `slotwise convert` writes them. ``units`` with ``unit_cores``,
        ``unit_memory`` (KB), … are those of `Demands`. An empty value is unknown. The file says
        nothing of the machine.

    Raises
    ------
    TraceError
        For a file that cannot be read, lacks a column, or holds no number where one must be.
    """
    return _read(path, is_parquet=False)


def _read(path: str | os.PathLike[str], *, is_parquet: bool) -> Trace:
    source = str(path)
    try:
        if is_parquet:
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
    demands = {
        name: values if name in _TEXTS else _amounts(name, values)
        for name, values in demands.items()
    }
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
        reader = csv.reader(_bounded_lines(file), strict=True)
        try:
            names = [name.strip() for name in next(reader, [])]
            wanted = _check_names(names)
            rows = [(reader.line_num, row) for row in reader if row]
        except (UnicodeDecodeError, csv.Error) as fault:
            raise TraceError(
                f"is no csv file in UTF-8 ({fault}); give another file",
                line=reader.line_num or None,
            ) from None
    places = [names.index(name) for name in wanted]
    for number, row in rows:
        if len(row) != len(names):
            raise TraceError(
                f"{len(row)} values under {len(names)} names; give every row one a column",
                line=number,
            )
    lines = [number for number, _ in rows]
    return {
        name: _column(name, [row[place] for _, row in rows], lines)
        for name, place in zip(wanted, places, strict=True)
    }


def _bounded_lines(file: TextIO) -> Iterator[str]:
    """Give the lines of a text; one without end would fill the memory."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        check_length(line, number)
        yield line


def _column(name: str, texts: list[str], lines: list[int]) -> NDArray[Any]:
    """Read a column: numbers, or the texts of a rule."""
    return np.array(texts, dtype=object) if name in _TEXTS else _numbers(name, texts, lines)


def _numbers(name: str, texts: list[str], lines: list[int]) -> NDArray[Any]:
    """Read a column; whole numbers stay exact, an empty value is -1."""
    # NumPy gives every text of an array the width of the longest: pieces bound what one takes.
    pieces = [
        _piece_of_numbers(name, texts[at : at + _ROWS], lines[at : at + _ROWS])
        for at in range(0, len(texts), _ROWS)
    ]
    return np.concatenate(pieces) if pieces else np.empty(0, np.int64)


def _piece_of_numbers(name: str, texts: list[str], lines: list[int]) -> NDArray[Any]:
    filled = [text.strip() or "-1" for text in texts]
    together = "".join(filled)
    # Python reads 1_0 and digits of every script too; in a trace they are no numbers.
    if together.isascii() and "_" not in together and max(map(len, filled)) <= _LONGEST_NUMBER:
        for kind in (np.int64, np.float64):
            try:
                return np.array(filled, dtype=np.str_).astype(kind)
            except (ValueError, OverflowError):
                continue
    for number, text in zip(lines, filled, strict=True):
        if len(text) > _LONGEST_NUMBER:
            raise TraceError(
                f"{name} has {len(text):,} characters, {shown(text[:40])}…; a number has at most "
                f"{_LONGEST_NUMBER}: correct it",
                line=number,
            )
        if not _NUMBER.fullmatch(text):
            raise TraceError(
                f"{name} is {shown(text)}; it must be a number: correct it", line=number
            )
    raise TraceError(f"{name} holds a number too large to replay; correct it", line=lines[0])


def _readable(path: str | os.PathLike[str]) -> str | os.PathLike[str] | io.BytesIO:
    """Give what pyarrow reads a file from: it takes no name that is no text."""
    try:
        os.fspath(path).encode()
    except UnicodeEncodeError:
        return io.BytesIO(Path(path).read_bytes())
    return path


def _read_parquet(path: str | os.PathLike[str]) -> tuple[dict[str, Any], list[str] | None]:
    parquet = extras.load("pyarrow.parquet")
    import pyarrow as pa

    try:
        with parquet.ParquetFile(_readable(path)) as file:
            names = file.schema_arrow.names
            wanted = _check_names(names)
            for name in wanted:
                if names.count(name) > 1:
                    raise TraceError(f"has {names.count(name)} columns '{name}'; keep one of them")
            table = file.read(columns=wanted)
        columns = {name: _values(name, table[name]) for name in wanted}
    except (pa.ArrowException, UnicodeDecodeError, KeyError) as fault:
        raise TraceError(f"is no parquet file of numbers ({fault}); give another file") from None
    kept = (table.schema.metadata or {}).get(HEADER_KEY)
    return columns, _comments(kept) if kept else None


def _comments(kept: bytes) -> list[str]:
    """Part the header; a comment may hold whatever else than a line feed ends lines."""
    return [line.rstrip("\r") for line in decode(kept).removesuffix("\n").split("\n")]


def _values(name: str, column: Any) -> NDArray[Any]:
    """Give a column of a table as an array; a null is -1."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if name in _TEXTS and (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return np.array(["" if text is None else text for text in column.to_pylist()], dtype=object)
    if pa.types.is_null(kind):
        return np.full(len(column), -1)
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise TraceError(
            f"{name} is of the type {kind}; a column holds numbers, times in seconds: convert it"
        )
    if column.null_count and pa.types.is_unsigned_integer(kind):
        try:
            column = column.cast(pa.int64())
        except pa.ArrowInvalid as fault:
            raise TraceError(
                f"{name} has nulls and a number too large ({fault}); correct it"
            ) from None
    array = np.asarray(pc.fill_null(column, -1).to_numpy() if column.null_count else column)
    return array.astype(np.float64) if array.dtype == np.float16 else array
