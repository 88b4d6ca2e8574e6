"""Times at which jobs would have started if no later job had arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise._core import fair_start
from slotwise._numbers import whole
from slotwise.replay.to_core import core_site

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData


def fair_start_of(
    result: ReplayData, sample: int | None, seed: int, progress: Callable[[float], object] | None
) -> NDArray[np.int64]:
    """Compute fair starts, as `Result.fair_start` describes."""
    jobs = None if sample is None else whole(sample)
    if sample is not None and (jobs is None or jobs < 1):
        raise ValueError(f"sample is {sample!r}; use a number of jobs, at least 1, or None")
    drawn = whole(seed)
    if drawn is None or not 0 <= drawn < 2**64:
        raise ValueError(f"seed is {seed!r}; use a whole number from 0 to 2**64 - 1")
    return fair_start(
        result.trace._jobs,
        core_site(result.site, result.trace, result.processors),
        result.schedule,
        None if jobs is None else min(jobs, len(result)),
        drawn,
        progress,
    )
