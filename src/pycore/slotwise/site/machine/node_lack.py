"""Reasons why a job does not fit on an empty machine with nodes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise.site.machine.node_selection import allows
from slotwise.site.machine.node_type import written_amount, written_memory
from slotwise.text import have, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slotwise.site.machine.node_type import NodeType


class Lack(NamedTuple):
    """The reason why a job does not fit on an empty machine with nodes.

    Attributes
    ----------
    reason : str
        The reason without amounts, so that it is the same for similar jobs.
    text : str
        The reason, with this job's amounts.
    """

    reason: str
    text: str


def lack_of(
    machine_types: Sequence[NodeType],
    resources: Sequence[str],
    units: int,
    each: Mapping[str, int],
    *,
    per_node: int = 0,
    nodes: int = 0,
    exclusive: str = "no",
    constraint: str = "",
) -> Lack | None:
    """Return the reason why a job does not fit on the empty machine; None if it fits."""
    types = [kind for kind in machine_types if allows(constraint, kind.features)]
    which = f" with {constraint!r:.60}" if constraint else ""
    if not types:
        return Lack(
            "no node satisfies its constraint", f"no node satisfies the constraint {constraint!r}"
        )
    asked = {name: amount for name, amount in each.items() if amount > 0}
    for name, amount in asked.items():
        most = max(kind.resources.get(name, 0) for kind in types)
        if amount > most and (name != "memory" or name in resources):
            has = f"more than {_limit(name, most)}" if most else "any"
            kind = f"more {name} than any node has" if most else f"{name}, and no node has any"
            return Lack(
                f"a unit requests {kind}",
                f"a unit requests {written_amount(name, amount)}, and no node{which} has {has}",
            )
    row = np.array([asked.get(name, 0) for name in resources])
    held = np.array([[kind.resources.get(name, 0) for name in resources] for kind in types])
    held = held // np.maximum(row, 1)
    held[:, row == 0] = np.iinfo(np.int64).max
    if not held.min(axis=1).any():
        together = ", ".join(written_amount(name, amount) for name, amount in asked.items())
        parted = " and ".join(_never_together(resources, held == 0))
        return Lack(
            f"no single node has the {parted} that a unit requests",
            f"a unit requests {together}, and no single node{which} has all of that",
        )
    bound = 1 if exclusive == "job" else per_node or np.iinfo(np.int64).max
    rooms = [int(min(room, bound)) for room in held.min(axis=1)]
    return _too_few(types, rooms, units, nodes, which)


def _limit(name: str, amount: int) -> str:
    return written_memory(amount) if name == "memory" else f"{amount:,}"


def _too_few(
    types: Sequence[NodeType], rooms: Sequence[int], units: int, nodes: int, which: str
) -> Lack | None:
    """Return the reason why a job's units do not fit; None if they do.

    `rooms` is the number of units that fit on one node of each type.
    """
    by_room = sorted(zip(rooms, (kind.count for kind in types), strict=True), reverse=True)
    able = sum(count for room, count in by_room if room > 0)
    if nodes > able:
        return Lack(
            "it requests more nodes than have room for one of its units",
            f"it requests {nodes:,} nodes, but only {able:,}{which} {have(able)} room for one of "
            "its units",
        )
    total, left = 0, nodes or able
    for room, count in by_room:
        total += room * min(count, left)
        left -= min(count, left)
    if total >= units:
        return None
    where = (
        f"{plural(nodes, 'node')}{which} of the empty machine {have(nodes)}"
        if nodes
        else (f"the nodes{which} of the empty machine have" if which else "the empty machine has")
    )
    return Lack(
        "it has more units than fit on the empty machine",
        f"it has {units:,} units, but {where} room for {total:,} of them",
    )


def _never_together(resources: Sequence[str], lacking: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return the smallest set of resources of which every node type lacks at least one."""
    columns: Any = range(len(resources))
    return next(
        tuple(resources[column] for column in chosen)
        for size in range(1, len(resources) + 1)
        for chosen in itertools.combinations(columns, size)
        if lacking[:, list(chosen)].any(axis=1).all()
    )
