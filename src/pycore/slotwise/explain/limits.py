"""Limits that kept a job waiting: for how long, and the jobs counted towards them.

Example: at most 2 jobs per user may run. A runs until 30 and B until 50. C, from the same user, is
submitted at 10 and starts at 30. The limit delays C from 10 to 30; A and B are the counted jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from slotwise._core import NO_LIMIT
from slotwise.explain.amounts import amount_asked, amounts_in_use
from slotwise.explain.calendar_windows import owns
from slotwise.explain.explanation import LimitHeld
from slotwise.explain.run_intervals import RunIntervals
from slotwise.replay.state import State
from slotwise.site.parts.limits import RESOURCE_LIMITS
from slotwise.site.parts.owners import OWNER_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise._core import JobOwners, Site as CoreSite
    from slotwise.replay.replay_data import ReplayData
    from slotwise.site.parts.limits import CountedLimits

    Int64 = NDArray[np.int64]
    Bools = NDArray[np.bool_]


_NAMES = {"running": "running", "processors": "processors_in_use"}


class Limit(NamedTuple):
    """A limit that applies to the job.

    Attributes
    ----------
    name : str
        Key in the site: ``limits.running``, ``queue.small.running_per_user``; or ``array_limit``,
        which is a column of the trace.
    whose : str
        ``user 3``, ``group 1``, ``queue small``, ``array 7`` or ``all jobs``.
    most : int
    unit : str
        ``jobs``, ``processors``, ``nodes``, a resource, or ``KB`` for memory.
    counted : (n,) int64
        Count at each instant of the wait, excluding the job itself.
    holds : (n,) bool
        True at instants at which the limit keeps the job from starting.
    runs : RunIntervals
        Runs of the counted jobs.
    """

    name: str
    whose: str
    most: int
    unit: str
    counted: Int64
    holds: Bools
    runs: RunIntervals


class LimitedWait(Protocol):
    """The attributes of a job's wait that the limit code reads; `Wait` provides them."""

    result: ReplayData
    core: CoreSite
    queue_site: Any
    runs: RunIntervals
    times: Int64
    limits: list[Limit]
    job: int
    start: int
    processors: int
    owner: dict[str, int]
    queue: int


def limits_on(wait: LimitedWait) -> Iterator[Limit]:
    """Yield the limits of the site, and of a job's array, queue and owners."""
    yield from _limit_of_array(wait)
    site = wait.result.site
    yield from _limits_of(wait, wait.core.limits, "limits")
    yield from _amount_limits_of(wait, site.limits, "limits")
    if wait.queue_site is not None:
        place = f"queue.{wait.queue_site.name}"
        yield from _limits_of(wait, wait.queue_site.limits, place, own=True)
        if site.queues:
            yield from _amount_limits_of(wait, site.queues[wait.queue], place, own=True)
    for index, named in enumerate(wait.core.named_limits):
        if owns(named.owners, wait.owner):
            place = f"named_limit[{index}]"
            yield from _limits_of(wait, named.limits, place, owners=named.owners)
            yield from _amount_limits_of(wait, site.named_limits[index], place, owners=named.owners)


def _limit_of_array(wait: LimitedWait) -> Iterator[Limit]:
    trace = wait.result.trace
    array, most = int(trace.array_id[wait.job]), int(trace.array_limit[wait.job])
    if not wait.core.dependencies or array < 0 or most <= 0:
        return
    runs = wait.runs.where(trace.array_id[wait.runs.job] == array)
    counted = runs.occupancy().count(wait.times)
    yield Limit("array_limit", f"array {array}", most, "jobs", counted, counted >= most, runs)


def _limits_of(
    wait: LimitedWait,
    limits: Any,
    place: str,
    *,
    own: bool = False,
    owners: JobOwners | None = None,
) -> Iterator[Limit]:
    by_whom = [("", 0, _everyone(place, own=own, owners=owners))]
    for column, number in wait.owner.items():
        by_whom.append((f"_per_{column}", number, _whose(wait, column)))
    for kind in ("running", "processors"):
        for by, number, whose in by_whom:
            most = getattr(limits, kind + by)
            if most == NO_LIMIT or number < 0:
                continue
            runs = _counted(wait, by, own=own, owners=owners)
            there = runs.occupancy()
            if kind == "running":
                counted = there.count(wait.times)
                holds = counted >= most
            else:
                counted = there.width(wait.times)
                holds = counted + wait.processors > most
            unit = "jobs" if kind == "running" else "processors"
            name = f"{place}.{_NAMES[kind] if not by else kind + by}"
            yield Limit(name, whose, most, unit, counted, holds, runs)
    if limits.queued_per_user != NO_LIMIT and wait.owner["user"] >= 0:
        most, queued = limits.queued_per_user, _queued_before(wait, own=own)
        counted = queued.occupancy().count(wait.times)
        whose = by_whom[1][2]
        name = f"{place}.queued_per_user"
        yield Limit(name, whose, most, "jobs", counted, counted >= most, queued)


def _everyone(place: str, *, own: bool, owners: JobOwners | None) -> str:
    """Describe the jobs counted by a limit that is not per owner."""
    if owners is not None:
        return f"the jobs of {place}"
    return place.replace(".", " ", 1) if own else "all jobs"


