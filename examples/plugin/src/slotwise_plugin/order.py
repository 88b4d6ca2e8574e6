"""The orders ``half-day``, a function, and ``patience``, an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.site.policy.order_functions import WaitingJobs


def half_day(jobs: WaitingJobs, now: int) -> NDArray[np.float64]:
    """Put jobs that have waited at least twelve hours first, then the others, shortest first."""
    late = jobs.wait >= 12 * 3600
    return np.where(late, jobs.wait, -jobs.requested_time)


PATIENCE = {"name": "expression", "key": "wait / max(requested_time, 60)"}
"""The job with the longest wait relative to its requested time comes first."""
