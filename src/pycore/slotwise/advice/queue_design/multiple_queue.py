"""Lawson and Smirni's multiple-queue backfilling (MQB), in a fixed and a self-adapting variant.

Each partition is a queue of the jobs within a range of requested times, in order of arrival. Its
first job that does not fit has a reservation. Idle processors move to any partition that can use
them without delaying a job that has a reservation in another partition. Lawson and Smirni's
partitions start at equal size, but a partition's size never stops a job from starting.
Sizes are therefore not modelled; only the reservations matter, as in the `multiple-queue` backfill.

The self-adapting variant watches the mean bounded slowdown of the jobs started in the last day.
If this slowdown exceeds τ, the variant replays the waiting jobs for each number of partitions and
adopts the best number.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.queue_design.parameters import DAY
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.parts import Queue
from slotwise.site.policy import Policy
from slotwise.sweeps.rows import MetricOptions, compute_rows
from slotwise.sweeps.workers import threads_for
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.base import Base
    from slotwise.advice.queue_design.parameters import Parameters

    Int64 = NDArray[np.int64]

LEAST_RUN = 10
"""Shortest run time in the bounded slowdown, in seconds; shorter ones count as this long."""


def bounds_of(count: int, classes: Sequence[int]) -> tuple[int, ...]:
    """Return the `count` − 1 largest class boundaries, which separate `count` partitions.

    With class boundaries of 1000, 10000 and 100000 s, two partitions use 100000, and three use
    10000 and 100000.
    """
    return tuple(classes[len(classes) - count + 1 :])


def multiple_queue_site(base: Base, count: int, classes: Sequence[int]) -> Site:
    """Return a site that uses multiple-queue backfilling with `count` partitions."""
    edges: list[int | None] = [0, *bounds_of(count, classes), None]
    queues = [
        Queue(f"class {k}", walltime=(low or 0, high))
        for k, (low, high) in enumerate(pairwise(edges), 1)
    ]
    return Site(
        Processors(base.machine), Policy(order="fcfs", backfill="multiple-queue"), queues=queues
    )


@dataclass(frozen=True)
class Adapted:
    """A replay under self-adapting multiple-queue backfilling.

    Attributes
    ----------
    start : (n_jobs,) int64, seconds
    changes : tuple of (int, int)
        Time of each change in the number of partitions, and the new number.
    n_replays : int
    """

    start: Int64
    changes: tuple[tuple[int, int], ...]
    n_replays: int


def adapt(trace: Trace, base: Base, parameters: Parameters) -> Adapted:
    """Replay a trace under multiple-queue backfilling that adapts its number of partitions.

    The slowdown is checked at most once per day. A change affects neither running jobs nor the
    order of the queue.
    """
    sites = [
        multiple_queue_site(base, n, parameters.classes)
        for n in range(1, parameters.partitions + 1)
    ]
    start = np.full(len(trace), -1, dtype=np.int64)
    count, now, n_replays = parameters.partitions, int(trace.submit[0]), 0
    changes: list[tuple[int, int]] = []
    while True:
        jobs = _Left(trace, start, now)
        part = jobs.replay(sites[count - 1])
        n_replays += 1
        planned = start.copy()
        planned[jobs.rows] = part
        look = _next_look(trace, planned, now, parameters.slowdown)
        if look is None:
            return Adapted(planned, tuple(changes), n_replays)
        start = np.where(planned <= look, planned, -1)
        best = _best(trace, start, look, sites)
        n_replays += len(sites)
        if best != count:
            changes.append((look, best))
        count, now = best, look + 1


class _Left:
    """The running and waiting jobs at an instant, as a trace that begins at that instant."""

    def __init__(
        self, trace: Trace, start: Int64, now: int, last_submit: int | None = None
    ) -> None:
        length = np.minimum(trace.run_time, trace.requested_time)
        running = (start >= 0) & (start + length > now) & (start < now)
        waiting = start < 0
        if last_submit is not None:
            waiting &= trace.submit <= last_submit
        first = np.flatnonzero(running)
        then = np.flatnonzero(waiting)
        self.rows = then
        self._running = len(first)
        both = np.concatenate([first, then])
        gone = np.where(running, now - start, 0)[both]
        self.trace = Trace.from_columns(
            np.maximum(trace.submit[both], now),
            np.maximum(length[both] - gone, 0),
            trace.processors[both],
            np.maximum(trace.requested_time[both] - gone, 1),
        )

    def replay(self, site: Site) -> Int64:
        """Return the start times of the waiting jobs."""
        if len(self.rows) == 0:
            return np.empty(0, dtype=np.int64)
        # The trace is sorted stably by submit time, so the running jobs stay first, and the waiting
        # jobs follow in order.
        result = simulate(self.trace, site)
        return result.start[self._running :]


def _next_look(trace: Trace, start: Int64, now: int, threshold: float) -> int | None:
    """Return the first instant, a day or more after `now`, at which the mean slowdown exceeds τ."""
    order = np.argsort(start, kind="stable")
    order = order[start[order] >= 0]
    begun = start[order]
    run = np.maximum(trace.run_time[order], LEAST_RUN)
    wait = begun - trace.submit[order]
    slowdown = np.maximum((wait + trace.run_time[order]) / run, 1.0)
    total = np.concatenate([[0.0], np.cumsum(slowdown)])
    since = np.searchsorted(begun, begun - DAY)
    count = np.arange(1, len(begun) + 1)
    mean = (total[count] - total[since]) / (count - since)
    passed = np.flatnonzero((begun >= now + DAY) & (mean > threshold))
    return int(begun[passed[0]]) if len(passed) else None


def _best(trace: Trace, start: Int64, now: int, sites: Sequence[Site]) -> int:
    """Return the number of partitions that gives the waiting jobs the lowest mean slowdown."""
    queued = _Left(trace, start, now + 1, last_submit=now)
    if len(queued.rows) == 0:
        return len(sites)
    rows = compute_rows(
        queued.trace, sites, MetricOptions(), workers=threads_for(None), keep_schedules=True
    )
    submit = trace.submit[queued.rows]
    run = np.maximum(trace.run_time[queued.rows], LEAST_RUN)
    means = []
    for row in rows:
        assert row.schedule is not None
        begun = row.schedule.start[-len(queued.rows) :]
        means.append(float(((begun - submit + run) / run).mean()))
    return int(np.argmin(means)) + 1
