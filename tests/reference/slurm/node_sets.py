"""Sets of nodes as integers: bit i represents node i of the machine."""

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
    found = []
    while nodes:
        lowest = nodes & -nodes
        found.append(lowest.bit_length() - 1)
        nodes ^= lowest
    return found


def runs(nodes: int) -> list[tuple[int, int]]:
    """Return the runs of neighbouring nodes in a set as (first node, length), in node order."""
    found = []
    while nodes:
        first = (nodes & -nodes).bit_length() - 1
        shifted = nodes >> first
        length = (shifted ^ (shifted + 1)).bit_length() - 1
        found.append((first, length))
        nodes &= ~(((1 << length) - 1) << first)
    return found
