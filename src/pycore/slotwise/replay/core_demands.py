"""Demands of a trace on a machine of nodes, as the core takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import JobDemands
from slotwise.site.room_on_nodes import allowed_nodes

if TYPE_CHECKING:
    from slotwise.site.nodes import Nodes
    from slotwise.trace.demands import Demands


def core_demands(demands: Demands, machine: Nodes) -> JobDemands:
    """Make the core's value of the demands of a trace on a machine.

    Raises
    ------
    SiteError
        Where a job asks a resource or a feature no node of the machine has.
    """
    each = demands.on(machine)
    if not demands.has_rules:
        return JobDemands(machine._core, machine._rule, demands.units, each)
    allowed = allowed_nodes(demands, machine)
    return JobDemands(
        machine._core,
        machine._rule,
        demands.units,
        each,
        demands.per_node,
        demands.nodes,
        demands.exclusive,
        np.where(demands.constraint_id == 0, -1, demands.constraint_id).astype(np.int32),
        [[] if row == 0 else np.flatnonzero(nodes).tolist() for row, nodes in enumerate(allowed)],
    )
