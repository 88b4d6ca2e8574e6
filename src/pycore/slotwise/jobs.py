"""The jobs of a result as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.state import State
from slotwise.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        Null where the job never started.
    wait : int64, seconds
        start - submit.
    run_time, requested_time : int64, seconds
        Of the trace; a killed job ran end - start, which is less.
    processors : int64
    state : dictionary of uint8 to text
        ``completed``, ``killed`` or ``rejected``; ``jobs["state"]`` holds the codes of `State`.
    backfilled : bool
        Whether it started past a waiting job that precedes it in the order of the queue.
    user, group, executable, queue, partition : int32
        As logged; null where unknown.

    Examples
    --------
    >>> jobs = result.jobs                      # doctest: +SKIP
    >>> polars.DataFrame(jobs).group_by("user").agg(polars.col("wait").mean())  # doctest: +SKIP
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        super().__init__(columns, {"state": [state.name.lower() for state in State]})
