"""Conservative backfilling on nodes: the promises of waiting jobs, and one pass over these jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.node_sites.eligibility import is_eligible, is_starving, within_limits
from reference.sites.calendar import DAY, is_open
from reference.sites.eligibility import in_pool_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.node_sites.plan import Plan, Reserved
    from reference.node_sites.state import State
    from reference.node_sites.values import NodeJob


def run_round(state: State) -> None:
    """Keep promises, make new ones, and start the jobs that are due."""
    _give_up(state)
    _keep_or_replace(state)
    _compress(state)
    for job in _in_order(state, _may_be_promised(state)):
        if job.position not in state.promises:
            _place(state, _plan(state), job, state.length(job))
    _start_due(state)


def _plan(state: State, without: NodeJob | None = None) -> Plan:
    plan = state.plan()
    for position, promise in state.promises.items():
        if without is None or position != without.position:
            plan.add(promise)
    return plan


def _give_up(state: State) -> None:
    """Drop promises of jobs that no longer wait, or could not start even if their queue opened."""
    still = {job.position for job in _may_be_promised(state)}
    waiting = {job.position: job for job in state.waiting}
    for position in [at for at in state.promises if at not in still]:
        del state.promises[position]
        group = state.group(waiting[position]) if position in waiting else None
        state.opened |= set(range(len(state.pools))) if group is None else {group}


def _may_be_promised(state: State) -> list[NodeJob]:
    without = state.without_place | state.over_limit
    waiting = [job for job in state.waiting if job.position not in without]
    return [job for job in waiting if is_eligible(state, job, any_hour=True)]


def _in_order(state: State, jobs: Iterable[NodeJob]) -> list[NodeJob]:
    """Return starving jobs, oldest first; then the jobs of each group, in the group's order."""
    jobs = list(jobs)
    starving = [job for job in jobs if is_starving(state, job)]
    ordered = sorted(starving, key=lambda job: (job.submit, job.position))
    for group in range(len(state.pools)):
        own = [job for job in jobs if job not in starving and state.group(job) == group]
        ordered += in_pool_order(state, group, own)  # type: ignore[arg-type]
    return ordered


def _promised(state: State) -> list[NodeJob]:
    return _in_order(state, [job for job in state.waiting if job.position in state.promises])


def _place(state: State, plan: Plan, job: NodeJob, length: int) -> Reserved:
    """Promise the earliest start at which a pass runs, the queue is open and the job fits."""
    times = sorted({_start_at_or_after(state, job, time) for time in plan.times(state.now)})
    promise = plan.reserve(job, state.nodes(job), length, times)
    plan.add(promise)
    state.promises[job.position] = promise
    return promise


def _start_at_or_after(state: State, job: NodeJob, time: int) -> int:
    queue = state.queue(job)
    time = state.pass_at_or_after(time)
    while not is_open(state.site, queue, time):  # type: ignore[arg-type]
        since = time - state.site.midnight
        openings = [(begin - since) % DAY for begin, _ in queue.hours]
        time = state.pass_at_or_after(time + max(min(openings), 1))
    return time


def _keep_or_replace(state: State) -> None:
    """Renew the promises of starving jobs, then the invalid promises of other jobs.

    Valid promises of other jobs are kept.
    """
    plan = state.plan()
    waiting = _in_order(state, _may_be_promised(state))
    for job in (job for job in waiting if is_starving(state, job)):
        old = state.promises.pop(job.position, None)
        new = _place(state, plan, job, old.length if old else state.length(job))
        if old is not None and old != new:
            state.opened.add(state.group(job))
    broken = []
    for job in (job for job in waiting if not is_starving(state, job)):
        promise = state.promises.get(job.position)
        if promise is None:
            continue
        if promise.begin >= state.now and plan.holds(promise, job):
            plan.add(promise)
        else:
            broken.append((job, promise))
            del state.promises[job.position]
    for job, promise in broken:
        _place(state, plan, job, promise.length)


def _compress(state: State) -> None:
    """If nodes may have become free, move each promise to its earliest start, but never later."""
    if not state.opened:
        return
    for job in _promised(state):
        promise = state.promises[job.position]
        if promise.begin <= state.now or state.group(job) not in state.opened:
            continue
        plan = _plan(state, without=job)
        if _place(state, plan, job, promise.length).begin >= promise.begin:
            state.promises[job.position] = promise
        else:
            state.opened.add(state.group(job))
    state.opened.clear()


def _start_due(state: State) -> None:
    """Start the jobs that are due; a job whose places would exceed a limit gives up its promise."""
    for job in _promised(state):
        promise = state.promises[job.position]
        if promise.begin > state.now or not is_eligible(state, job):
            continue
        if promise.stay is not None:
            places = promise.stay.places
        else:
            plan = _plan(state, without=job)
            # The placement rule first tries all nodes that the job may use, then only the node
            # classes in which its promise reserves nodes.
            counted = promise.numbers
            nodes = state.nodes(job)
            own = nodes & frozenset().union(*(each.nodes for each in counted))
            found = plan.place(job, nodes, state.now, promise.length) or plan.place(
                job, own, state.now, promise.length, promised=counted
            )
            if found is None:
                continue
            places = found
        del state.promises[job.position]
        if within_limits(state, job, places):
            state.start(job, places, promise.length)
        else:
            state.over_limit.add(job.position)
            state.opened.add(state.group(job))
