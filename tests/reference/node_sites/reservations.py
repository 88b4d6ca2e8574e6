"""Jobs that start inside a reservation of their user, group, account or quality of service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.node_sites.eligibility import is_eligible, within_limits
from reference.node_sites.plan import WHOLE, Number, Plan
from reference.node_sites.state import away
from reference.sites.calendar import windows
from reference.sites.eligibility import in_pool_order

if TYPE_CHECKING:
    from reference.node_sites.state import State
    from reference.node_sites.values import NodeJob, Places


def start_in_reservations(state: State) -> None:
    """In each open reservation, try the jobs that it admits, in their order."""
    for number, reservation in enumerate(state.site.reservations):
        for _, end in windows(reservation, state.now, state.now + 1):
            admitted = [job for job in state.waiting if reservation.admits(job)]
            for job in in_pool_order(state, 0, admitted):  # type: ignore[arg-type]
                _start_if_it_fits(state, job, (number, end))  # type: ignore[arg-type]


def _start_if_it_fits(state: State, job: NodeJob, window: tuple[int, int]) -> None:
    """Start a job if it fits in the reservation and its requested time ends within the window."""
    number, end = window
    reservation = state.site.reservations[number]
    length = max(job.requested_time, 1)
    if state.now + length > end or not is_eligible(state, job):
        return
    if reservation.nodes is None:
        places = _among_idle_nodes(state, job, window)
    else:
        plan = state.plan_inside(reservation, end)
        places = plan.place(job, state.nodes(job), state.now, length)
    if places is not None and within_limits(state, job, places):
        state.start(job, places, state.beliefs.of_starting(job), inside=window)


def _among_idle_nodes(state: State, job: NodeJob, window: tuple[int, int]) -> Places | None:
    """Return places on idle nodes, at most as many of each class as the reservation has left.

    Nodes named in a window that begins before the job ends are left out. Future windows that
    reserve a number of nodes are ignored, as on sites without nodes.
    """
    plan = Plan(state.site, state.now)
    site, everything = state.site, frozenset(range(state.site.n_nodes))
    end = state.now + max(job.requested_time, 1)
    announced = [*site.reservations, *(o for o in site.outages if o.mode == "drain")]
    named = [each.nodes for each in announced if any(windows(each, state.now, end))]
    others = everything.difference(*(state.classes[at] for at in state.unused(window)))
    closed = others | state.busy_now() | frozenset().union(*(nodes for nodes in named if nodes))
    for at in range(len(state.classes)):
        closed |= state.named_away(at)
    plan.stays.append(away(state.now, state.now + 1, closed))
    for at, unused in state.unused(window).items():
        idle = state.classes[at] - closed
        most = max(0, min(unused, state.there(at) - len(state.busy(at))))
        if idle:
            plan.numbers.append(
                Number(state.now, state.now + 1, WHOLE, idle, max(0, len(idle) - most))
            )
    return plan.place(job, state.nodes(job), state.now, 1)
