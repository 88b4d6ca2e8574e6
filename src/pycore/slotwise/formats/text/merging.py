"""Merges several fields of a log into one column: the first known value, or the largest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.formats.text.raw_columns import MISSING, UNREADABLE, CellFault, RawColumn

if TYPE_CHECKING:
    from collections.abc import Sequence


def merged(columns: Sequence[RawColumn], *, largest: bool) -> RawColumn:
    """Merge the fields that provide one column.

    An unreadable cell is a fault only if no other field has a value for this row. If some fields
    contain names and others contain numbers, only those with names are used.
    """
    first = columns[0]
    if len(columns) == 1:
        return first
    named = [column for column in columns if column.words is not None]
    if named:
        return _merged_words(named)
    wide = any(column.values.dtype.kind == "f" for column in columns)
    values = first.values.astype(np.float64) if wide else first.values.copy()
    extra, tasks = first.extra.copy(), first.tasks
    known = first.is_known
    for other in columns[1:]:
        better = other.is_known & ~known
        if largest:
            better |= other.is_known & (other.values > values)
        values[better] = other.values[better]
        if len(extra) and len(other.extra):
            extra[better] = other.extra[better]
        known |= other.is_known
    count = int(np.count_nonzero(values == UNREADABLE))
    fault = first.unreadable if count else CellFault()
    return RawColumn(values, None, extra, tasks, fault)


def _merged_words(columns: Sequence[RawColumn]) -> RawColumn:
    codes = columns[0].values.copy()
    words = list(columns[0].words or ())
    places = {word: code for code, word in enumerate(words)}
    for other in columns[1:]:
        table = np.array(
            [places.setdefault(word, len(places)) for word in other.words or ()] or [-1],
            dtype=np.int32,
        )
        missing = (codes < 0) & (other.values >= 0)
        codes[missing] = table[other.values[missing]]
    return RawColumn(codes, list(places), unreadable=columns[0].unreadable)


def scaled(column: RawColumn, factor: float) -> RawColumn:
    """Multiply the known values of a column by a factor; the results may be fractions."""
    if factor == 1.0 or column.words is not None:
        return column
    values = column.values.astype(np.float64)
    known = column.is_known
    values[known] *= factor
    column.values = values
    return column


def whole(column: RawColumn, *, up: bool = False) -> RawColumn:
    """Round a column to whole numbers: half up, or always up if `up` is true."""
    if column.values.dtype.kind != "f":
        return column
    values = column.values
    finite = np.isfinite(values) & (np.abs(values) < 2.0**62)
    rounded = np.ceil(values) if up else np.floor(values + 0.5)
    made = np.full(len(values), UNREADABLE, dtype=np.int64)
    made[finite] = rounded[finite].astype(np.int64)
    made[values <= MISSING] = MISSING
    column.values = made
    return column
