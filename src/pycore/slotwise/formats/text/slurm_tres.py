"""Reads GPU types and memory from Slurm's resource lists: ``cpu=4,mem=64G,gres/gpu:a100=4``.

A job that requests GPUs of a certain type needs nodes that have this type as a feature. A job
without ``--mem`` has no requested memory, but its list of allocated resources contains the memory
that it was given.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from slotwise.formats.text.raw_columns import MISSING, RawColumn
from slotwise.trace.constraints import alternatives

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

_GPUS = re.compile(r"(?:^|,)gres/gpu:([^=,]+)=0*[1-9]")
_MEMORY = re.compile(r"(?:^|,)mem=(\d+)(\.\d+)?([KMGTP]?)(?:$|,)")
_KILOBYTES: dict[str, int] = {unit: 1024**power for power, unit in enumerate("KMGTP")} | {"": 1024}


def complete_columns(columns: dict[str, RawColumn]) -> None:
    """Add GPU types to the column ``constraint``, and allocated memory to the column ``memory``."""
    _add_gpu_types(columns)
    _add_memory(columns)


def constraint_with_type(constraint: str, gpu_type: str) -> str:
    """Return a constraint that also requires a GPU type: ``a|b`` and h100 make ``a&h100|b&h100``.

    An unsupported constraint stays unsupported: ``[a|b]`` and h100 make ``[a|b]&h100``.
    """
    if not gpu_type or not constraint:
        return constraint or gpu_type
    try:
        parts = alternatives(constraint)
    except ValueError:
        return f"{constraint}&{gpu_type}"
    return "|".join("&".join(dict.fromkeys([*part, gpu_type])) for part in parts)


def _gpu_type(tres: str) -> str:
    """Return the GPU type in a list, or an empty string if there are several types.

    With several types, a job may have different types on different nodes.
    """
    types = _GPUS.findall(tres)
    return str(types[0]) if len(types) == 1 else ""


def _add_gpu_types(columns: dict[str, RawColumn]) -> None:
    tres = columns.get("requested_tres")
    types = [_gpu_type(word) for word in (tres and tres.words) or ()]
    if tres is None or not any(types):
        return
    # The first element of each list stands for code -1, an unknown value.
    types.insert(0, "")
    given = columns.get("constraint", RawColumn(np.full(len(tres.values), -1), []))
    words = ["", *(word.strip() for word in given.words or ())]
    pairs = (given.values.astype(np.int64) + 1) * len(types) + tres.values + 1
    different, place = np.unique(pairs, return_inverse=True)
    codes: dict[str, int] = {}
    table = [-1] * len(different)
    for row, pair in enumerate(different.tolist()):
        constraint, listed = divmod(pair, len(types))
        if word := constraint_with_type(words[constraint], types[listed]):
            table[row] = codes.setdefault(word, len(codes))
    columns["constraint"] = RawColumn(np.array(table, np.int32)[place], [*codes])


def _add_memory(columns: dict[str, RawColumn]) -> None:
    """Fill gaps in ``memory`` with the allocated or, failing that, the requested memory."""
    listed = [columns[name] for name in ("allocated_tres", "requested_tres") if name in columns]
    if not listed:
        return
    n_rows = len(listed[0].values)
    size = columns.get("memory", RawColumn(np.full(n_rows, MISSING)))
    values = size.values.copy()
    extra = size.extra.copy() if len(size.extra) else np.zeros(n_rows, dtype=np.int8)
    lacks = ~size.is_known | (values == 0)
    for column in listed:
        found = _by_word(column, _memory_in)
        better = lacks & (found > 0)
        values[better], extra[better] = found[better], 0
        lacks &= ~better
    columns["memory"] = RawColumn(values, None, extra, unreadable=size.unreadable)


def _by_word(column: RawColumn, read: Callable[[str], int]) -> Int64:
    """Return the number that `read` finds in the list of each row; 0 for an unknown list."""
    numbers = [*(read(word) for word in column.words or ()), 0]
    amounts: Int64 = np.array(numbers, dtype=np.int64)[column.values]
    return amounts


def _memory_in(word: str) -> int:
    """Return the memory in a list of resources, in KB; 0 if there is none.

    Slurm rounds the memory to decimals such as 503.80G. The smallest amount that rounds to this
    decimal is returned, because a larger one might exceed the memory of the job's node.
    """
    found = _MEMORY.search(word)
    if found is None:
        return 0
    unit = _KILOBYTES[found[3]]
    if not found[2]:
        return min(int(found[1]) * unit, 2**62)
    half = 5 * math.pow(10, -len(found[2]))  # half a unit of the last decimal place
    return min(max(int((float(found[1] + found[2]) - half) * unit), 0), 2**62)
