"""Packs the jobs of the window backfill into slots of free nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import branch_and_bound, greedy, largest_slots

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

SOLVERS = {"branch-and-bound": branch_and_bound, "greedy": greedy}
SLOTS = ("largest", "all")


def fill_slots(
    sizes: ArrayLike,
    capacities: ArrayLike,
    *,
    solver: str = "branch-and-bound",
    slots: str = "largest",
) -> NDArray[np.int64]:
    """Pack jobs into slots of free nodes, as the window backfill does [1]_.

    Parameters
    ----------
    sizes : (n_jobs,) array_like of int, nodes
        Sizes of the jobs, in window order; at least 1.
    capacities : (n_slots,) array_like of int, nodes
        Sizes of the slots, in the order of their positions; at least 1.
    solver : {"branch-and-bound", "greedy"}, default "branch-and-bound"
        ``"branch-and-bound"``: an assignment that uses as many nodes as possible. Ties go to
        earlier jobs in the window, then to earlier slots. ``"greedy"``: an assignment that is found
        quickly but may use fewer nodes.
    slots : {"largest", "all"}, default "largest"
        Slots to fill: only the `n_jobs` largest (on a tie, the first), or all.

    Returns
    -------
    (n_jobs,) int64
        The position of each job's slot in `capacities`; -1 if the job waits.

    Raises
    ------
    ValueError
        For an unknown solver or value of `slots`, and for sizes or capacities that are not whole
        numbers between 1 and 2^31 - 1.

    References
    ----------
    .. [1] X. Yang et al., "Balancing job performance with system performance via locality-aware
       scheduling on torus-connected systems", IEEE CLUSTER, 2014.

    Examples
    --------
    The example in Figure 4 of Yang et al.: jobs A to E and three slots.

    >>> fill_slots([6, 4, 3, 1, 2], [3, 6, 6])
    array([ 1,  2,  0, -1,  2])
    """
    if solver not in SOLVERS:
        raise ValueError(f"unknown solver {solver!r}; choose one of {', '.join(SOLVERS)}")
    if slots not in SLOTS:
        raise ValueError(f"unknown slots {slots!r}; choose one of {', '.join(SLOTS)}")
    jobs = _nodes("sizes", sizes)
    room = _nodes("capacities", capacities)
    kept = largest_slots(room, len(jobs) if slots == "largest" else len(room))
    found = SOLVERS[solver](jobs, room[kept])
    placed = found >= 0
    slot_of = np.full(len(jobs), -1, dtype=np.int64)
    slot_of[placed] = kept[found[placed]]
    return slot_of


def _nodes(what: str, values: ArrayLike) -> NDArray[np.int32]:
    given: NDArray[Any] = np.asarray(values)
    if given.ndim != 1:
        raise ValueError(f"{what} has {given.ndim} dimensions; pass a flat list of numbers")
    if given.size == 0:
        return np.empty(0, dtype=np.int32)
    if given.dtype.kind not in "iu" or given.min() < 1 or given.max() >= 2**31:
        raise ValueError(
            f"{what} {given.tolist()}: numbers of nodes must be whole numbers between 1 and "
            "2^31 - 1"
        )
    return given.astype(np.int32)
