"""Trace, site and schedule of one replay: the columns used by reports and metrics."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import Schedule, waits
from slotwise.replay import site_columns
from slotwise.replay.attempts import Attempts
from slotwise.replay.interventions import NOTHING, Interventions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.trace import Trace

    Int64 = NDArray[np.int64]


class ReplayData:
    """Columns of one replay: one row per job of the trace, in trace order.

    The columns are read-only NumPy arrays that share the engine's memory. `Result` adds metrics
    and tables.

    Parameters
    ----------
    trace : Trace
    site : Site
        The configuration that was replayed.
    schedule : _core.Schedule
        Starts, ends and states.
    processors : int
        The size of the machine.
    seconds : float
        The wall time of the replay, excluding reading the trace.
    places : tuple of three arrays, optional
        On a machine with nodes: the position of each job's first place (n_jobs + 1), and the node
        and the units of every place. Default: those of `schedule`, computed on first access.
    interventions : Interventions
        Holds, cancellations, priorities and policies set by a user. Default: none.
    """

    def __init__(
        self,
        trace: Trace,
        site: Site,
        schedule: Schedule,
        processors: int,
        seconds: float,
        places: tuple[NDArray[Any], ...] | None = None,
        interventions: Interventions = NOTHING,
    ) -> None:
        self.trace = trace
        self.site = site
        self.schedule = schedule
        self.processors = processors
        self.seconds = seconds
        self.interventions = interventions
        self._given_places = places

    @cached_property
    def _places(self) -> tuple[NDArray[Any], ...] | None:
        return self.schedule.places if self._given_places is None else self._given_places

    @property
    def _columns(self) -> tuple[Int64, Int64, Schedule, int]:
        return self.trace.submit, self.trace.processors, self.schedule, self.processors

    def __len__(self) -> int:
        return len(self.schedule)

    @cached_property
    def requested_time(self) -> Int64:
        """(n_jobs,) int64, seconds.

        If the log has no request, this is the run time or the queue's default, whichever is longer.
        """
        requested = self.trace.requested_time
        defaults = [queue.default_walltime or 0 for queue in self.site.queues]
        if not any(defaults) or self.trace.has_request.all():
            return requested
        default = np.array([*defaults, 0])[self.queue]  # 0 for jobs without a queue
        absent = self.trace.has_request == 0
        return np.where(absent, np.maximum(requested, default), requested)

    @property
    def start(self) -> Int64:
        """(n_jobs,) int64, seconds on the trace's clock; -1 if the job never started."""
        return self.schedule.start

    @property
    def end(self) -> Int64:
        """(n_jobs,) int64, seconds on the trace's clock; -1 if the job never started."""
        return self.schedule.end

    @cached_property
    def wait(self) -> Int64:
        """(n_jobs,) int64, seconds in the queue; -1 if the job never started.

        This is the time from submission to start, minus the run times of interrupted attempts.
        """
        return waits(*self._columns)

    @property
    def state(self) -> NDArray[np.uint8]:
        """(n_jobs,) uint8 of `State`."""
        return self.schedule.state

    @property
    def backfilled(self) -> NDArray[np.bool_]:
        """(n_jobs,) bool, True if the job overtook a waiting job ahead of it in queue order."""
        return self.schedule.backfilled.view(np.bool_)

    @cached_property
    def queue(self) -> NDArray[np.int32]:
        """(n_jobs,) int32, position in `queue_names` of the queue that accepted the job, or -1."""
        return site_columns.positions(self.schedule.queue, self.schedule)

    @cached_property
    def pool(self) -> NDArray[np.int32]:
        """(n_jobs,) int32, position of the job's pool in `pool_names`; -1 for none or several.

        For a job with several attempts, this is the pool of the last one.
        """
        return site_columns.positions(self.schedule.pool, self.schedule)

    @cached_property
    def reject_reason(self) -> NDArray[np.uint8]:
        """(n_jobs,) uint8 of `RejectReason`."""
        return site_columns.reasons(self.schedule)

    @property
    def queue_names(self) -> tuple[str, ...]:
        """The queues of the site; ``("default",)`` if it has none."""
        return site_columns.queue_names(self.site)

    @property
    def pool_names(self) -> tuple[str, ...]:
        """The pools of the site; ``("machine",)`` if it has none."""
        return site_columns.pool_names(self.site)

    @cached_property
    def attempts(self) -> Attempts:
        """Every attempt of every job: reason for its end, work lost, work refunded."""
        columns = self.schedule.attempts()
        if not self.site.pools:
            columns["pool"] = np.zeros_like(columns["pool"])
        return Attempts(columns)
