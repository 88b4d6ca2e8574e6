"""Nodes on which the jobs of a result ran."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._numbers import whole
from slotwise.site.machine.torus import Torus
from slotwise.written_values import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

NO_PLACES = (
    "the processors of this machine have no positions; replay on a torus, such as "
    "Site(machine=Torus((40, 32, 32)))"
)


def nodes_of(result: ReplayData, row: int) -> NDArray[np.int32]:
    """Return the intervals of a job's nodes, as `Result.nodes` describes."""
    if result._places is not None:
        return _intervals(places_of(result, row)[0])
    torus_of(result)
    return result.schedule.nodes(row_of(result, row))


def coordinates_of(result: ReplayData, row: int) -> NDArray[np.int32]:
    """Return the coordinates of a job's nodes, as `Result.coordinates` describes."""
    pieces = [np.arange(begin, end) for begin, end in nodes_of(result, row)]
    positions = np.concatenate([np.empty(0, np.int64), *pieces])
    return torus_of(result).coordinates(positions)


def places_of(result: ReplayData, row: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the nodes of a job and its units on each, as `Result.places` describes."""
    if result._places is None:
        msg = "places() requires a machine with nodes; replay on Nodes([NodeType(...)])"
        raise ValueError(msg)
    row = row_of(result, row)
    first, node, units = result._places
    span = slice(int(first[row]), int(first[row + 1]))
    return node[span], units[span]


def _intervals(nodes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the maximal runs [begin, end) of consecutive numbers in an ascending array."""
    begins = np.flatnonzero(np.diff(nodes, prepend=-2) != 1)
    ends = np.append(begins[1:], len(nodes))[: len(begins)]
    return np.column_stack([nodes[begins], nodes[ends - 1] + 1]).astype(np.int32)


def node_columns(
    result: ReplayData,
) -> tuple[NDArray[Any], NDArray[np.int32], NDArray[np.int32]] | None:
    """Return the intervals of the nodes of all jobs; None if the machine has no nodes.

    Returns
    -------
    (n_jobs,) unsigned or signed int
        Number of intervals of each job.
    (n_intervals,) int32
        First positions of the intervals.
    (n_intervals,) int32
        Ends of the intervals, exclusive.
    """
    if result.schedule.has_nodes:
        return result.schedule.node_columns()
    if result._places is None:
        return None
    first, node, _ = result._places
    begins_run = np.diff(node, prepend=-2) != 1
    begins_run[first[:-1][first[:-1] < len(node)]] = True
    begins = np.flatnonzero(begins_run)
    ends = np.append(begins[1:], len(node))[: len(begins)]
    count = np.diff(np.searchsorted(begins, first))
    return count, node[begins], node[ends - 1] + 1


def torus_of(result: ReplayData) -> Torus:
    """Return the torus of a result; raise a ValueError if its machine is not a torus."""
    if isinstance(result.site.machine, Torus):
        return result.site.machine
    raise ValueError(NO_PLACES)


def row_of(result: ReplayData, row: int) -> int:
    """Return a row of the trace, counted from 0; a negative `row` counts from the end.

    Raises
    ------
    ValueError
        For a row that is not a whole number.
    IndexError
        For a row that the trace does not have.
    """
    if whole(row) is None:
        raise ValueError(f"row {shown(row)} is not a whole number; use the job's row in the trace")
    if not -len(result) <= row < len(result):
        raise IndexError(
            f"row {row} is out of range; the trace has {len(result):,} jobs: use a row from 0 to "
            f"{len(result) - 1}"
        )
    return row % len(result)