def _whose(wait: LimitedWait, column: str) -> str:
    number = wait.owner[column]
    return f"{column} {wait.result.trace.labels.get(column, {}).get(number, number)}"


def _amount_limits_of(
    wait: LimitedWait,
    limits: CountedLimits,
    place: str,
    *,
    own: bool = False,
    owners: JobOwners | None = None,
) -> Iterator[Limit]:
    """Yield the limits on amounts of resources and on nodes, on a machine with node types."""
    for field in RESOURCE_LIMITS:
        holder = field.removeprefix("per_") if field != "total" else ""
        number = wait.owner[holder] if holder else 0
        for name, most in getattr(limits, field).items():
            if number < 0:
                continue
            runs = _counted(wait, f"_per_{holder}" if holder else "", own=own, owners=owners)
            amounts = amounts_in_use(wait.result, name)
            runs = RunIntervals(runs.job, runs.start, runs.end, runs.pool, amounts[runs.job])
            counted = runs.occupancy().width(wait.times)
            asked = amount_asked(wait.result, wait.job, name)
            whose = _whose(wait, holder) if holder else _everyone(place, own=own, owners=owners)
            unit = "KB" if name == "memory" else name
            holds = counted + asked > int(most)
            yield Limit(f"{place}.{field}.{name}", whose, int(most), unit, counted, holds, runs)


def holding_limits(wait: LimitedWait, limited: Bools) -> tuple[LimitHeld, ...]:
    """Return the limits that delayed a job; if several applied at once, the first one counts."""
    seconds = np.diff(wait.times, append=wait.start)
    found, left = [], limited.copy()
    for limit in wait.limits:
        here = left & limit.holds
        left &= ~here
        if not here.any():
            continue
        lasted = np.concatenate([[0], np.cumsum(np.where(here, seconds, 0))])
        runs = limit.runs
        begun, over = (np.searchsorted(wait.times, at) for at in (runs.start, runs.end))
        share = lasted[over] - lasted[begun]
        order = [row for row in np.argsort(-share, kind="stable") if share[row] > 0]
        jobs = dict.fromkeys(int(wait.result.trace.job_id[runs.job[row]]) for row in order)
        total, peak = int(lasted[-1]), int(limit.counted[here].max())
        found.append(
            LimitHeld(limit.name, limit.whose, limit.most, limit.unit, total, peak, tuple(jobs))
        )
    return tuple(sorted(found, key=lambda held: -held.seconds))


def _counted(wait: LimitedWait, by: str, *, own: bool, owners: JobOwners | None) -> RunIntervals:
    """Select the runs that a limit counts; with `own`, only runs in the job's queue."""
    trace, job = wait.result.trace, wait.runs.job
    mask = np.ones(len(job), dtype=bool)
    if own:
        mask &= wait.result.queue[job] == wait.queue
    if by:
        column = by.removeprefix("_per_")
        mask &= getattr(trace, column)[job] == wait.owner[column]
    if owners is not None:
        named = [
            np.isin(getattr(trace, column)[job], getattr(owners, field))
            for field, column in OWNER_COLUMNS.items()
        ]
        mask &= np.logical_or.reduce(named)
    return wait.runs.where(mask)


def _queued_before(wait: LimitedWait, *, own: bool) -> RunIntervals:
    """Return the waits of the user's earlier jobs, in the job's own queue or in all queues.

    A lost attempt does not count as time in the queue; it splits a wait in two.
    """
    trace, result = wait.result.trace, wait.result
    mine = (trace.user[: wait.job] == wait.owner["user"]) & (
        result.state[: wait.job] != State.REJECTED
    )
    if own:
        mine &= result.queue[: wait.job] == wait.queue
    rows = np.flatnonzero(mine)
    left = np.where(result.start[rows] >= 0, result.start[rows], _cancelled(wait, rows))
    lost = wait.runs.where(np.isin(wait.runs.job, rows))
    last = result.start[lost.job]
    lost = lost.where((last < 0) | (lost.start < last))
    return _without(
        RunIntervals(rows, trace.submit[rows], left, rows, np.ones(len(rows), np.int64)), lost
    )


def _without(queued: RunIntervals, lost: RunIntervals) -> RunIntervals:
    """Cut the runs in `lost` out of the intervals in `queued`, job by job."""
    if len(lost.job) == 0:
        return queued
    rows = []
    for job, start, end in zip(queued.job, queued.start, queued.end, strict=True):
        at = start
        mine = lost.where(lost.job == job)
        for away in np.argsort(mine.start, kind="stable"):
            rows.append((job, at, mine.start[away]))
            at = mine.end[away]
        rows.append((job, at, end))
    job, start, end = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return RunIntervals(job, start, end, job, np.ones(len(job), np.int64))


def _cancelled(wait: LimitedWait, rows: Int64) -> Int64:
    """Return when each job was cancelled manually; for other jobs, return the end of this wait.

    A job cancelled before the first step of the simulation never waited; its time is -1.
    """
    times = {row: -1 if at is None else at for row, at in wait.result.interventions.cancelled}
    return np.array([times.get(row, wait.start) for row in rows.tolist()], dtype=np.int64)
