"""Reads the columns of a trace from a csv file whose first line names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.errors import TraceError
from slotwise.formats.beginning import Beginning
from slotwise.formats.text.text_table import CellRule, Dialect, cells_in, names_in, read_table
from slotwise.formats.text.zones import YEAR_1990, to_utc, written, zone_named
from slotwise.trace.arrow_columns import TIMES
from slotwise.trace.columns import OF_EMPTY_CELLS
from slotwise.trace.demands import PREFIX, TEXTS
from slotwise.trace.labels import LABELLED
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from slotwise.formats.text.raw_columns import CellFault, RawColumn, RawTable

_DURATIONS = ("run_time", "requested_time", "wait", "cpu_time", "think_time")
_LONGEST_NUMBER = 400
_MEMORY = PREFIX + "memory"


def csv_columns(
    path: str, known_names: Callable[[Iterable[str]], list[str]], zone: str | None
) -> tuple[dict[str, Any], dict[str, dict[int, str]], bool]:
    """Read the columns of a trace; an empty field becomes 0 in nice and site_factor, otherwise -1.

    Returns
    -------
    columns : dict of str to array
    labels : dict of str to dict of int to str
        The word for each code, in columns that contain words.
    dated : bool
        Whether submit contains dates; its values then count from 1970.

    Raises
    ------
    TraceError
        For the first line with a wrong number of fields, or without a number where one is required.
    """
    cells = _first_cells(path)

    names: list[str] = []

    def choose(found: Sequence[str]) -> list[CellRule]:
        names.extend(found)
        return [CellRule(name, _kind(name, cells.get(name, ()))) for name in known_names(found)]

    rules, table = read_table(path, Dialect(), choose)
    _refuse_faults(rules, table, names)
    columns: dict[str, Any] = {}
    labels: dict[str, dict[int, str]] = {}
    for rule, column in zip(rules, table.columns, strict=True):
        if rule.field in TEXTS and column.words is not None:
            words = np.array([*column.words, ""], dtype=object)
            # Empty cells have code -1, which selects the last word, "".
            columns[rule.field] = words[column.values]
        elif column.words is not None:
            columns[rule.field] = np.where(column.values >= 0, column.values + 1, -1)
            labels[rule.field] = {code + 1: word for code, word in enumerate(column.words)}
        else:
            _refuse_shares(rule, column)
            columns[rule.field] = _in_seconds(rule, column, zone)
        if rule.kind == "instant":
            _refuse_old(rule.field, columns[rule.field], table)
    dated = any(rule.kind == "instant" for rule in rules)
    return columns, labels, dated


def _first_cells(path: str) -> dict[str, tuple[str, ...]]:
    """Return the cells of the first rows, which show whether times are dates.

    The result is empty for a pipe.
    """
    beginning = Beginning.of(path)
    if beginning is None or len(beginning.lines) < 2:
        return {}
    names = names_in(beginning.data, Dialect())
    rows = [cells_in(line, Dialect()) for line in beginning.lines[1:]]
    columns = zip(*(row for row in rows if len(row) == len(names)), strict=True)
    return dict(zip(names, columns, strict=False))


def _kind(name: str, cells: Sequence[str]) -> str:
    if name in TEXTS:
        return "label"
    if name in LABELLED:
        return "label_or_number"
    if name in TIMES and any(
        ":" in cell or cell.count("-") == 2 or cell.count("/") == 2 for cell in cells
    ):
        return "instant"
    if name == _MEMORY and any(letter.isalpha() for cell in cells for letter in cell):
        return "size"
    return "duration" if name in _DURATIONS and any(":" in cell for cell in cells) else "number"


def _refuse_shares(rule: CellRule, column: RawColumn) -> None:
    """Refuse memory per core or node (``16Gc``), because the column contains memory per unit."""
    if rule.kind == "size" and column.extra.any():
        row = int(np.argmax(column.extra != 0))
        raise TraceError(
            f"{rule.field} in row {row + 1} is per core or per node; this column must contain "
            "the memory of one unit: write, for example, 16GB"
        )


def _refuse_old(name: str, values: NDArray[Any], table: RawTable) -> None:
    """Refuse a date before 1990, which comes from a clock that was not set."""
    old = (values < YEAR_1990) & (values != -1)
    if old.any():
        row = int(np.argmax(old))
        raise TraceError(
            f"{name} is {written(int(values[row]))}, before 1990; correct the date, or write all "
            "times in seconds from the first submit time",
            line=int(table.lines[row]),
        )


def _in_seconds(rule: CellRule, column: RawColumn, zone: str | None) -> NDArray[Any]:
    empty = OF_EMPTY_CELLS.get(rule.field, -1)
    values: NDArray[Any] = np.where(column.is_known, column.values, empty)
    if column.values.dtype.kind == "f":
        missing = column.values <= -(2.0**63)
        values = np.where(missing, float(empty), column.values)
    if rule.kind == "instant" and zone is not None:
        wall = column.is_known & (column.extra == 0)
        values = np.where(wall, to_utc(values, zone_named(zone)), values)
    return values


def _refuse_faults(rules: Sequence[CellRule], table: RawTable, names: Sequence[str]) -> None:
    """Refuse the first faulty line."""
    found: list[tuple[int, str]] = []
    if table.open_quote:
        found.append(
            (table.open_quote, "this is not a csv file (an opening quote has no closing quote)")
        )
    for fault in (table.too_few, table.too_many):
        if fault.count:
            count = len(cells_in(fault.example, Dialect()))
            told = (
                f"{count} values, but {len(names)} column names; give every row one value per "
                "column"
            )
            found.append((fault.lines[0], told))
    for rule, column in zip(rules, table.columns, strict=True):
        if column.unreadable.count:
            line = column.unreadable.lines[0]
            found.append((line, _cell_fault(rule, column.unreadable)))
    if found:
        line, message = min(found)
        raise TraceError(message, line=line)


def _cell_fault(rule: CellRule, fault: CellFault) -> str:
    if rule.kind == "number" and fault.length > _LONGEST_NUMBER:
        return (
            f"{rule.field} has {fault.length:,} characters, {shown(fault.example[:40])}…; a number "
            f"must have at most {_LONGEST_NUMBER} characters: correct it"
        )
    what = {
        "instant": "a date, such as 2024-03-31T02:30:00",
        "duration": "a duration, such as 1-00:30:00",
        "size": "a number of KB, or a size, such as 16GB",
    }
    return (
        f"{rule.field} is {shown(fault.example)}; it must be {what.get(rule.kind, 'a number')}: "
        "correct it"
    )
