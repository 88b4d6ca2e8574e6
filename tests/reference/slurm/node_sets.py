"""Sets of nodes as integers: bit i stands for node i of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def node_set(nodes: Iterable[int]) -> int:
    """Return the set of the given node numbers, counted from 0."""
    found = 0
    for node in nodes:
        found |= 1 << node
    return found


def members(nodes: int) -> list[int]:
    """Return the node numbers of a set, ascending."""
    return [node for node in range(nodes.bit_length()) if nodes >> node & 1]


def runs(nodes: int) -> list[list[int]]:
    """Return the runs of neighbours in a set, each ascending, the lowest first."""
    found: list[list[int]] = []
    for node in members(nodes):
        if found and found[-1][-1] == node - 1:
            found[-1].append(node)
        else:
            found.append([node])
    return found
