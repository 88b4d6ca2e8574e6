"""Waits by group of jobs, as HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.text_table import TextTable


def group_tables_html(tables: Sequence[TextTable]) -> str:
    """Lay out one section with all tables, or return an empty string if there are none."""
    if not tables:
        return ""
    parts = "".join(_table(table) for table in tables)
    return (
        '<section id="groups" aria-labelledby="groups-title">\n'
        f'<h2 id="groups-title">Groups of jobs</h2>\n{parts}</section>\n'
    )


def _table(table: TextTable) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        f"{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        for first, *cells in table.rows
    )
    notes = escape(" ".join(table.notes))
    return (
        f'<h3>{escape(table.title)}</h3>\n<div class="scroll"><table class="compared">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>\n"
        + (f'<p class="notes">{notes}</p>\n' if notes else "")
    )
