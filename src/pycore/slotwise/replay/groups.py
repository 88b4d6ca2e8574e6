"""Groups of jobs by a label or by size and length."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace

    Codes = NDArray[np.int32]

LOGGED = ("user", "group", "executable", "queue", "partition")
"""Columns of a trace by which jobs can be grouped."""

FURTHER_LOGGED = ("account", "qos")
"""Columns by which jobs can be grouped if the log has more fields than SWF."""

CLASS_SIZES, CLASS_LENGTHS = (8,), (3600,)
"""Boundaries of the job classes in processors and seconds, as in `Result.metrics_by`."""

_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def groups_of(labels: NDArray[Any]) -> tuple[list[Any], Codes]:
    """Return the distinct labels, ascending, and for each job the index of its label."""
    distinct, codes = np.unique(labels, return_inverse=True)
    return distinct.tolist(), codes.astype(np.int32)


def groups_of_result(
    result: ReplayData, by: str | ArrayLike, sizes: Sequence[int], lengths: Sequence[int]
) -> tuple[list[Any], Codes]:
    """Return the groups of a replayed trace, and for each job the index of its group.

    Raises
    ------
    ValueError
        For an unknown name, a wrong number of labels, or class limits not in ascending order.
    """
    if not isinstance(by, str):
        labels = np.asarray(by)
        if labels.shape != (len(result),):
            raise ValueError(
                f"the labels have the shape {labels.shape}; pass one label for each of the "
                f"{len(result)} jobs"
            )
        return groups_of(labels)
    if by == "class":
        return class_labels(result.trace, sizes, lengths)
    if by == "state":
        return groups_of(result.state)
    if by == "pool" or (by == "queue" and result.site.queues):
        names = [*(result.pool_names if by == "pool" else result.queue_names), None]
        column = result.pool if by == "pool" else result.queue
        present, codes = groups_of(np.where(column < 0, len(names) - 1, column))
        return [names[position] for position in present], codes
    if by not in (*LOGGED, *FURTHER_LOGGED):
        known = ", ".join((*LOGGED, *FURTHER_LOGGED, "state", "pool", "class"))
        raise ValueError(
            f"unknown grouping {by!r}; known names are: {known} (or pass one label per job)"
        )
    present, codes = groups_of(getattr(result.trace, by))
    words = result.trace.labels.get(by, {})
    return [words.get(code, code) for code in present], codes


def class_labels(
    trace: Trace, sizes: Sequence[int], lengths: Sequence[int]
) -> tuple[list[str], Codes]:
    """Return the names of the classes (size by length) that occur, and each job's class index."""
    size_names = _names(_ascending("sizes", sizes), str, "processors")
    length_names = _names(_ascending("lengths", lengths), _duration, "")
    by_size = np.searchsorted(np.asarray(sizes, dtype=np.int64), trace.processors)
    by_length = np.searchsorted(np.asarray(lengths, dtype=np.int64), trace.run_time)
    present, codes = groups_of(by_size * len(length_names) + by_length)
    names = [f"{size}, {length}" for size in size_names for length in length_names]
    return [names[code] for code in present], codes


def _ascending(name: str, limits: Sequence[int]) -> list[int]:
    values = [int(limit) for limit in limits]
    if any(value <= 0 for value in values) or sorted(set(values)) != values:
        raise ValueError(f"{name} is {limits!r}; class limits must be positive and ascending")
    return values


def _names(limits: list[int], text: Any, unit: str) -> list[str]:
    """Name the classes between the limits: ``up to a``, ``over a to b``, ``over b``."""
    if not limits:
        return [f"any {unit or 'length'}"]
    names = [f"up to {text(limits[0])}"]
    names += [f"over {text(low)} to {text(high)}" for low, high in pairwise(limits)]
    names.append(f"over {text(limits[-1])}")
    return [f"{name} {unit}".rstrip() for name in names]


def _duration(seconds: int) -> str:
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    return f"{seconds // size} {unit}"
