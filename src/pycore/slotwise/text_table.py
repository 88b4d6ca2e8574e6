"""A table whose cells are text, for a terminal or a report page."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class TextTable:
    """Rows of text under a title.

    Attributes
    ----------
    title : str
    columns : tuple of str
        Headings; the first column is aligned left, the others right.
    rows : tuple of tuples of str
    notes : tuple of str
        Sentences that explain the figures.
    optional : tuple of str
        Columns that a narrow screen leaves out, in this order.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    def without(self, column: str) -> TextTable:
        """Return the table without one of its columns."""
        at = self.columns.index(column)
        columns, *rows = (row[:at] + row[at + 1 :] for row in (self.columns, *self.rows))
        return replace(self, columns=columns, rows=tuple(rows))
