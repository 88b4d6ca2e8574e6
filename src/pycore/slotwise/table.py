"""Named columns as a table that dataframe libraries read without copying."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from slotwise import extras
from slotwise._core import ArrowColumns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

_ROWS = 16_384
"""Number of rows converted to Python objects at once."""


_SHOWN = 10
"""Number of rows that a notebook shows."""


class TableRow(tuple[Any, ...]):
    """One row of a table: one value per column, None for null, and words instead of codes.

    Attributes
    ----------
    _fields : tuple of str
        The names of the columns, as in a named tuple; any string is allowed.
    """

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()


class Table:
    """Named columns of equal length, read-only.

    The table supports the Arrow PyCapsule interface: ``polars.DataFrame(table)``,
    ``pyarrow.table(table)`` and DuckDB read it without a copy, with negative whole numbers
    ("never", "unknown") as null. Iteration yields rows of type `TableRow`, from which
    ``pandas.DataFrame(table)`` is built.

    Parameters
    ----------
    columns : mapping of str to (n_rows,) array of int64, int32, float64, uint8 or bool
    labels : mapping of str to sequence of str, optional
        For columns of codes, the word of each code.
    """

    def __init__(
        self,
        columns: Mapping[str, NDArray[Any]],
        labels: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._columns = {name: np.ascontiguousarray(c).view() for name, c in columns.items()}
        for column in self._columns.values():
            column.flags.writeable = False
        self._labels = {name: tuple(words) for name, words in (labels or {}).items()}
        self._arrow = ArrowColumns(list(self._columns.items()), list((labels or {}).items()))

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return one column as a read-only NumPy array, in which -1 stays -1.

        Raises
        ------
        KeyError
            For an unknown name.
        """
        if name not in self._columns:
            known = ", ".join(self._columns)
            raise KeyError(f"unknown column {name!r}; known names are: {known}")
        return self._columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[TableRow]:
        """Iterate over the rows, with the fields of `column_names`."""
        kind = type("TableRow", (TableRow,), {"__slots__": (), "_fields": tuple(self._columns)})
        for first in range(0, len(self), _ROWS):
            part = slice(first, first + _ROWS)
            yield from map(
                kind, zip(*(self._values(name, part) for name in self._columns), strict=True)
            )

    def _values(self, name: str, rows: slice) -> list[Any]:
        """Return some rows of a column as Python values, with nulls and words as in Arrow."""
        column = self._columns[name][rows]
        values: list[Any] = column.tolist()
        words = self._labels.get(name)
        if words is not None:
            return [words[code] if code >= 0 else None for code in values]
        if column.dtype.kind == "i" and (column < 0).any():
            return [None if value < 0 else value for value in values]
        return values

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self):,} rows; {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        """Return the first rows as an HTML table, which notebooks show."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self._columns)
        shown = zip(*(self._values(name, slice(_SHOWN)) for name in self._columns), strict=True)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(_shown(value))}</td>' for value in row)}</tr>"
            for row in shown
        )
        size = f"{len(self):,} rows, {len(self._columns)} columns"
        left = f"<p>{size}</p>" if len(self) > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{left}"

    def __arrow_c_schema__(self) -> object:
        """Export the schema (Arrow PyCapsule interface)."""
        return self._arrow.schema()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the rows as one batch (Arrow PyCapsule interface).

        A requested schema is ignored, as the interface allows: casting is left to the consumer.
        """
        return self._arrow.stream()

    def to_arrow(self) -> pa.Table:
        """Return a ``pyarrow.Table`` over the same memory.

        Raises
        ------
        MissingExtraError
            Without pyarrow (``pip install slotwise[parquet]``).
        """
        table: pa.Table = extras.load("pyarrow").table(self)
        return table

    def to_pandas(self) -> pd.DataFrame:
        """Return a ``pandas.DataFrame``; pandas copies the data.

        ``pandas.DataFrame(table)`` has the same values and does not need pyarrow. It converts rows
        to Python objects, which is slow for a million rows, and has strings instead of categories.

        Raises
        ------
        MissingExtraError
            If pandas or pyarrow is not installed.
        """
        extras.load("pandas")
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Return a ``polars.DataFrame`` over the same memory.

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        frame: pl.DataFrame = extras.load("polars").DataFrame(self)
        return frame


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:,.6g}" if isinstance(value, float) else str(value)
