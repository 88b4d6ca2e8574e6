"""Finds jobs that fit on a machine's empty nodes, and nodes that satisfy constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.errors import SiteError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace.demands import Demands

    Int64 = NDArray[np.int64]


def without_room(demands: Demands, nodes: Nodes) -> NDArray[np.bool_]:
    """Return which jobs do not fit on the empty nodes; `Nodes.what_lacks` gives the reason.

    Returns
    -------
    (n_jobs,) bool

    Raises
    ------
    SiteError
        If a job requests a resource that no node of the machine has.
    """
    return _rows_without_room(demands.units, demands.on(nodes), nodes)


def any_has_room(units: Int64, each: Int64, nodes: Nodes) -> bool:
    """Return True if at least one job fits on the empty nodes.

    `each` is the result of `Demands.on`. The first job, which usually fits, is tried first, because
    trying all jobs is slow.
    """
    if len(units) and nodes._core.can_ever_hold(int(units[0]), each[0].tolist()):
        return True
    return not _rows_without_room(units, each, nodes).all()


def _rows_without_room(units: Int64, each: Int64, nodes: Nodes) -> NDArray[np.bool_]:
    asked = np.column_stack([units, each])
    kinds, kind_of = np.unique(asked, axis=0, return_inverse=True)
    has_room = [nodes._core.can_ever_hold(int(kind[0]), kind[1:].tolist()) for kind in kinds]
    return ~np.array(has_room, dtype=bool)[kind_of.reshape(-1)]


def allowed_nodes(demands: Demands, nodes: Nodes) -> NDArray[np.bool_]:
    """Return which nodes satisfy each distinct constraint of a trace's jobs.

    Returns
    -------
    (n_constraints, n_nodes) bool
        One row per element of ``demands.constraints``; the first, for no constraint, is all True.

    Raises
    ------
    SiteError
        If a job requests a feature that no node has; the message names the first such job.
    """
    rows = []
    for number, constraint in enumerate(demands.constraints):
        try:
            rows.append(nodes.allowed(constraint))
        except SiteError as fault:
            job = int(np.argmax(demands.constraint_id == number))
            raise SiteError(f"row {job} of the trace, counted from 0: {fault}") from None
    return np.stack(rows)
