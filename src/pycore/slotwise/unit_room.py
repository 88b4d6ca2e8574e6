"""Jobs that a machine of nodes has no room for, even when it is empty, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.demands import Demands
    from slotwise.nodes import Nodes


def without_room(demands: Demands, nodes: Nodes) -> NDArray[np.bool_]:
    """Tell which jobs the empty nodes have no room for.

    Returns
    -------
    (n_jobs,) bool

    Raises
    ------
    SiteError
        Where a job asks a resource no node of the machine has.
    """
    asked = np.column_stack([demands.units, demands.on(nodes)])
    kinds, kind_of = np.unique(asked, axis=0, return_inverse=True)
    has_room = [nodes._core.can_ever_hold(int(kind[0]), kind[1:].tolist()) for kind in kinds]
    return ~np.array(has_room, dtype=bool)[kind_of.reshape(-1)]


def why_no_room(demands: Demands, nodes: Nodes, row: int) -> str:
    """Say what a job asks that the empty nodes have no room for, and what to do.

    Returns
    -------
    str
        Such as "asks 17 cores on one node, and no node has more than 16: …".
    """
    units, each = int(demands.units[row]), demands.on(nodes)[row]
    most = nodes.capacities.max(axis=0)
    if (each > most).any():
        r = int(np.argmax(each > most))
        return (
            f"asks {each[r]:,} {nodes.resources[r]} on one node, and no node has more than "
            f"{most[r]:,}: {_REMEDY}"
        )
    asked = [f"{amount:,} {name}" for name, amount in zip(nodes.resources, each, strict=True)]
    unit = " and ".join(text for text, amount in zip(asked, each, strict=True) if amount > 0)
    holds = (nodes.capacities >= each).all(axis=1)
    if not holds.any():
        return f"asks {unit} on one node, and no node has all of it: {_REMEDY}"
    counts = np.array([kind.count for kind in nodes.types])
    positive = each > 0
    room = (nodes.capacities[:, positive] // each[positive]).min(axis=1)
    return (
        f"asks {units:,} units of {unit}, and the empty nodes have room for "
        f"{int((room * counts).sum()):,}: {_REMEDY}"
    )


_REMEDY = "correct what it asks, or give the machine such nodes"
