"""The oracle for whole sites on machines with nodes.

It rebuilds the plan of every node in each pass.
"""

from reference.node_sites.simulate import NodeOutcome, simulate_nodes
from reference.node_sites.values import (
    NamedNodeLimits,
    NodeJob,
    NodeLimits,
    NodeOutage,
    NodeQueue,
    NodeReservation,
    NodeSite,
    NodeType,
)

__all__ = [
    "NamedNodeLimits",
    "NodeJob",
    "NodeLimits",
    "NodeOutage",
    "NodeOutcome",
    "NodeQueue",
    "NodeReservation",
    "NodeSite",
    "NodeType",
    "simulate_nodes",
]
