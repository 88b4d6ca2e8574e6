"""Adjusts arrivals or run times to a given load.

Load is the sum of run_time · processors over all jobs, divided by the size of the machine and by
the time from the first submission to the last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The latest time and the longest run time that a trace can have, in seconds.
LAST_TIME = 2**53
LAST_RUN = 2**32 - 2


def meet_load(
    drawn: NDArray[np.float64],
    processors: NDArray[np.int64],
    machine: int,
    load: float | None,
    span: int | None,
) -> tuple[NDArray[np.int64], int | None]:
    """Return run times, and a span from first to last submission, that together give the load.

    Parameters
    ----------
    drawn : (n_jobs,) float64, seconds
        Run times of the model, at least 1.
    processors : (n_jobs,) int64
    machine : int, processors
    load : float or None
        If None, run times and `span` are returned unchanged.
    span : int or None, seconds
        If None, run times do not change, and the span follows from the load. Otherwise the span
        does not change, and all run times are multiplied by one factor.

    Raises
    ------
    ValueError
        If no factor meets the load, or a time grows beyond the range of a trace.
    """
    run_time = drawn.astype(np.int64)
    if load is None:
        return run_time, span
    if span is None:
        needed = round(area(run_time, processors) / (load * machine))
        if needed > LAST_TIME:
            raise ValueError(
                f"load={load}: these jobs would arrive over {needed:,} seconds, but a trace can "
                f"last for at most {LAST_TIME:,}; set a larger load"
            )
        return run_time, needed
    wanted = load * machine * span
    least = int(processors.sum())
    if least > 1.01 * wanted:
        raise ValueError(
            f"load={load}: {len(drawn)} jobs of one second already amount to a load of "
            f"{load * least / wanted:.3g} over {span} seconds; "
            "use fewer jobs, a larger load or a longer duration"
        )
    return scale_run_times(drawn, processors, wanted), span


def scale_run_times(
    drawn: NDArray[np.float64], processors: NDArray[np.int64], wanted: float
) -> NDArray[np.int64]:
    """Scale run times by one factor, so that the total work is near `wanted`.

    The scaled run times are whole seconds, at least 1.

    Raises
    ------
    ValueError
        If a run time would grow beyond the range of a trace.
    """
    factor = 1.0
    run_time = drawn.astype(np.int64)
    for _ in range(40):
        made = area(run_time, processors)
        if abs(made - wanted) <= 1e-4 * wanted:
            break
        factor *= wanted / made
        longest = float(drawn.max()) * factor
        if longest > LAST_RUN:
            raise ValueError(
                f"duration: meeting the load requires run times of up to {longest:,.0f} seconds, "
                f"but a job can run for at most {LAST_RUN:,}; use more jobs, a shorter duration or "
                "a smaller load"
            )
        run_time = np.maximum(np.rint(drawn * factor), 1).astype(np.int64)
    return run_time


def area(run_time: NDArray[np.int64], processors: NDArray[np.int64]) -> int:
    """Return the exact sum of run_time · processors over all jobs."""
    if int(run_time.max()) * int(processors.max()) * len(run_time) < 2**63:
        return int(np.dot(run_time, processors))
    return int(np.dot(run_time.astype(object), processors.astype(object)))
