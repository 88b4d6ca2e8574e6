"""One pass without promises: every group of queues is swept, and holds reservations of its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.node_sites.eligibility import is_eligible, is_starving, within_limits
from reference.node_sites.plan import Plan, Reserved, stay_of
from reference.sites.eligibility import in_pool_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.node_sites.state import State
    from reference.node_sites.values import NodeJob, Places


class Sweep:
    """Tries the waiting jobs of all groups once."""

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

    def run(self) -> None:
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
        if not is_eligible(state, job):
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
        self.failed.add(group)
        head = (group, state.queue_number(job))
        if self.left[group] <= 0 or (state.policy.backfill == BY_QUEUE and head in self.served):
            return
        self.left[group] -= 1
        self.served.add(head)
        plan.add(self._reservation(job, group, length))

    def _places(self, job: NodeJob, group: int, length: int) -> Places | None:
        """Give the places on which the job starts now; None where there is no room."""
        state = self.state
        if self._is_momentary(job) and not self._is_late(group):
            # It starts wherever there is room now, whatever is reserved.
            plan, length = state.plan(), 1
        else:
            plan = self.plan
        room = Plan(state.site, state.now)
        room.stays, room.numbers = [*plan.stays, *self.momentary], plan.numbers
        return room.place(job, state.nodes(job), state.now, length)

    def _note(self, job: NodeJob, places: Places) -> None:
        """Take note of a start in the plan of this pass."""
        now, length = self.state.now, self.state.length(job)
        stay = stay_of(job, places, now, now + length)
        (self.momentary if self._is_momentary(job) else self.plan.stays).append(stay)

    def _is_momentary(self, job: NodeJob) -> bool:
        numbers = self.state.site.reserve == "numbers"
        return numbers and self.state.beliefs.of_waiting(job) == 0

    def _is_late(self, group: int) -> bool:
        """Tell whether the head's relaxed deadline is over: no job passes it, however short."""
        deadline = self.state.deadlines.get(group, (None, self.state.now))[1]
        return self.left[group] == 0 and deadline < self.state.now

    def _reservation(self, job: NodeJob, group: int, length: int) -> Reserved:
        """Keep the earliest room; a relaxed one is later, and stays while the job is head."""
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
        # The deadline stays where the job no longer fits there; what is kept is that of later.
        for kept in [*reserved.numbers, *([reserved.stay] if reserved.stay else [])]:
            kept.begin, kept.end = begin, begin + length
        return Reserved(begin, length, reserved.stay, reserved.numbers)


UNBOUNDED: Iterable[str] = ("replan", "multiple-queue")
BY_QUEUE = "multiple-queue"
