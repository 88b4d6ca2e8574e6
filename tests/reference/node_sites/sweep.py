"""One pass without promises: every group of queues has its own sweep and reservations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.node_sites.eligibility import is_eligible, is_starving, within_limits
from reference.node_sites.plan import Plan, Reserved, stay_of
from reference.orders import STATIC_ORDERS
from reference.sites.eligibility import in_pool_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.node_sites.state import State
    from reference.node_sites.values import NodeJob, NodeSite, Places


class Sweep:
    def __init__(self, state: State) -> None:
        self.state = state
        backfill = state.policy.backfill
        reservations = {"easy": 1, "relaxed": 1, "depth": state.policy.depth}
        most = reservations.get(backfill, math.inf if backfill in UNBOUNDED else 0)
        self.left = dict.fromkeys(range(len(state.pools)), most)
        self.plan = state.plan()
        self.momentary = state.momentary()
        self.failed: set[int] = set()
        self.served: set[tuple[int, int]] = set()
        self.kept: list[tuple[NodeJob, Reserved]] = []
        self.blocked: list[NodeJob] = []  # for each group, the first job that did not fit
        self.last_blocked: NodeJob | None = None
        self.tried: set[int] = set()

    def run(self) -> None:
        """Try all waiting jobs, or only new ones if the last reservations are still valid."""
        state = self.state
        last, state.last_sweep = state.last_sweep, self if keeps_reservations(state.site) else None
        self.tried = {job.position for job in state.waiting}
        if last is None or not self._goes_on_from(last):
            self._try_all()
            return
        self.kept, self.left, self.failed = last.kept, last.left, last.failed
        self.last_blocked = last.last_blocked
        for _, reserved in self.kept:
            self.plan.add(reserved)
        for job in self._new(last):
            self._try(job)

    def may_start_others(self) -> bool:
        """Return whether another sweep at this instant may start jobs.

        On a torus, it may if a blocking job has reached a limit, or if another job is now the first
        of its user. Otherwise the reservations keep their nodes until the next pass.
        """
        state = self.state
        blocking = [*self.blocked, *(job for job, _ in self.kept)]
        return (
            not state.site.allocation
            or counts_queued(state.site)
            or not all(is_eligible(state, job) for job in blocking)
        )

    def _new(self, last: Sweep) -> list[NodeJob]:
        new = [job for job in self.state.waiting if job.position not in last.tried]
        return in_pool_order(self.state, 0, new)  # type: ignore[arg-type, return-value]

    def _goes_on_from(self, last: Sweep) -> bool:
        state = self.state
        if last.last_blocked is None:
            return False
        both = [last.last_blocked, *self._new(last)]
        return (
            all(reserved.begin > state.now for _, reserved in last.kept)
            and all(is_eligible(state, job) for job, _ in last.kept)
            and in_pool_order(state, 0, both)[0] == last.last_blocked  # type: ignore[arg-type]
        )

    def _try_all(self) -> None:
        state = self.state
        starving = [job for job in state.waiting if is_starving(state, job)]
        others = [job for job in state.waiting if job not in starving]
        for job in sorted(starving, key=lambda job: (job.submit, job.position)):
            self._try(job)
        for group in range(len(state.pools)):
            own = [job for job in others if state.group(job) == group]
            for job in in_pool_order(state, group, own):  # type: ignore[arg-type]
                self._try(job)  # type: ignore[arg-type]
        for group in set(self.left) - self.failed:
            state.deadlines.pop(group, None)

    def _try(self, job: NodeJob) -> None:
        state, plan = self.state, self.plan
        group = state.group(job)
        if not is_eligible(state, job) or job.position in state.without_place:
            return
        if state.policy.backfill == "none" and group in self.failed:
            return
        length = state.length(job)
        places = self._places(job, group, length)
        if places is not None:
            if within_limits(state, job, places):
                state.start(job, places, state.beliefs.of_starting(job))
                self._note(job, places)
            return
        if group not in self.failed:
            self.last_blocked = job
            self.blocked.append(job)
        self.failed.add(group)
        head = (group, state.queue_number(job))
        if self.left[group] <= 0 or (state.policy.backfill == BY_QUEUE and head in self.served):
            return
        self.left[group] -= 1
        self.served.add(head)
        reserved = self._reservation(job, group, length)
        plan.add(reserved)
        self.kept.append((job, reserved))
        self.last_blocked = job

    def _places(self, job: NodeJob, group: int, length: int) -> Places | None:
        """Return the number of units to start now on each node; None if the job does not fit."""
        state = self.state
        if self._is_momentary(job) and not self._is_late(group):
            # The job starts wherever it fits now, regardless of reservations.
            plan, length = state.plan(), 1
        else:
            plan = self.plan
        room = Plan(state.site, state.now)
        room.stays, room.numbers = [*plan.stays, *self.momentary], plan.numbers
        return room.place(job, state.nodes(job), state.now, length)

    def _note(self, job: NodeJob, places: Places) -> None:
        """Record a start in the plan of this pass."""
        now, length = self.state.now, self.state.length(job)
        stay = stay_of(job, places, now, now + length)
        (self.momentary if self._is_momentary(job) else self.plan.stays).append(stay)

    def _is_momentary(self, job: NodeJob) -> bool:
        numbers = self.state.site.reserve == "numbers"
        return numbers and self.state.beliefs.of_waiting(job) == 0

    def _is_late(self, group: int) -> bool:
        """Return whether the head has missed its relaxed deadline; then no job may overtake it."""
        deadline = self.state.deadlines.get(group, (None, self.state.now))[1]
        return self.left[group] == 0 and deadline < self.state.now

    def _reservation(self, job: NodeJob, group: int, length: int) -> Reserved:
        """Reserve the earliest start.

        Under `relaxed`, reserve a later start, and keep it while the job is the head.
        """
        state, plan = self.state, self.plan
        nodes = state.nodes(job)
        if state.policy.backfill != "relaxed":
            return plan.reserve(job, nodes, length, plan.times(state.now))
        head, deadline = state.deadlines.get(group, (None, 0))
        if head != job:
            begin = plan.reserve(job, nodes, length, plan.times(state.now)).begin
            latest = begin + math.floor(state.policy.relaxation * (begin - job.submit))
            deadline = plan.reserve(job, nodes, length, plan.times(latest)).begin
            state.deadlines[group] = (job, deadline)
        begin = max(deadline, state.now)
        reserved = plan.reserve(job, nodes, length, plan.times(begin))
        # If the job no longer fits at the deadline, the deadline stays, and the nodes on which the
        # job fits later are reserved from the deadline onwards.
        for kept in [*reserved.numbers, *([reserved.stay] if reserved.stay else [])]:
            kept.begin, kept.end = begin, begin + length
        return Reserved(begin, length, reserved.stay, reserved.numbers)


def keeps_reservations(site: NodeSite) -> bool:
    """Return whether reservations of nodes stay valid from one pass to the next.

    They do if only two events can change which jobs may start: the end of a job, and the arrival of
    a job that precedes a blocked one.
    """
    policy = site.policy
    calendar = site.outages or site.reservations or site.crashes or site.node_crashes
    moves = site.queues or calendar or site.dependencies
    drifts = policy.order not in STATIC_ORDERS or policy.estimates == "user-history"
    return not (
        moves
        or drifts
        or site.reserve == "numbers"
        or policy.backfill == "relaxed"
        or not policy.kill_at_limit
        or counts_queued(site)
    )


def counts_queued(site: NodeSite) -> bool:
    """Return whether passes consider only a few jobs of each user."""
    limits = [site.limits, *(queue.limits for queue in site.queues)]
    limits += [named.limits for named in site.named]
    return any(each.queued_per_user is not None for each in limits)


UNBOUNDED: Iterable[str] = ("replan", "multiple-queue")
BY_QUEUE = "multiple-queue"
