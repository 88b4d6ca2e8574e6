"""Columns of Arrow tables converted to columns of a trace: numbers, times and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise.errors import TraceError
from slotwise.trace.columns import COLUMNS, OF_EMPTY_CELLS, REQUIRED
from slotwise.trace.demands import TEXTS
from slotwise.trace.labels import LABELLED, coded

if TYPE_CHECKING:
    from numpy.typing import NDArray

TIMES = ("submit", "eligible")
"""Columns that may contain dates, which become seconds since 1970."""

_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def column_values(name: str, column: Any) -> tuple[NDArray[Any], dict[int, str] | None]:
    """Return a column as an array without nulls, and the names of its codes.

    A null becomes -1, or 0 in the columns of `OF_EMPTY_CELLS`. In the columns of `TEXTS`, it
    becomes an empty string.

    Raises
    ------
    TraceError
        For a column that contains neither numbers nor the times or names allowed in it.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, empty = column.type, OF_EMPTY_CELLS.get(name, -1)
    if pa.types.is_null(kind):
        return np.full(len(column), empty), None
    if name in TEXTS and _is_text(kind):
        return np.array([text or "" for text in column.to_pylist()], dtype=object), None
    if name in LABELLED and _is_text(kind):
        plain = column.cast(pa.string()) if pa.types.is_dictionary(kind) else column
        return coded(name, _never_empty(plain.to_pylist()))
    if name in TIMES and pa.types.is_timestamp(kind):
        ticks = column.cast(pa.int64())
        column = pc.divide(ticks, _UNITS[kind.unit])
        kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise TraceError(
            f"{name} has the type {kind}; a column must contain numbers (times in seconds): "
            "convert it"
        )
    if column.null_count and pa.types.is_unsigned_integer(kind):
        try:
            column = column.cast(pa.int64())
        except pa.ArrowInvalid as fault:
            raise TraceError(
                f"{name} has nulls and a number that is too large for int64 ({fault}); correct the "
                "number"
            ) from None
    array = np.asarray(pc.fill_null(column, empty).to_numpy() if column.null_count else column)
    return (array.astype(np.float64) if array.dtype == np.float16 else array), None


def _never_empty(words: list[Any]) -> list[Any]:
    """Replace the nulls of an all-null column with empty strings, so that it is read as text."""
    return words if any(word is not None for word in words) else ["" for _ in words]


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind)) or (
        "string_view" in str(kind)
    )


def arguments_of(given: Any) -> dict[str, Any]:
    """Return the columns of a table from any library as arguments of `Trace.from_columns`.

    Raises
    ------
    TypeError
        For an object without ``__arrow_c_stream__``.
    TraceError
        If a column is missing or has a wrong type.
    MissingExtraError
        If pyarrow is not installed.
    """
    if not hasattr(given, "__arrow_c_stream__"):
        raise TypeError(
            f"{type(given).__name__} has no __arrow_c_stream__; pass a table from polars, "
            "pandas, pyarrow or DuckDB, or pass columns to Trace.from_columns"
        )
    table = extras.load("pyarrow").table(given)
    missing = [name for name in REQUIRED if name not in table.column_names]
    if missing:
        raise TraceError(
            f"the table has no column '{missing[0]}'; a trace needs {', '.join(REQUIRED)}, and "
            f"the table has {', '.join(table.column_names) or 'none'}"
        )
    found: dict[str, Any] = {}
    labels: dict[str, dict[int, str]] = {}
    for name in table.column_names:
        if name in COLUMNS and name != "line":
            found[name], words = column_values(name, table[name])
            labels |= {name: words} if words else {}
    dated = "timestamp" in str(table["submit"].type) and len(table) > 0
    return found | {
        "labels": labels,
        "unix_start_time": int(found["submit"].min()) if dated else None,
    }
