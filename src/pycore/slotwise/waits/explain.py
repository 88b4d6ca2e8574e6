"""Why one job of a result waited, and for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.errors import SiteError
from slotwise.order_spec import order_of
from slotwise.scoring import scores
from slotwise.state import State
from slotwise.waits.explanation import Blocker, Explanation
from slotwise.waits.reasons import Wait

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.result import Result


def explain(result: Result, job_id: int, *, row: int | None = None) -> Explanation:
    """Explain the wait of one job; see `Result.explain`."""
    from slotwise.simulation import simulate

    job = _row_of(result, job_id) if row is None else row
    if not 0 <= job < len(result):
        raise ValueError(f"row {row} of {len(result)} jobs; rows count from 0")
    if result.start[job] < 0:
        state = State(int(result.state[job])).name.lower()
        raise ValueError(
            f"job {result.trace.job_id[job]} never started ({state}); nothing to explain"
        )
    wait = Wait(result, job)
    trace = result.trace
    alone = simulate(trace[job : job + 1], result.site.replace(dependencies=False))
    blockers = _blockers(wait)
    by_user: dict[int, float] = {}
    for blocker in blockers:
        by_user[blocker.user] = by_user.get(blocker.user, 0.0) + blocker.processor_seconds
    return Explanation(
        job=job,
        job_id=int(trace.job_id[job]),
        submit=wait.submit,
        start=wait.start,
        parts=wait.parts(),
        blockers=tuple(blockers),
        by_user=dict(sorted(by_user.items(), key=lambda item: -item[1])),
        alone=int(alone.start[0]),
        overtaken_by=_overtaken_by(result, job),
        estimated_start=_estimated_start(result, job),
    )


def _row_of(result: Result, job_id: int) -> int:
    rows = np.flatnonzero(result.trace.job_id == job_id)
    if len(rows) == 1:
        return int(rows[0])
    if len(rows) == 0:
        raise ValueError(f"no job {job_id} in the trace; ids are those of the log (trace.job_id)")
    listed = ", ".join(map(str, rows[:5].tolist()))
    raise ValueError(f"{len(rows)} jobs are numbered {job_id}; give one of their rows: {listed}")


def _blockers(wait: Wait) -> list[Blocker]:
    """Share the deficit at each instant among the jobs running then, by size.

    With w the deficit over the processors busy, times the time until the next instant, a job of p
    processors has p times the sum of w while it runs.
    """
    stays, times, deficit = wait.deficit()
    job, start, end = stays.job, stays.start, stays.end
    if len(times) == 0 or len(job) == 0:
        return []
    busy = stays.occupancy().width(times)
    lasting = np.diff(times, append=wait.start)
    weight = np.where(busy > 0, deficit / np.maximum(busy, 1), 0.0) * lasting
    before = np.concatenate([[0.0], np.cumsum(weight)])
    first = np.searchsorted(times, np.maximum(start, wait.submit))
    last = np.searchsorted(times, np.minimum(end, wait.start))
    share = stays.processors * (before[last] - before[first])
    trace = wait.result.trace
    totals: dict[int, float] = {}
    for row, value in zip(job.tolist(), share.tolist(), strict=True):
        if value > 0:
            totals[row] = totals.get(row, 0.0) + value
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [Blocker(int(trace.job_id[row]), int(trace.user[row]), v) for row, v in ranked]


def _overtaken_by(result: Result, job: int) -> tuple[int, ...]:
    """Give the jobs started past this one, by backfilling, that it precedes in the order."""
    trace = result.trace
    submit, start = int(trace.submit[job]), int(result.start[job])
    passed = result.backfilled & (result.start >= submit) & (result.start < start)
    if result.site.pools:
        passed &= np.asarray(result.pool) == result.pool[job]
    rows = np.flatnonzero(passed)
    rows = rows[np.argsort(result.start[rows], kind="stable")]
    behind = [
        row for row, ahead in zip(rows.tolist(), _precedes(result, job, rows), strict=True) if ahead
    ]
    return tuple(trace.job_id[behind].tolist())


def _precedes(result: Result, job: int, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell whether `job` precedes each of `rows` when that one starts: queue, score, position."""
    if len(rows) == 0:
        return np.zeros(0, dtype=bool)
    site, trace = result.site, result.trace
    order, priority = order_of("order", site.policy.order), np.zeros(len(trace))
    if site.queues:
        own = site.queues[result.queue[job]]
        order = order if own.order is None else order_of("order", own.order)
        of_queue = np.array([queue.priority for queue in site.queues] + [0.0])
        priority = of_queue[result.queue]

    def scored(now: int, jobs: NDArray[np.intp]) -> NDArray[np.float64]:
        return scores(trace, order, now, jobs=jobs, queue_priority=priority)

    every = np.concatenate([[job], rows])
    times = result.start[rows]
    first = scored(int(times[0]), every)
    if np.array_equal(first, scored(int(times[-1]), every)):
        mine, theirs = np.full(len(rows), first[0]), first[1:]
    else:
        pairs = [
            scored(int(now), np.array([job, row])) for now, row in zip(times, rows, strict=True)
        ]
        mine, theirs = np.array(pairs).T
    tied = (mine == theirs) & (job < rows)
    higher = priority[job] > priority[rows]
    precedes: NDArray[np.bool_] = higher | (
        (priority[job] == priority[rows]) & ((mine > theirs) | tied)
    )
    return precedes


def _estimated_start(result: Result, job: int) -> int | None:
    """Replay the jobs before this one up to its submit, and ask when it would start then."""
    from slotwise.stepping import Simulation

    trace = result.trace
    if job == 0:
        return None
    try:
        before = Simulation(trace[:job], result.site.replace(machine=result.processors))
        before.run(until=int(trace.submit[job]))
        return before.estimate_start(
            processors=int(trace.processors[job]),
            requested_time=int(trace.requested_time[job]),
            submit=int(trace.submit[job]),
            user=int(trace.user[job]),
            group=int(trace.group[job]),
            queue=int(trace.queue[job]),
        )
    except (SiteError, ValueError):
        return None
