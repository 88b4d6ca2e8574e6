"""The queue, pool and reject reason of each job, filled in if the core omits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise._core import Schedule
    from slotwise.site import Site


def queue_names(site: Site) -> tuple[str, ...]:
    """Return the names of a site's queues; a site without queues has one, ``default``."""
    return tuple(queue.name for queue in site.queues) or ("default",)


def pool_names(site: Site) -> tuple[str, ...]:
    """Return the names of a site's pools; a site without pools has one, ``machine``."""
    return tuple(pool.name for pool in site.pools) or ("machine",)


def positions(column: NDArray[Any], schedule: Schedule) -> NDArray[np.int32]:
    """Return each job's queue or pool; if the core omits them, use 0, or -1 for rejected jobs."""
    if len(column) != len(schedule):
        column = np.where(schedule.state == State.REJECTED, -1, 0)
    return _read_only(column.astype(np.int32))


def reasons(schedule: Schedule) -> NDArray[np.uint8]:
    """Return each job's reject reason; if the core omits them, rejected jobs get ``TOO_LARGE``."""
    column: NDArray[np.uint8] = schedule.reject_reason
    if len(column) != len(schedule):
        rejected = schedule.state == State.REJECTED
        column = np.where(rejected, RejectReason.TOO_LARGE, RejectReason.NONE).astype(np.uint8)
    return _read_only(column)


def _read_only(column: NDArray[Any]) -> NDArray[Any]:
    view = column.view()
    view.flags.writeable = False
    return view
