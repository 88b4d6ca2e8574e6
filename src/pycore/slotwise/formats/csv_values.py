"""Columns to be written to a csv file: numbers, words stored as codes, and intervals."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Words:
    """A string for each row, stored as a code; a negative code means an empty string.

    Attributes
    ----------
    codes : (n_rows,) integers
    words : sequence of str
    always_quoted : bool
        Whether each string is quoted, which distinguishes a string of digits from a number.
    """

    codes: NDArray[Any]
    words: Sequence[str]
    always_quoted: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    def texts(self) -> NDArray[np.object_]:
        """Return the strings, row by row."""
        chosen: NDArray[np.object_] = np.array([*self.words, ""], dtype=object)[
            np.where(np.asarray(self.codes) < 0, len(self.words), self.codes)
        ]
        return chosen

    def to_arrow(self) -> Any:
        """Return the strings as an Arrow dictionary column; empty strings become null."""
        import pyarrow as pa

        codes = pa.array(np.asarray(self.codes, dtype=np.int32), mask=np.asarray(self.codes) < 0)
        return pa.DictionaryArray.from_arrays(codes, pa.array(list(self.words), pa.string()))


@dataclass(frozen=True)
class Intervals:
    """A list of whole numbers for each row, stored as intervals and written as ``0-3 7``.

    Attributes
    ----------
    first, last : (n_intervals,) integers
    offset : (n_rows + 1,) integers
        Row r has the intervals offset[r] to offset[r + 1] - 1.
    """

    first: NDArray[Any]
    last: NDArray[Any]
    offset: NDArray[Any]

    def __len__(self) -> int:
        return len(self.offset) - 1

    def texts(self) -> NDArray[np.object_]:
        """Return the intervals of each row as a string."""
        pieces = [
            str(low) if low == high else f"{low}-{high}"
            for low, high in zip(self.first.tolist(), self.last.tolist(), strict=True)
        ]
        rows = [" ".join(pieces[a:b]) for a, b in itertools.pairwise(self.offset.tolist())]
        return np.array(rows, dtype=object)


def csv_column(column: Any) -> Any:
    """Convert a column to the form that the csv writer of the core accepts."""
    if isinstance(column, Intervals):
        return (_of(column.first, np.int32), _of(column.last, np.int32), _of(column.offset))
    if isinstance(column, Words):
        words = [_writable(word) for word in column.words]
        return (_of(column.codes, np.int32), words, column.always_quoted)
    array = np.asarray(column)
    if array.dtype.kind == "b":
        return (_of(array, np.int32), ["False", "True"], False)
    if array.dtype.kind == "f":
        return _of(array, np.float64)
    if array.dtype.kind in "iu":
        narrow = array.dtype in (np.int32, np.uint8)
        return _of(array, array.dtype if narrow else np.int64)
    codes: dict[str, int] = {}
    places = [codes.setdefault(_text(value), len(codes)) for value in array.tolist()]
    return (np.array(places, dtype=np.int32), [_writable(word) for word in codes], False)


def quoted(name: str) -> str:
    """Quote a name if csv requires it."""
    special = any(mark in name for mark in ',"\r\n')
    return '"' + name.replace('"', '""') + '"' if special else name


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _writable(word: str) -> str:
    return word.encode("utf-8", "backslashreplace").decode()


def _of(array: Any, kind: Any = np.int64) -> NDArray[Any]:
    return np.ascontiguousarray(array, dtype=kind)
