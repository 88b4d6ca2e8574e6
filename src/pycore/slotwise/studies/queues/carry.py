"""Jobs that run or wait when a month ends, carried over to the next month's configuration.

Consecutive months under one site are one replay, so nothing is carried between them. If the site
changes, running jobs keep their processors. In the next site, each running job becomes an outage of
known length in the new pool of its queue. If that pool is too small, the outage extends to other
pools. In the next month's trace, waiting jobs keep their submit times, and the machine is
unavailable until the month begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from slotwise.simulation import simulate
from slotwise.site.parts import Maintenance, Outage
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.history import Month
    from slotwise.result import Result
    from slotwise.site import Site

    Int64 = NDArray[np.int64]


@dataclass(frozen=True)
class Carried:
    """State passed from one month to the next.

    Attributes
    ----------
    waiting : Trace
        The waiting jobs.
    running : Trace
        The running jobs; their routing in the next site determines their pools.
    end : (n_running,) int64, seconds
    processors : (n_running,) int64
    """

    waiting: Trace
    running: Trace
    end: Int64
    processors: Int64


def replay_carrying(
    trace: Trace, months: Sequence[Month], sites: Sequence[Site]
) -> tuple[Int64, Int64]:
    """Replay consecutive months, each under its site, with all jobs carried over.

    Returns
    -------
    start, end : (n_jobs,) int64, seconds
        Times of each job of `trace`; -1 for a job that its site can never run, and for a job
        outside every month.
    """
    start = np.full(len(trace), -1, dtype=np.int64)
    end = start.copy()
    left = None
    waiting = np.empty(0, dtype=np.int64)
    for first, last, site in _stretches(months, sites):
        low, high = (int(row) for row in np.searchsorted(trace.submit, [first.begin, last.end]))
        rows = np.concatenate([waiting, np.arange(low, high)])
        jobs, with_busy = carrying(trace[low:high], site, left, first.begin)
        result = simulate(jobs, with_busy)
        start[rows], end[rows] = result.start, result.end
        left = carried_jobs(result, site, last.end, left)
        waiting = rows[result.start >= last.end]
    return start, end


def _stretches(
    months: Sequence[Month], sites: Sequence[Site]
) -> Iterator[tuple[Month, Month, Site]]:
    """Yield the first and last month of each sequence of months under one site, and the site."""
    for site, some in groupby(zip(sites, months, strict=True), key=itemgetter(0)):
        under = [month for _site, month in some]
        yield under[0], under[-1], site


def carried_jobs(result: Result, site: Site, end: int, before: Carried | None) -> Carried:
    """Return the jobs running and waiting at `end`; `before` is the state when the month began."""
    trace = result.trace
    runs = (result.start >= 0) & (result.start < end) & (result.end > end)
    waits = result.start >= end
    running, ends = trace[runs], result.end[runs]
    if before is not None and (longer := before.end > end).any():
        running = _joined(before.running[longer], running)
        order = np.argsort(
            np.concatenate([before.running.submit[longer], trace.submit[runs]]), kind="stable"
        )
        ends = np.concatenate([before.end[longer], ends])[order]
    return Carried(trace[waits], running, ends, running.processors)


def carrying(trace: Trace, site: Site, left: Carried | None, begin: int) -> tuple[Trace, Site]:
    """Return a month's trace and site, including the jobs left over from the month before."""
    if left is None:
        return trace, site
    outages = _busy(site, left, begin)
    if len(left.waiting) > 0:
        first = int(left.waiting.submit[0])
        if first < begin:
            site = site.replace(maintenance=[Maintenance(first, begin - first)])
        trace = _joined(left.waiting, trace)
    return trace, site.replace(outages=outages)


def _busy(site: Site, left: Carried, begin: int) -> list[Outage]:
    """Convert the running jobs to outages, one for each end time and pool."""
    if len(left.running) == 0:
        return []
    names = [p.name for p in site.pools]
    machine = site.machine_for(left.running).count
    free = np.array([p.processors for p in site.pools] or [machine], dtype=np.int64)
    # Find the queue of each job as if all pools were large enough. A job that is larger than any
    # pool then takes processors from several pools.
    routes = [q.replace(pools=(), spanning=False) for q in site.queues]
    queue = simulate(left.running, site.replace(pools=(), queues=routes)).queue
    taken: dict[tuple[int, int], int] = {}
    for job in np.argsort(-left.end, kind="stable"):
        wanted = int(left.processors[job])
        pools = list(range(len(free)))
        if queue[job] >= 0 and names:
            chosen = site.queues[queue[job]].pools
            pools.sort(key=lambda k: (names[k] not in chosen, k))
        for pool in pools:
            part = min(wanted, int(free[pool]))
            if part:
                key = pool, int(left.end[job])
                taken[key] = taken.get(key, 0) + part
                free[pool] -= part
                wanted -= part
    return [
        Outage(begin, end - begin, count, mode="drain", pool=names[pool] if names else None)
        for (pool, end), count in sorted(taken.items())
        if end > begin
    ]


def _joined(first: Trace, then: Trace) -> Trace:
    columns = {
        name: np.concatenate([getattr(first, name), getattr(then, name)])
        for name in ("submit", "run_time", "processors", "requested_time", "user", "group", "queue")
    }
    return Trace.from_columns(
        **columns,
        max_processors=then.max_processors,
        unix_start_time=then.unix_start_time,
        header_lines=then.header_lines,
    )
