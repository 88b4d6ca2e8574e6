"""Scores that an order gives to the jobs in a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import scores as core_scores
from slotwise.errors import SiteError
from slotwise.replay.order_names import core_order
from slotwise.replay.site_names import SiteNames
from slotwise.site.policy.order_spec import order_of
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from slotwise.site.policy.order_spec import Order


def scores(
    trace: Trace,
    order: Order | Mapping[str, Any],
    now: ArrayLike,
    *,
    jobs: ArrayLike | None = None,
    queue_priority: ArrayLike | None = None,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Score waiting jobs as a scheduling pass would; the highest score goes first.

    Parameters
    ----------
    trace : Trace
        The jobs.
    order : str or mapping
        As in `Policy.order`.
    now : int or (n_times,) array_like of int, seconds
        Times on the trace's clock.
    jobs : (n_jobs,) array_like of int, optional
        Positions in the trace. Default: every job.
    queue_priority : (len(trace),) array_like of float, optional
        The priority of each job's queue. Default: 0.
    out : array of float64, optional
        C-ordered array to which the scores are written. Default: a new array.

    Returns
    -------
    (n_jobs,) or (n_times, n_jobs) float64
        One row per time if `now` is an array.

    Raises
    ------
    SiteError
        For an order that `Policy` refuses.
    ValueError
        For a job that is not in the trace, a wrong number of priorities, or an `out` of a wrong
        shape or dtype.
    TypeError
        If `trace` is not a Trace.

    Examples
    --------
    >>> import slotwise as sw
    >>> trace = sw.Trace.from_columns([0, 60], [60, 60], [4, 8], [360, 60])
    >>> sw.scores(trace, "priority", now=180)
    array([169., 318.])
    """
    if not isinstance(trace, Trace):
        msg = f"{type(trace).__name__} is not a Trace; pass sw.read_swf(path)"
        raise TypeError(msg)
    rows = np.arange(len(trace)) if jobs is None else np.asarray(jobs)
    if rows.ndim != 1 or not np.issubdtype(rows.dtype, np.integer):
        raise ValueError("jobs must be positions in the trace: a list of whole numbers")
    if rows.size and not 0 <= int(rows.min()) <= int(rows.max()) < len(trace):
        raise ValueError(
            f"jobs has positions from {int(rows.min())} to {int(rows.max())}; use positions "
            "from 0 to "
            f"{len(trace) - 1}"
        )
    priority = np.empty(0) if queue_priority is None else np.asarray(queue_priority, np.float64)
    if queue_priority is not None and priority.shape != (len(trace),):
        raise ValueError(f"queue_priority has shape {priority.shape}; pass one value per job")
    times = np.asarray(now)
    if times.ndim > 1 or not np.issubdtype(times.dtype, np.integer):
        raise ValueError("now must be a whole number of seconds, or a list of such numbers")
    found = np.empty((*times.shape, rows.size)) if out is None else out
    if not _can_hold(found, (*times.shape, rows.size)):
        shape = (*times.shape, rows.size)
        raise ValueError(f"out must be a writeable float64 array of shape {shape} in C order")
    spec = core_order(order_of("order", order), SiteNames(trace))
    lines = found.reshape(times.size, rows.size)
    try:
        core_scores(trace._jobs, spec, rows, np.atleast_1d(times), priority, lines)
    except ValueError as fault:
        raise SiteError(str(fault)) from None
    return found


def _can_hold(out: object, shape: tuple[int, ...]) -> bool:
    return (
        isinstance(out, np.ndarray)
        and out.shape == shape
        and out.dtype == np.float64
        and out.flags.c_contiguous
        and out.flags.writeable
    )
