"""The jobs of a result as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.reject_reason import RejectReason
from slotwise.state import State
from slotwise.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


class Jobs(Table):
    """One row a job of the trace, in trace order, read-only.

    ``polars.DataFrame(jobs)``, ``pyarrow.table(jobs)``, and DuckDB (``select * from jobs``) take it
    without a copy: the integer columns are then the memory of trace and schedule themselves; -1
    ("never", "unknown") is null there.
    ``pandas.DataFrame.from_arrow(jobs)`` works too, and copies.

    Columns
    -------
    job_id : int64
        As the log numbers it.
    submit, start, end : int64, seconds on the trace's clock
        Of its last attempt; null where the job never started.
    wait : int64, seconds
        All its time in the queue.
    run_time, requested_time : int64, seconds
        Of the trace; a killed job ran end - start, which is less.
    processors : int64
    state : dictionary of uint8 to text
        ``completed``, ``killed``, ``rejected``, …; ``jobs["state"]`` holds the codes of `State`.
    backfilled : bool
        Whether it started past a waiting job that precedes it in the order of the queue.
    user, group, executable, queue, partition : int32
        As logged; null where unknown.
    site_queue, pool : dictionary of int32 to text
        The queue of the site that took it, and the pool it ran in; null for none, or several pools.
        The codes are positions in `Result.queue_names` and `Result.pool_names`.
    reject_reason : dictionary of uint8 to text
        ``none``, ``too_large``, ``no_queue``, ``limit`` or ``maintenance``; the codes are those of
        `RejectReason`.

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
    ) -> None:
        labels = {
            "state": [state.name.lower() for state in State],
            "reject_reason": [reason.name.lower() for reason in RejectReason],
            "site_queue": queues,
            "pool": pools,
        }
        super().__init__(columns, {name: words for name, words in labels.items() if words})
