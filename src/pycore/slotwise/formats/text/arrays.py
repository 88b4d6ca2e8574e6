"""Job arrays and dependencies in the rows of a job log.

Example: rows 12_1, 12_2 and 12_[3-9%2]; the last stands for tasks cancelled before they started.
Tasks 1 and 2 belong to array 12, of which at most 2 run at once. The last row is not a job of the
trace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.trace.dependency_lists import conditions_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from slotwise.formats.text.raw_columns import RawColumn
    from slotwise.formats.text.rows_kept import RowsKept

    Int64 = NDArray[np.int64]

_SEVERAL = -2
_NO_TASK = 2**32 - 2  # Slurm's number for "no value"; the next number means "no limit"


def array_columns(columns: Mapping[str, RawColumn]) -> dict[str, Int64]:
    """Return the array, task and limit of each row, with -1 for none.

    The result is empty for a log without arrays. The limit in a row that stands for several tasks
    applies to all tasks of the array.
    """
    numbers = columns.get("array_id")
    if numbers is None or not numbers.is_known.any():
        return {}
    known = numbers.is_known & (numbers.values > 0)
    tasks = _numbers(columns.get("array_task"), len(known))
    spread = np.zeros(len(known), dtype=np.int64)
    if len(numbers.tasks):
        tasks = np.where(numbers.tasks >= 0, numbers.tasks, tasks)
        known &= (numbers.tasks != -1) | (tasks >= 0)
        spread = np.where(numbers.tasks < _SEVERAL, _SEVERAL - numbers.tasks, 0)
    else:
        known &= tasks >= 0
    if not known.any():
        return {}
    array = np.where(known, numbers.values, -1)
    limit = np.where(known, _numbers(columns.get("array_limit"), len(known)), -1)
    limit = np.where(limit > 0, limit, -1)
    of_array = dict(zip(array[spread > 0].tolist(), spread[spread > 0].tolist(), strict=True))
    for number, most in of_array.items():
        limit[(array == number) & (limit < 0)] = most
    return {
        "array_id": array.astype(np.int64),
        "array_task": np.where(known, tasks, -1).astype(np.int64),
        "array_limit": limit.astype(np.int64),
    }


def _numbers(column: RawColumn | None, n_rows: int) -> Int64:
    """Return the numbers in a column, with -1 for unknown values."""
    if column is None:
        return np.full(n_rows, -1, dtype=np.int64)
    sound = column.is_known & (column.values >= 0) & (column.values < _NO_TASK)
    made: Int64 = np.where(sound, column.values, -1)
    return made


def forget_odd_dependencies(columns: Mapping[str, RawColumn], kept: RowsKept) -> None:
    """Drop and count dependencies that cannot be replayed; "(null)" means none."""
    column: Any = columns.get("dependency")
    if column is None or not column.words:
        return
    for code, word in enumerate(column.words):
        rows = column.values == code
        try:
            if not conditions_of(word):
                column.values = np.where(rows, -1, column.values)
        except ValueError as fault:
            kept.note("cell_unreadable", rows, f"dependency: {fault}"[:150])
            column.values = np.where(rows, -1, column.values)
