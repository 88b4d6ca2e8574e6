"""One pass under each backfill policy except conservative (docs/concepts/replay.md)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.profile import Profile

if TYPE_CHECKING:
    from reference.jobs import Job
    from reference.machine import Machine


def plan_of_running(machine: Machine) -> Profile:
    """Return the free processors from now on if every running job ends as estimated."""
    plan = Profile(machine.now, machine.processors)
    for running in machine.running:
        plan.take(machine.now, running.estimated_end - machine.now, running.job.processors)
    return plan


def start(machine: Machine, job: Job) -> None:
    machine.start(job, machine.beliefs.of_starting(job))


def start_in_order(machine: Machine) -> list[Job]:
    """Start jobs until one does not fit; return this job and all jobs behind it."""
    queue = machine.in_order(machine.waiting)
    while queue and machine.fits(queue[0]):
        start(machine, queue.pop(0))
    return queue


class Planner:
    """Runs passes; between passes, stores only the deadline of a blocked head."""

    def __init__(self) -> None:
        self.blocked_head: Job | None = None
        self.deadline = 0

    def arrival(self, machine: Machine, job: Job) -> None:
        """Do nothing: only conservative backfilling acts on arrivals."""

    def completion(self, early: bool) -> None:
        """Do nothing: only conservative backfilling acts on completions."""

    def next_promise(self, now: int) -> float:
        """Return the next instant at which a job may start merely because time has passed."""
        return math.inf

    def run_pass(self, machine: Machine) -> None:
        queue = start_in_order(machine)
        if not queue:
            self.blocked_head = None
            return
        backfill = machine.policy.backfill
        candidates = machine.in_order(queue[1:], machine.policy.backfill_order)
        if backfill == "first-fit":
            self._start_all_that_fit(machine, candidates)
        elif backfill in ("easy", "multiple-queue", "relaxed"):
            self._backfill_behind_head(machine, queue[0], candidates)
        elif backfill in ("depth", "replan"):
            self._backfill_between_reservations(machine, [queue[0], *candidates])

    def _start_all_that_fit(self, machine: Machine, candidates: list[Job]) -> None:
        for job in candidates:
            if machine.fits(job):
                start(machine, job)

    def _backfill_behind_head(self, machine: Machine, head: Job, candidates: list[Job]) -> None:
        """EASY: a candidate may not delay the head beyond its deadline."""
        policy = machine.policy
        self._set_deadline(machine, head)
        extra = free_by(machine, self.deadline) - head.processors
        for job in candidates:
            if not machine.fits(job):
                continue
            end = machine.now + machine.beliefs.of_waiting(job)
            in_time = end < self.deadline if policy.strict_end else end <= self.deadline
            if in_time:
                start(machine, job)
            elif policy.spare_processors and job.processors <= extra:
                extra -= job.processors
                start(machine, job)

    def _set_deadline(self, machine: Machine, head: Job) -> None:
        """Set the head's deadline; a relaxed or frozen one is set only when the head changes."""
        policy = machine.policy
        stays = policy.backfill == "relaxed" or policy.frozen_reservation
        if stays and self.blocked_head is head:
            return
        self.blocked_head = head
        self.deadline = shadow(machine, head)
        if policy.backfill == "relaxed":
            self.deadline += math.floor(policy.relaxation * (self.deadline - head.submit))

    def _backfill_between_reservations(self, machine: Machine, queue: list[Job]) -> None:
        """Depth k: the first k jobs that cannot start have reservations that no job may delay.

        Until the pass ends, a started job is planned with the estimate it had while it waited. A
        reservation holds its processors for at least a second.
        """
        left = math.inf if machine.policy.backfill == "replan" else machine.policy.depth
        plan = plan_of_running(machine)
        for job in queue:
            length = machine.beliefs.of_waiting(job)
            if machine.fits(job) and plan.has_room(machine.now, length, job.processors):
                plan.take(machine.now, length, job.processors)
                start(machine, job)
            elif left > 0:
                left -= 1
                held = max(length, 1)
                plan.take(plan.earliest(held, job.processors), held, job.processors)


def shadow(machine: Machine, head: Job) -> int:
    """Return when, according to the estimates, enough processors are first free for the head."""
    ends = sorted({max(r.estimated_end, machine.now) for r in machine.running})
    return next(end for end in ends if free_by(machine, end) >= head.processors)


def free_by(machine: Machine, time: int) -> int:
    """Count the processors free at an instant, if running jobs end as estimated."""
    busy = [r for r in machine.running if max(r.estimated_end, machine.now) > time]
    return machine.processors - sum(r.job.processors for r in busy)
