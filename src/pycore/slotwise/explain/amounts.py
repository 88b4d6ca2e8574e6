"""Amounts of resources and numbers of nodes, as limits count them for each job."""

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
    """Return the amount of a resource, or the number of nodes, that each job uses while it runs."""
    if resource == "nodes":
        places: Any = result._places
        held: Int64 = np.diff(places[0]).astype(np.int64)
        return held
    demands = _demands(result)
    found: Int64 = demands.units * demands.each.get(resource, np.zeros(len(demands), np.int64))
    return found


def amount_asked(result: ReplayData, job: int, resource: str) -> int:
    """Return the amount of a resource, or the number of nodes, that a waiting job requests."""
    return node_demands.amount_asked(_demands(result), job, resource)


def _demands(result: ReplayData) -> Demands:
    machine: Any = result.site.machine
    return node_demands.demands_of(result.trace, machine)
