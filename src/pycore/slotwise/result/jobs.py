"""The jobs of a result as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import contiguity
from slotwise.replay.groups import FURTHER_LOGGED, LOGGED
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.state import State
from slotwise.site.machine.torus import Torus
from slotwise.table import Table
from slotwise.trace.labels import words_in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace


class Jobs(Table):
    """One row per job of the trace, in trace order, read-only.

    ``polars.DataFrame(jobs)``, ``pyarrow.table(jobs)``, and DuckDB (``select * from jobs``) read it
    without copying: the integer columns share the memory of trace and schedule, and -1 ("never",
    "unknown") becomes null. ``pandas.DataFrame(jobs)`` copies row by row; `to_pandas` is faster and
    needs pyarrow.

    Columns
    -------
    job_id : int64
        Number of the job in the log.
    submit, start, end : int64, seconds on the trace's clock
        Start and end are those of the last attempt; null if the job never started.
    wait : int64, seconds
        Total time in the queue.
    run_time, requested_time : int64, seconds
        Values in the trace; a killed job ran for end - start, which is less. If the log has no
        request for a job, `requested_time` is its run time or its queue's default, whichever is
        longer.
    processors : int64
    state : dictionary of uint8 to text
        ``completed``, ``killed``, ``rejected``, …; ``jobs["state"]`` contains the codes of `State`.
    backfilled : bool
        True if the job overtook a waiting job ahead of it in queue order.
    user, group, executable, queue, partition : int32
        As logged, as text if the log has names; null if unknown.
    eligible, gpus, power, energy, account, qos, node_list : int64 and int32
        As logged, if the log has them. The last three are text if the log has names.
    logged_start, logged_end : int64, seconds on the trace's clock
        If the log has starts: the logged start, and that start plus the run time; null if unknown.
    logged_state : int32
        State in the log, if it has one; as text if the log names its states.
    site_queue, pool : dictionary of int32 to text
        The site's queue that accepted the job, and the pool in which the job ran. Null if there is
        none, or if the job ran in several pools. The codes are positions in `Result.queue_names`
        and `Result.pool_names`.
    reject_reason : dictionary of uint8 to text
        ``none``, ``too_large``, ``no_queue``, ``limit``, ``maintenance`` or ``over_submitted``; the
        codes are those of `RejectReason`.
    pieces : int32
        On a torus: number of intervals that the job's nodes form in the node order; 1 if the nodes
        are consecutive, 0 if the job never started.
    mean_distance : float64
        On a torus: mean torus distance over all pairs of the job's nodes; 0 if it has only one
        node, NaN if it never started.
    max_distance : int32
        On a torus: the largest such distance; null if the job never started.

    Examples
    --------
    >>> jobs = result.jobs                      # doctest: +SKIP
    >>> polars.DataFrame(jobs).group_by("user").agg(polars.col("wait").mean())  # doctest: +SKIP
    """

    def __init__(
        self,
        columns: Mapping[str, NDArray[Any]],
        *,
        queues: Sequence[str] = (),
        pools: Sequence[str] = (),
        names: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        labels = {
            "state": [state.name.lower() for state in State],
            "reject_reason": [reason.name.lower() for reason in RejectReason],
            "site_queue": queues,
            "pool": pools,
            **(names or {}),
        }
        super().__init__(columns, {name: words for name, words in labels.items() if words})


def jobs_of(result: ReplayData) -> Jobs:
    """Combine the columns of the trace and of the result in one table."""
    trace = result.trace
    columns: dict[str, NDArray[Any]] = {
        "job_id": trace.job_id,
        "submit": trace.submit,
        "start": result.start,
        "end": result.end,
        "wait": result.wait,
        "run_time": trace.run_time,
        "requested_time": result.requested_time,
        "processors": trace.processors,
        "state": result.state,
        "backfilled": result.backfilled,
    }
    columns |= {name: getattr(trace, name) for name in LOGGED}
    known = trace._jobs.columns()
    further = ("eligible", "gpus", "power", "energy", *FURTHER_LOGGED, "node_list")
    columns |= {name: getattr(trace, name) for name in further if name in known}
    columns |= _logged(trace)
    columns |= {
        "site_queue": result.queue,
        "pool": result.pool,
        "reject_reason": result.reject_reason,
    }
    if isinstance(result.site.machine, Torus):
        names = ("pieces", "mean_distance", "max_distance")
        found = contiguity(result.schedule, result.site.machine._core)
        columns |= dict(zip(names, found, strict=True))
    labels = {
        name: words_in_order(words)
        for name, words in trace.labels.items()
        if name in columns and name != "state"
    }
    if "state" in trace.labels:
        labels["logged_state"] = words_in_order(trace.labels["state"])
    return Jobs(columns, queues=result.queue_names, pools=result.pool_names, names=labels)


def _logged(trace: Trace) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    started = trace.wait >= 0
    if started.any():
        start = np.where(started, trace.submit + trace.wait, -1)
        columns["logged_start"] = start
        columns["logged_end"] = np.where(started, start + trace.run_time, -1)
    if "state" in trace._jobs.columns():
        columns["logged_state"] = trace.state
    return columns
