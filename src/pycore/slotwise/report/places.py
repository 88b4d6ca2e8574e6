"""Which processors a job is drawn on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise import _core
from slotwise.torus import Torus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.result import Result


class Places(NamedTuple):
    """Intervals of processors, those of the jobs and then of their earlier attempts."""

    pieces: NDArray[np.int64]
    """How many intervals each has."""
    first: NDArray[np.integer[Any]]
    """The first processor of every interval."""
    length: NDArray[np.integer[Any]]
    """Processors of every interval."""
    extent: int
    """One past the highest processor used."""


def places_of(
    result: Result,
    attempt_job: NDArray[np.int64],
    attempt_start: NDArray[np.int64],
    attempt_end: NDArray[np.int64],
) -> Places:
    """Give each job processors of its own while it runs.

    On a torus they are those of its nodes, along the order; nobody keeps where earlier attempts
    were, and they have none. Elsewhere processors have no places, and are given some to be drawn.

    Parameters
    ----------
    result : Result
    attempt_job, attempt_start, attempt_end : (n_attempts,) int64
        The attempts before the last of each job that ran.
    """
    if isinstance(result.site.machine, Torus):
        each = result.site.machine.processors_per_node
        of_jobs, begin, end = result.schedule.node_columns()
        of_attempts = np.zeros(len(attempt_job), np.int64)
        return Places(
            np.concatenate((of_jobs.astype(np.int64), of_attempts)),
            begin * each,
            (end - begin) * each,
            result.processors,
        )
    processors = result.trace.processors
    placement = _core.place(
        np.concatenate((result.start, attempt_start)),
        np.concatenate((result.end, attempt_end)),
        np.concatenate((processors, processors[attempt_job])),
        result.processors,
    )
    offset = placement.offset.astype(np.int64)
    return Places(offset[1:] - offset[:-1], placement.first, placement.count, placement.extent)


def torus_facts(result: Result) -> dict[str, Any] | None:
    """Give what the picture of a torus is drawn by: its slices along all axes but the last two."""
    torus = result.site.machine
    if not isinstance(torus, Torus):
        return None
    axes = [(name, side) for name, side in zip("xyzuvw", torus.shape, strict=False) if side > 1]
    sides = [1, 1, *(side for _, side in axes)]
    return {
        "shape": str(torus),
        "order": torus.order,
        "each": torus.processors_per_node,
        "axes": axes[:-2],
        "slices": int(np.prod(sides[:-2])),
        "rows": sides[-2],
        "columns": sides[-1],
    }


def torus_cells(result: Result) -> NDArray[np.int64]:
    """Give the cell of each position of the order, counted slice by slice and row by row.

    Empty where the machine is no torus.
    """
    torus = result.site.machine
    if not isinstance(torus, Torus):
        return np.empty(0, np.int64)
    at = torus.coordinates(np.arange(torus.nodes))
    cells: NDArray[np.int64] = np.ravel_multi_index(tuple(at.T), tuple(torus.shape))
    return cells
