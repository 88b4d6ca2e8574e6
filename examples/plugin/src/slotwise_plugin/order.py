"""The orders ``half-day``, a function, and ``patience``, an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.site.policy.order_functions import WaitingJobs


def half_day(jobs: WaitingJobs, now: int) -> NDArray[np.float64]:
    """Jobs that waited twelve hours first, then the shortest."""
    late = jobs.wait >= 12 * 3600
    return np.where(late, jobs.wait, -jobs.requested_time)


PATIENCE = {"name": "expression", "key": "wait / max(requested_time, 60)"}
"""The longest wait relative to the requested time first."""
