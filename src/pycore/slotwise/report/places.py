"""Processors on which the Gantt chart draws each job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise._core import chart_positions
from slotwise.site.machine.hostlist import folded
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData


class Places(NamedTuple):
    """Intervals of processors: those of the jobs, followed by any of their earlier attempts."""

    pieces: NDArray[np.int64]
    """Number of intervals of each job or attempt."""
    first: NDArray[np.integer[Any]]
    """The first processor of every interval."""
    length: NDArray[np.integer[Any]]
    """Number of processors in every interval."""
    extent: int
    """The highest processor used, plus one."""


def places_of(
    result: ReplayData,
    attempt_job: NDArray[np.int64],
    attempt_start: NDArray[np.int64],
    attempt_end: NDArray[np.int64],
) -> Places:
    """Assign each job processors, so that no two jobs have the same processors at the same time.

    On a torus, these are the processors of the job's nodes, in node order. On a machine with nodes,
    they are cores of the job's nodes, node by node. On both, the nodes of earlier attempts are not
    recorded, so these attempts get no processors. On a plain machine, processors are
    interchangeable, so the choice is arbitrary.

    Parameters
    ----------
    result : Result
    attempt_job, attempt_start, attempt_end : (n_attempts,) int64
        Attempts before the last one of each job.
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
    if isinstance(result.site.machine, Nodes) and result._places is not None:
        return _on_nodes(result, result.site.machine, *result._places)
    processors = result.trace.processors
    placement = chart_positions(
        np.concatenate((result.start, attempt_start)),
        np.concatenate((result.end, attempt_end)),
        np.concatenate((processors, processors[attempt_job])),
        result.processors,
    )
    offset = placement.offset.astype(np.int64)
    return Places(offset[1:] - offset[:-1], placement.first, placement.count, placement.extent)


def _on_nodes(
    result: ReplayData,
    machine: Nodes,
    of_job: NDArray[Any],
    node: NDArray[np.int32],
    units: NDArray[np.int32],
) -> Places:
    """Assign each job cores of its nodes; the choice of cores within a node is arbitrary."""
    offset = of_job.astype(np.int64)
    job = np.repeat(np.arange(len(result)), offset[1:] - offset[:-1])
    cores = units * demands_of(result.trace, machine).each["cores"][job]
    room = np.repeat(
        [kind.resources["cores"] for kind in machine.types], [kind.count for kind in machine.types]
    )
    base = np.concatenate([[0], np.cumsum(room)])
    parts = [np.empty((3, 0), np.int64)]
    rows = np.flatnonzero(cores)
    rows = rows[np.argsort(node[rows], kind="stable")]
    for mine in np.split(rows, np.flatnonzero(np.diff(node[rows])) + 1 if len(rows) else []):
        if not len(mine):
            continue
        here = int(node[mine[0]])
        placed = chart_positions(
            result.start[job[mine]], result.end[job[mine]], cores[mine].astype(np.int64),
            int(room[here]),
        )  # fmt: skip
        offset = placed.offset.astype(np.int64)
        owner = np.repeat(job[mine], offset[1:] - offset[:-1])
        # A job that ran for 0 s may get positions past the end of its node; they are moved inside.
        first = base[here] + np.minimum(placed.first, room[here] - placed.count)
        parts.append(np.stack([owner, first, placed.count]))
    owner, first, count = np.concatenate(parts, axis=1)
    order = np.lexsort((first, owner))
    pieces = np.bincount(owner, minlength=len(result))
    return Places(pieces, first[order], count[order], int(base[-1]))


def node_facts(result: ReplayData) -> list[dict[str, Any]] | None:
    """Return the node types for the chart's node axis, in the order of node numbers.

    The names of a type's nodes are folded, as in ``gpu[01-16],fat3``. The result is None if the
    machine has no node types.
    """
    if not isinstance(result.site.machine, Nodes):
        return None
    first, found = 1, []
    for kind in result.site.machine.types:
        found.append({"cores": kind.resources["cores"], "nodes": folded(kind.names(first))})
        first += kind.count
    return found


def torus_facts(result: ReplayData) -> dict[str, Any] | None:
    """Return the layout of the torus picture: slices along all axes except the last two.

    The result is None if the machine is not a torus.
    """
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


def torus_cells(result: ReplayData) -> NDArray[np.int64]:
    """Return the cell of each node, in node order; cells are numbered by slice, row and column.

    The result is empty if the machine is not a torus.
    """
    torus = result.site.machine
    if not isinstance(torus, Torus):
        return np.empty(0, np.int64)
    at = torus.coordinates(np.arange(torus.nodes))
    cells: NDArray[np.int64] = np.ravel_multi_index(tuple(at.T), tuple(torus.shape))
    return cells
