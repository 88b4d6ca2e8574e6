"""Converts demands, node names and limits on node resources to the form of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import NODES_IN_USE, AmountLimit, JobDemands, LimitScope, NodeChoice
from slotwise.site.machine.room_on_nodes import allowed_nodes
from slotwise.site.machine.torus import Torus

if TYPE_CHECKING:
    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace.demands import Demands

_SCOPES = {
    "total": LimitScope.all,
    "per_user": LimitScope.user,
    "per_group": LimitScope.group,
    "per_account": LimitScope.account,
    "per_qos": LimitScope.qos,
}


def core_demands(demands: Demands, machine: Nodes) -> JobDemands:
    """Convert the demands of a trace on a machine with nodes to the core's form.

    Raises
    ------
    SiteError
        If a job requests a resource or a feature that no node of the machine has.
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


def node_choice(part: Any, machine: Nodes | Torus) -> NodeChoice:
    """Return the nodes of an outage or reservation: by name, or as a number of nodes of a type."""
    if part.nodes:
        return NodeChoice(machine.select(part.nodes).tolist())
    if part.node_type is None or isinstance(machine, Torus):
        return NodeChoice([])
    types = [place for place, kind in enumerate(machine.types) if kind.name == part.node_type]
    if len(types) == 1:
        return NodeChoice([], types[0], part.node_count)
    of_types = machine.select([f"type:{part.node_type}"])
    return NodeChoice(of_types[: part.node_count].tolist())


def amount_limits(holder: Any, machine: Nodes) -> list[AmountLimit]:
    """Return the limits on node resources that a site or queue sets."""
    return [
        AmountLimit(scope, NODES_IN_USE if name == "nodes" else machine.resources.index(name), most)
        for field, scope in _SCOPES.items()
        for name, most in getattr(holder, field).items()
    ]
