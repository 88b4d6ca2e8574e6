"""The machine: named nodes in Slurm's order, and partitions of these nodes."""

from __future__ import annotations

from dataclasses import dataclass, field

from reference.slurm.node_sets import members, node_set


@dataclass(frozen=True)
class Node:
    """One node; `memory` is in MB."""

    name: str
    cpus: int = 1
    memory: int = 0
    gpus: int = 0
    features: frozenset[str] = frozenset()
    weight: int = 1


@dataclass(frozen=True)
class Partition:
    """A set of nodes with its limits; None means no limit.

    If `exclusive`, its jobs take whole nodes (OverSubscribe=EXCLUSIVE) and are also `exclusive`.
    """

    name: str
    nodes: int
    tier: int = 1
    factor: int = 1
    max_time: int | None = None
    max_nodes: int | None = None
    exclusive: bool = False


@dataclass(frozen=True)
class Machine:
    """Nodes, partitions, and the way in which jobs take nodes.

    `shares` is false under select/linear, where a job takes whole nodes. `counts_memory` is true if
    memory is a consumable resource.
    """

    nodes: tuple[Node, ...]
    partitions: dict[str, Partition] = field(default_factory=dict)
    shares: bool = False
    counts_memory: bool = False

    def with_feature(self, feature: str) -> int:
        """Return the nodes with a feature; all nodes if the name is empty."""
        if not feature:
            return (1 << len(self.nodes)) - 1
        return node_set(place for place, node in enumerate(self.nodes) if feature in node.features)

    def by_weight(self, nodes: int) -> list[int]:
        """Split a set of nodes into sets of equal weight, and return them, the lightest first."""
        parts: dict[int, int] = {}
        for place in members(nodes):
            weight = self.nodes[place].weight
            parts[weight] = parts.get(weight, 0) | 1 << place
        return [parts[weight] for weight in sorted(parts)]
