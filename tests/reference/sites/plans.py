"""The plan of a pool: its free processors from now on, as far as they are known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.profile import Profile
from reference.sites import calendar

if TYPE_CHECKING:
    from collections.abc import Collection

    from reference.sites.state import State


def horizon(state: State) -> int:
    """Return an instant by which all waiting jobs would have ended if run one after the other."""
    known = [state.now, *(running.estimated_end for running in state.running)]
    known += [absence.end for absence in state.absences]
    known += [fence.end for fence in state.fences.values()]
    known += [promise.end for promise in state.promises.values()]
    for event in state.site.events:
        known.append(event.start + event.duration)
    longest = max((max(job.requested_time, 1) for job in state.waiting), default=0)
    turns = len(state.waiting) + 2
    until = max(known) + turns * (2 * calendar.common_period(state.site) + longest)
    if state.policy.backfill == "relaxed":
        until += math.ceil(state.policy.relaxation * (until - state.first_submit))
        until += 2 * calendar.common_period(state.site) + longest
    return until


def plan_of(state: State, pool: int, without: Collection[int] = ()) -> Profile:
    """Return a pool's plan, which contains running jobs, known outages, and reservations.

    Reservations for the spanning queues in `without` are left out.
    """
    now, until = state.now, horizon(state)
    plan = Profile(now, state.pools[pool].processors)
    for running in state.running:
        begin = running.window[2] if running.window and state.is_inside(running) else now
        plan.take(begin, running.estimated_end - begin, running.shares.get(pool, 0))
    away = [(now, absence.end, absence.shares.get(pool, 0)) for absence in state.absences]
    for outage in (o for o in state.site.outages if o.mode == "drain"):
        share = calendar.drained_shares(state.site, outage).get(pool, 0)
        away += [(*window, share) for window in calendar.windows(outage, now, until)]
    calendar.take_level(plan, calendar.level_of(away, now, state.pools[pool].processors))
    for reservation in (r for r in state.site.reservations if r.pool == pool):
        for begin, end in calendar.windows(reservation, now, until):
            plan.take(max(begin, now), end - max(begin, now), reservation.processors)
    for queue, fence in state.fences.items():
        if queue not in without:
            begin = max(fence.start, now)
            plan.take(begin, fence.end - begin, fence.shares.get(pool, 0))
    return plan
