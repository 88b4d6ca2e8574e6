"""Tables of text on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.terminal.tables import new_table, print_notes, widen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from slotwise.text_table import TextTable


def print_text_tables(console: Console, tables: Iterable[TextTable], *, wide: bool = False) -> None:
    """Print each table with its notes; with `wide`, print every column at its full width."""
    from rich.markup import escape

    for table in tables:
        shown, left_out = (table, []) if wide else _fitted(table, console.width)
        printed = new_table(*map(escape, shown.columns), title=escape(table.title))
        printed.columns[0].min_width = _narrowest(shown)
        for row in shown.rows:
            printed.add_row(*map(escape, row))
        if wide:
            widen(console, printed)
        console.print(printed)
        print_notes(console, table.notes)
        if left_out:
            print_notes(console, [f"Columns left out: {', '.join(left_out)}; --wide shows them."])


def _fitted(table: TextTable, width: int) -> tuple[TextTable, list[str]]:
    """Drop optional columns until a table fits; labels may be broken between words.

    `new_table` adds two characters to its first column and three to every other.
    """
    left_out: list[str] = []
    for column in table.optional:
        others = zip(*((row[1:]) for row in (table.columns, *table.rows)), strict=True)
        used = _narrowest(table) + 2 + sum(max(map(len, cells)) + 3 for cells in others)
        if used <= width:
            break
        table = table.without(column)
        left_out.append(column)
    return table, left_out


def _narrowest(table: TextTable) -> int:
    """Return the length of the longest word in the labels."""
    return max(len(word) for row in (table.columns, *table.rows) for word in row[0].split() or [""])
