"""Use of a machine with nodes: cores occupied by jobs, and busy shares of its resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.replay.metric_sections import SHARE
from slotwise.site.machine.nodes import Nodes
from slotwise.trace.demand_rules import Exclusive
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

    Floats = NDArray[np.float64]
    Int64 = NDArray[np.int64]


def kept_processors(replay: ReplayData) -> Int64 | None:
    """Return the number of cores that each job occupies, or None if no job uses whole nodes.

    A job that uses whole nodes occupies all cores of the nodes of its last start. For any other
    job, or one that never started, the result is its number of requested processors.
    """
    alone = _takes_nodes_whole(replay)
    if alone is None or not alone.any():
        return None
    kept = _of_whole_nodes(replay, "cores")
    return np.where(alone & (replay.start >= 0), kept, replay.trace.processors).astype(np.int64)


def busy_shares(replay: ReplayData, begin: int, end: int) -> dict[str, float]:
    """Return the share of each resource (except cores) that jobs use over [begin, end].

    A resource that no job requests is left out, because the log may not state it. Interrupted
    attempts count like the last attempt of their job. Nodes that are down count as part of the
    machine.
    """
    machine = replay.site.machine
    if not isinstance(machine, Nodes) or end <= begin:
        return {}
    return {name: float(share.sum()) for name, share in _shares_by_job(replay, begin, end)}


def busy_shares_by(
    replay: ReplayData, codes: NDArray[np.int32], n_groups: int, begin: int, end: int
) -> list[dict[str, float]]:
    """Return the busy shares of each group of jobs; they add up to those of `busy_shares`."""
    rows: list[dict[str, float]] = [{} for _ in range(n_groups)]
    if end <= begin:
        return rows
    known = codes >= 0
    for name, share in _shares_by_job(replay, begin, end):
        of_group = np.bincount(codes[known], share[known], n_groups)
        for row, value in zip(rows, of_group.tolist(), strict=True):
            row[name] = value
    return rows


def _shares_by_job(replay: ReplayData, begin: int, end: int) -> Iterator[tuple[str, Floats]]:
    """Yield the metric of each requested resource (except cores), and each job's part of it."""
    machine = replay.site.machine
    if not isinstance(machine, Nodes):
        return
    demands = demands_of(replay.trace, machine)
    whole = _takes_nodes_whole(replay)
    seconds = _busy_seconds(replay, begin, end)
    for resource in machine.resources:
        installed = sum(kind.count * kind.resources.get(resource, 0) for kind in machine.types)
        if resource == "cores" or installed == 0:
            continue
        asked = demands.units * demands.each.get(resource, 0)
        if whole is not None and whole.any():
            asked = np.where(whole, _of_whole_nodes(replay, resource), asked)
        if not asked.any():
            continue
        yield f"{SHARE}{resource}", seconds * asked / (installed * (end - begin))


def _takes_nodes_whole(replay: ReplayData) -> NDArray[np.bool_] | None:
    """Mark the jobs that do not share their nodes; None on a machine without node types."""
    machine = replay.site.machine
    if not isinstance(machine, Nodes) or replay._places is None:
        return None
    whole: NDArray[np.bool_] = demands_of(replay.trace, machine).exclusive == Exclusive.JOB
    return whole


def _of_whole_nodes(replay: ReplayData, resource: str) -> Int64:
    """Sum a resource over the nodes of each job."""
    machine: Any = replay.site.machine
    places: Any = replay._places
    first, node, _ = places
    of_type = [kind.resources.get(resource, 0) for kind in machine.types]
    of_node = np.repeat(of_type, [kind.count for kind in machine.types])
    before = np.concatenate([[0], np.cumsum(of_node[node])])
    summed: Int64 = (before[first[1:]] - before[first[:-1]]).astype(np.int64)
    return summed


def _busy_seconds(replay: ReplayData, begin: int, end: int) -> Floats:
    """Sum the time that each job ran within [begin, end], over all its attempts."""
    attempts = replay.attempts
    inside = np.minimum(attempts["end"], end) - np.maximum(attempts["start"], begin)
    seconds = np.maximum(inside, 0).astype(np.float64)
    summed: Floats = np.bincount(attempts["job"], seconds, len(replay)).astype(np.float64)
    return summed
