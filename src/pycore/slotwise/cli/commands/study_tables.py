"""The tables of a study, with our figures next to the paper's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slotwise.terminal import tables

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from rich.table import Table

    from slotwise.studies.result import StudyResult
    from slotwise.studies.row import Keys, Row


def study_tables(result: StudyResult) -> Iterator[Table]:
    """Create a printed table for each table name that occurs in the rows.

    A table in `StudyInfo.across` has one column per value of the key given there, and cells such
    as ``ours ± spread (paper)``. Any other table has one line per row and no empty columns. A table
    in `StudyInfo.every` shows only every nth line.
    """
    for name in dict.fromkeys(row.table for row in result.rows):
        rows = result.table(name)
        title = f"Table {name}" if name.split(",")[0].isupper() else name[:1].upper() + name[1:]
        if name in result.study.titles:
            title += f": {result.study.titles[name]}"
        across, every = result.study.across.get(name), result.study.every.get(name, 1)
        same = {
            key: value
            for key, value in rows[0].keys.items()
            if key != across and _is_same(rows, key, value)
        }
        if same and len(rows) > 1:
            title += "\n" + ", ".join(f"{key} {value}" for key, value in same.items())
            rows = [replace(row, keys=_without(row.keys, same)) for row in rows]
        table = _laid_out(title, rows, across, every) if across else _listed(title, rows[::every])
        if every > 1:
            table.caption = (
                f"one line in {every} is shown; the files written with --out contain all lines"
            )
        yield table


def _laid_out(title: str, rows: Sequence[Row], across: str, every: int) -> Table:
    down = _keys(rows, without=across)
    values = list(dict.fromkeys(row.keys[across] for row in rows))
    lines: dict[tuple[Any, ...], dict[Any, str]] = {}
    for row in rows:
        place = tuple(row.keys.get(key, "") for key in down)
        lines.setdefault(place, {})[row.keys[across]] = _cell(row)
    ours = "; ours ± SD" if any(row.spread is not None for row in rows) else "; ours"
    shown = ours + (" (paper)" if any(row.paper is not None for row in rows) else "")
    table = tables.new_table(
        *down,
        *(value if isinstance(value, str) else f"{across} {value}" for value in values),
        title=title + shown,
    )
    _align(table, rows, down)
    for place, cells in list(lines.items())[::every]:
        table.add_row(*map(str, place), *(cells.get(value, "") for value in values))
    return table


def _listed(title: str, rows: Sequence[Row]) -> Table:
    down = _keys(rows)
    columns: dict[str, list[Any]] = {key: [row.keys.get(key) for row in rows] for key in down}
    columns["ours"] = [row.ours for row in rows]
    columns["±"] = [row.spread for row in rows]
    columns["paper"] = [row.paper for row in rows]
    for name in dict.fromkeys(name for row in rows for name in row.more):
        columns[name] = [row.more.get(name) for row in rows]
    shown = {name: cells for name, cells in columns.items() if any(c is not None for c in cells)}
    table = tables.new_table(*shown, title=title)
    _align(table, rows, [key for key in down if key in shown])
    for cells in zip(*shown.values(), strict=True):
        table.add_row(
            *(
                _figure(cell) if name not in down else "" if cell is None else str(cell)
                for name, cell in zip(shown, cells, strict=True)
            )
        )
    return table


def _align(table: Table, rows: Sequence[Row], keys: Sequence[str]) -> None:
    """Left-align the columns that contain words; columns of figures stay right-aligned."""
    for column, key in zip(table.columns, keys, strict=False):
        if any(isinstance(row.keys.get(key), str) for row in rows):
            column.justify = "left"


def _is_same(rows: Sequence[Row], key: str, value: object) -> bool:
    return all(row.keys.get(key) == value for row in rows)


def _without(keys: Keys, left_out: Container[str]) -> Keys:
    return {key: value for key, value in keys.items() if key not in left_out}


def _keys(rows: Sequence[Row], without: str = "") -> list[str]:
    return [key for key in dict.fromkeys(key for row in rows for key in row.keys) if key != without]


def _cell(row: Row) -> str:
    text = _figure(row.ours)
    if row.spread is not None:
        text += f" ±{_figure(row.spread)}"
    return text if row.paper is None else f"{text} ({_figure(row.paper)})"


def _figure(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        decimals = 2 if abs(value) < 100 else 1 if abs(value) < 1000 else 0
        return f"{value:,.{decimals}f}"
    return f"{value:,}" if type(value) is int else str(value)
