"""Rules that every schedule obeys, checked by a sweep over its attempts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


def columns(result: sw.Result) -> list[Any]:
    """Return everything that a schedule records about jobs and attempts, for comparison."""
    attempts = result.attempts
    own = (result.start, result.end, result.state, result.reject_reason, result.pool)
    tried = (attempts[name] for name in ("job", "start", "end", "pool", "reason", "lost"))
    return [np.asarray(column).tolist() for column in (*own, *tried)]


class Attempts:
    """The periods in which jobs held processors, and the processors that they held."""

    def __init__(self, result: sw.Result, trace: sw.Trace, site: sw.Site) -> None:
        told = result.attempts
        self.job, self.start, self.end = (
            np.asarray(told[name]).astype(np.int64) for name in ("job", "start", "end")
        )
        width = trace.processors[self.job].astype(np.int64)
        if isinstance(site.machine, sw.Torus):
            node = site.machine.processors_per_node
            width = -(-width // node) * node
        self.width = width
        pool = told["pool"] if site.pools else None
        self.pool = None if pool is None else np.ma.filled(np.ma.masked_array(pool), -1)

    def most_at_once(self, amounts: Numbers, of: NDArray[np.bool_] | None = None) -> int:
        """Return the largest total held at any instant; an attempt does not count at its end."""
        taken = self.end > self.start
        taken = taken if of is None else taken & of
        times = np.concatenate([self.end[taken], self.start[taken]])
        changes = np.concatenate([-amounts[taken], amounts[taken]])
        order = np.lexsort((changes, times))
        return int(np.cumsum(changes[order]).max(initial=0))


def broken_rules(
    result: sw.Result, trace: sw.Trace, site: sw.Site, *, changed: bool = False
) -> list[str]:
    """List the rules that a schedule breaks; if `changed`, skip limits and dependencies."""
    if isinstance(site.machine, sw.Nodes):  # widths on nodes are checked elsewhere
        return list(_of_jobs(result, trace))
    attempts = Attempts(result, trace, site)
    found = [*_of_jobs(result, trace), *_of_attempts(result, trace, attempts)]
    found += _of_capacity(result, site, attempts)
    found += _of_calendar(result, site, attempts)
    if not changed:
        found += _of_limits(result, trace, site, attempts)
        found += _of_dependencies(result, trace, site)
    if isinstance(site.machine, sw.Torus):
        found += _of_places(result)
    return found


def _of_jobs(result: sw.Result, trace: sw.Trace) -> Iterator[str]:
    begun = result.start >= 0
    if (result.start[begun] < trace.submit[begun]).any():
        yield "a job starts before its submit time"
    if (result.end[begun] < result.start[begun]).any():
        yield "a job ends before its start"


def _of_attempts(result: sw.Result, trace: sw.Trace, attempts: Attempts) -> Iterator[str]:
    for row in np.flatnonzero(result.start >= 0):
        own = np.flatnonzero(attempts.job == row)
        if not len(own):
            yield f"row {row} starts in no attempt"
            continue
        last = own[-1]
        if (attempts.start[last], attempts.end[last]) != (result.start[row], result.end[row]):
            yield f"row {row} does not end in its last attempt"
        if (attempts.start[own[1:]] < attempts.end[own[:-1]]).any():
            yield f"row {row} runs twice at once"
        if (attempts.start[own] < trace.submit[row]).any():
            yield f"row {row} runs before its submit time"


def _of_capacity(result: sw.Result, site: sw.Site, attempts: Attempts) -> Iterator[str]:
    used = attempts.most_at_once(attempts.width)
    if used > result.processors:
        yield f"{used} of {result.processors} processors are used"
    for number, pool in enumerate(site.pools):
        used = attempts.most_at_once(attempts.width, attempts.pool == number)
        if used > pool.processors:
            yield f"{used} of {pool.processors} processors of {pool.name} are used"


def _windows(part: Any, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the periods of a maintenance or an outage that may overlap [first, last]."""
    start = part.start
    if part.every is None:
        yield start, start + part.duration
        return
    start += max(0, (first - start) // part.every - 1) * part.every
    while start <= last:
        yield start, start + part.duration
        start += part.every


def _of_calendar(result: sw.Result, site: sw.Site, attempts: Attempts) -> Iterator[str]:
    if not len(attempts.start):
        return
    first, last = int(attempts.start.min()), int(attempts.end.max())
    lasting = attempts.end > attempts.start
    names = [pool.name for pool in site.pools]
    for work in site.maintenance:
        there = (
            lasting if work.pool is None else lasting & (attempts.pool == names.index(work.pool))
        )
        for begin, end in _windows(work, first, last):
            over = there & (attempts.start < end) & (attempts.end > begin)
            begun_in = over & (attempts.start >= begin)
            if begun_in.any() and site.policy.passes != "per-event":
                yield f"a job starts in the maintenance from {begin}"
            if over.any() and work.mode == "kill":
                yield f"a job runs on in the maintenance from {begin}, which kills"
    if len(site.outages) != 1 or site.maintenance or site.crashes != sw.Crashes():
        return
    (outage,) = site.outages
    if outage.mode == "drain":
        return
    size = result.processors
    for begin, end in _windows(outage, first, last):
        for at in (begin, *attempts.start[(attempts.start >= begin) & (attempts.start < end)]):
            held = attempts.width[(attempts.start <= at) & (attempts.end > at)].sum()
            if held > max(0, size - outage.processors) and not site.pools:
                yield f"{held} processors are used at {at}, {outage.processors} being away"


def _of_limits(
    result: sw.Result, trace: sw.Trace, site: sw.Site, attempts: Attempts
) -> Iterator[str]:
    each = np.ones_like(attempts.width)
    everyone = np.ones(len(each), dtype=np.bool_)
    holders = [] if site.limits.lifted_when_idle else [("the site", site.limits, everyone)]
    holders += [
        (queue.name, queue, result.queue[attempts.job] == number)
        for number, queue in enumerate(site.queues)
        if not site.limits.lifted_when_idle
    ]
    for name, limits, of in holders:
        for what, amounts in (("running", each), ("processors_in_use", attempts.width)):
            most = getattr(limits, what)
            if most is not None and attempts.most_at_once(amounts, of) > most:
                yield f"limit {what} of {name}"
        for who in ("user", "group"):
            whose = getattr(trace, who)[attempts.job]
            for what, amounts in (("running", each), ("processors", attempts.width)):
                most = getattr(limits, f"{what}_per_{who}")
                for one in {*whose.tolist()} - {-1} if most is not None else ():
                    if attempts.most_at_once(amounts, of & (whose == one)) > most:
                        yield f"limit {what}_per_{who} of {name}"


def _of_dependencies(result: sw.Result, trace: sw.Trace, site: sw.Site) -> Iterator[str]:
    if not site.dependencies:
        return
    for row in np.flatnonzero((trace.preceding_job > 0) & (result.start >= 0)):
        before = np.flatnonzero(trace.job_id == trace.preceding_job[row])
        if len(before) != 1 or before[0] >= row:
            continue
        if result.state[before[0]] not in (sw.State.COMPLETED, sw.State.KILLED):
            continue
        think = max(0, int(trace.think_time[row]))
        if result.start[row] < result.end[before[0]] + think:
            yield f"row {row} does not wait for row {before[0]}"


def _of_places(result: sw.Result) -> Iterator[str]:
    held: dict[int, list[tuple[int, int]]] = {}
    for row in np.flatnonzero(result.end > result.start):
        for low, high in result.nodes(int(row)).tolist():
            for node in range(low, high):
                held.setdefault(node, []).append((int(result.start[row]), int(result.end[row])))
    for node, spans in held.items():
        spans.sort()
        if any(later[0] < earlier[1] for earlier, later in pairwise(spans)):
            yield f"node {node} is held twice at once"
