"""Handles recurring windows: how far plans must look ahead, and which jobs never find a gap."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.node_sites.plan import WHOLE, Number, Plan, Stay
from reference.sites.calendar import common_period, first_start, whole_pattern, windows

if TYPE_CHECKING:
    from reference.node_sites.state import State
    from reference.node_sites.values import NodeJob, NodeOutage, NodeQueue, NodeReservation


def horizon(state: State) -> int:
    """Return an instant by which all waiting jobs would have ended if run one after the other."""
    known = [state.now, *(running.estimated_end for running in state.running)]
    known += [absence.end for absence in state.absences]
    known += [promise.end for promise in state.promises.values()]
    known += [event.start + event.duration for event in state.site.events]
    longest = max((max(job.requested_time, job.run_time, 1) for job in state.waiting), default=0)
    turn = 2 * common_period(state.site) + longest
    until = max(known) + (len(state.waiting) + 2) * turn
    if state.policy.backfill == "relaxed":
        until += math.ceil(state.policy.relaxation * (until - state.first_submit)) + turn
    return until


def has_a_place(state: State, job: NodeJob, queue: NodeQueue) -> bool:
    """Return whether the recurring drains and reservations ever leave a gap for the job.

    No other job is assumed to run. A gap begins at a pass at which the queue is open.
    """
    site = state.site
    since, until = whole_pattern(site, queue)
    outlives = site.policy.estimates == "exact" and not site.policy.kill_at_limit
    length = max(job.requested_time, job.run_time if outlives else 0, 1)
    until += length
    plan = Plan(site, since)
    for event in site.events:
        if event.every and getattr(event, "mode", "drain") == "drain":
            for begin, end in windows(event, since, until):
                _take(state, plan, event, max(begin, since), end)
    rises = {first_start(site, queue, state.first_submit, time) for time in plan.times(since)}
    times = [int(time) for time in rises if time + length <= until]
    nodes = site.allowed(queue, job)
    return any(plan.place(job, nodes, time, length) is not None for time in times)


def fits_inside(state: State, job: NodeJob, queue: NodeQueue) -> bool:
    """Return whether the job ever fits into a recurring reservation that admits it."""
    site = state.site
    length = max(job.requested_time, 1)
    for kept in site.reservations:
        if not (kept.every and kept.admits(job)):
            continue
        plan = Plan(site, 0)
        everything = frozenset(range(site.n_nodes))
        if kept.nodes is not None:
            _take_nodes(plan, everything - kept.nodes, 0, 1)
        else:
            shares = site.shares(kept)
            for at, nodes in enumerate(state.classes):
                plan.numbers.append(Number(0, 1, WHOLE, nodes, len(nodes) - shares.get(at, 0)))
        if plan.place(job, site.allowed(queue, job), 0, 1) is None:
            continue
        for begin, end in windows(kept, *whole_pattern(site, queue)):
            if first_start(site, queue, state.first_submit, begin) + length <= end:
                return True
    return False


def _take(
    state: State, plan: Plan, event: NodeOutage | NodeReservation, begin: int, end: int
) -> None:
    """Remove from a plan the nodes of an event: named nodes, or a number of each class."""
    if event.nodes is not None:
        _take_nodes(plan, event.nodes, begin, end)
        return
    for at, count in state.site.shares(event).items():
        plan.numbers.append(Number(begin, end, WHOLE, state.classes[at], count))


def _take_nodes(plan: Plan, nodes: frozenset[int], begin: int, end: int) -> None:
    plan.stays.append(Stay(begin, end, dict.fromkeys(nodes, 1), None))
