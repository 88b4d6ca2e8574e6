"""Amounts of resources, and numbers of nodes, that limits count per job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.trace import node_demands

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace.demands import Demands

    Int64 = NDArray[np.int64]


def amounts_in_use(result: ReplayData, resource: str) -> Int64:
    """Return each job's count while it runs: its amount, or its number of nodes."""
    if resource == "nodes":
        places: Any = result._places
        held: Int64 = np.diff(places[0]).astype(np.int64)
        return held
    demands = _demands(result)
    found: Int64 = demands.units * demands.each.get(resource, np.zeros(len(demands), np.int64))
    return found


def amount_asked(result: ReplayData, job: int, resource: str) -> int:
    """Return a job's count before it starts: its amount, or the nodes that its rules imply."""
    return node_demands.amount_asked(_demands(result), job, resource)


def _demands(result: ReplayData) -> Demands:
    machine: Any = result.site.machine
    return node_demands.demands_of(result.trace, machine)
