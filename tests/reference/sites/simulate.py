"""The main loop on a site: which instant comes next, and what happens then."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.dependencies import by_arrival, may_be_released
from reference.sites import instants
from reference.sites.eligibility import rejected
from reference.sites.events import Calendar
from reference.sites.routing import queue_of
from reference.sites.state import State
from reference.sites.sweep import run_pass
from reference.sites.values import (
    COMPLETED,
    INTERRUPTED,
    KILLED,
    REJECT_REASONS,
    REJECTED,
    WAITING,
    Attempt,
    SiteOutcome,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.dependencies import Needed
    from reference.sites.values import RunningJob, Site, SiteJob

ENDLESS = 50_000  # no small workload has this many instants
IDLE = 3_000  # the replay stops after this many instants in a row without a running job
STATE_OF = {"completed": COMPLETED, "killed": KILLED, "crash": INTERRUPTED, "outage": INTERRUPTED}


def simulate_site(jobs: Sequence[SiteJob], site: Site) -> tuple[list[SiteOutcome], list[Attempt]]:
    """Replay jobs, given in trace order.

    Return an outcome for each job, and all attempts, sorted by job and number.
    """
    arrived, needs, logged = by_arrival(jobs, depending=site.dependencies)
    outcomes, attempts = _Replay(arrived, site, needs).run()
    of_log = [*outcomes]
    for job, outcome, at in zip(arrived, outcomes, logged, strict=True):
        later = job.submit - jobs[at].submit if outcome.start >= 0 else 0
        of_log[at] = outcome._replace(wait=outcome.wait + later)
    named = [attempt._replace(job=logged[attempt.job]) for attempt in attempts]
    return of_log, sorted(named)


class _Replay:
    def __init__(self, jobs: Sequence[SiteJob], site: Site, needs: dict[int, list[Needed]]) -> None:
        self.jobs = jobs
        self.site = site
        self.state = State(site, min(job.submit for job in jobs))
        self.state.needs = needs
        self.rejected = rejected(self.state, jobs)
        self.state.rejected = set(self.rejected)
        self.arrivals = [job for job in jobs if job.position not in self.rejected]
        self.calendar = Calendar(self.state)
        self.changed_at = -1
        self.idle = 0
        self._follow_the_past()

    def run(self) -> tuple[list[SiteOutcome], list[Attempt]]:
        state = self.state
        for _ in range(ENDLESS):
            instant = self._next_instant()
            if instant == math.inf:
                return [self._outcome(job) for job in self.jobs], sorted(state.attempts)
            state.now = int(instant)
            if self.site.policy.passes == "per-event":
                self._pass_after_each_event()
                continue
            self._complete()
            self.calendar.apply_changes()
            while self.arrivals and self.arrivals[0].submit <= state.now:
                state.arrive(self.arrivals.pop(0))
            if state.pass_at_or_after(state.now) == state.now:
                run_pass(state)
                while self._complete():
                    run_pass(state)
        raise AssertionError(f"the replay does not end; at {state.now} wait {state.waiting}")

    def _follow_the_past(self) -> None:
        """Apply the calendar changes that precede the first submit time, instant by instant."""
        state = self.state
        starts = [outage.start for outage in self.site.outages] + list(self.site.crashes.times)
        state.now = min([state.first_submit, *starts]) - 1
        while True:
            change = instants.next_change(state, self.calendar.next_crash)
            if change >= state.first_submit:
                break
            state.now = int(change)
            self.calendar.apply_changes()
        state.now = state.dated = state.first_submit

    def _pass_after_each_event(self) -> None:
        """Run a pass after each event; an instant without an event also gets a pass."""
        happened = self._handle_one_event()
        run_pass(self.state)
        while happened and self._handle_one_event():
            run_pass(self.state)

    def _handle_one_event(self) -> bool:
        """Handle one completion; if none is left, apply the calendar and handle one arrival."""
        state = self.state
        over = [running for running in state.running if running.end <= state.now]
        if over:
            state.complete(over[0])
            return True
        happened = self._change_is_due()
        self.calendar.apply_changes()
        if self.arrivals and self.arrivals[0].submit <= state.now:
            state.arrive(self.arrivals.pop(0))
            happened = True
        return happened

    def _change_is_due(self) -> bool:
        """Return whether the calendar has a change now; True at most once per instant."""
        state = self.state
        if self.changed_at == state.now:
            return False
        self.changed_at = state.now
        state.now -= 1
        change = instants.next_change(state, self.calendar.next_crash)
        state.now += 1
        return change <= state.now

    def _next_instant(self) -> float:
        state = self.state
        times: list[float] = [running.end for running in state.running]
        if self.arrivals:
            times.append(self.arrivals[0].submit)
        waiting = [job for job in state.waiting if may_be_released(state, job)]
        self.idle = 0 if times else self.idle + 1
        if not times and (not waiting or self.idle > IDLE):
            return math.inf
        times.append(instants.next_change(state, self.calendar.next_crash))
        if self.site.policy.period is None:
            times.append(instants.next_eligibility(state))
        elif waiting:
            times.append(state.pass_at_or_after(state.now + 1))
        return min(times)

    def _complete(self) -> list[RunningJob]:
        """End the jobs that are due to end, in the order in which they started."""
        state = self.state
        over = [running for running in state.running if running.end <= state.now]
        for running in over:
            state.complete(running)
        return over

    def _outcome(self, job: SiteJob) -> SiteOutcome:
        state = self.state
        queue = queue_of(self.site, job)
        number = -1 if queue is None else queue
        if job.position in self.rejected:
            reason = REJECT_REASONS[self.rejected[job.position]]
            return SiteOutcome(-1, -1, -1, REJECTED, False, number, -1, reason)
        if job.position not in state.ended:
            return SiteOutcome(-1, -1, -1, WAITING, False, number, -1, "none")
        last = state.ended[job.position]
        attempts = [attempt for attempt in state.attempts if attempt.job == job.position]
        earlier = sum(attempt.end - attempt.start for attempt in attempts[:-1])
        return SiteOutcome(
            last.start,
            last.end,
            last.start - job.submit - earlier,
            STATE_OF[state.reason[job.position]],
            job.position in state.backfilled,
            number,
            last.pool,
            "none",
        )
