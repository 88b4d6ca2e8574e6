"""Jobs that start inside a reservation of their user or group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.sites.calendar import windows
from reference.sites.eligibility import in_pool_order, is_eligible

if TYPE_CHECKING:
    from reference.sites.state import State
    from reference.sites.values import SiteJob


def start_in_reservations(state: State) -> None:
    for number, reservation in enumerate(state.site.reservations):
        for begin, end in windows(reservation, state.dated, state.dated + 1):
            admitted = [job for job in state.waiting if reservation.admits(job)]
            for job in in_pool_order(state, reservation.pool, admitted):
                _start_if_it_fits(state, job, (number, begin, end))


def _start_if_it_fits(state: State, job: SiteJob, window: tuple[int, int, int]) -> None:
    """Start a job if it fits in the reservation and ends within the window."""
    number, _, end = window
    queue = state.queue(job)
    reservation = state.site.reservations[number]
    inside = [running for running in state.running if running.window == window]
    left = reservation.processors - sum(running.job.processors for running in inside)
    if (
        is_eligible(state, job)
        and reservation.pool in state.site.pools_of(queue)
        and not queue.spanning
        and job.processors <= min(left, state.really_free(reservation.pool))
        and state.now + max(1, job.requested_time) <= end
    ):
        state.start(job, {reservation.pool: job.processors}, backfilled=False, window=window)
