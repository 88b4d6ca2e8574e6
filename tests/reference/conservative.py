"""Conservative backfilling with promises that are kept (DESIGN rule 9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reference.jobs import Job
from reference.machine import Machine
from reference.planner import plan_of_running
from reference.profile import Profile


@dataclass
class Promise:
    """A start, for the length believed when it was first promised."""

    start: int
    length: int


class ConservativePlanner:
    """Every waiting job holds a promise; a promise moves earlier when room appears, later only when it must."""

    def __init__(self, compress_at_every_end: bool) -> None:
        self.promises: dict[int, Promise] = {}
        self.compress = False
        self.every_end = compress_at_every_end

    def arrival(self, machine: Machine, job: Job) -> None:
        """Promise a start at once where the policy says so; otherwise the next pass does."""
        if machine.policy.promises == "per-arrival":
            self._promise(machine, self._plan(machine), job)

    def completion(self, early: bool) -> None:
        """Take note of a completion, early if the job was believed to run longer."""
        self.compress = self.compress or early or self.every_end

    def next_promise(self, now: int) -> float:
        """Give the next instant at which time alone makes a job start."""
        return min((p.start for p in self.promises.values() if p.start > now), default=math.inf)

    def run_pass(self, machine: Machine) -> None:
        self._place_infeasible_again(machine)
        if self.compress:
            self._compress(machine)
        self.compress = False
        for job in machine.in_order(machine.waiting):
            if job.position not in self.promises:
                self._promise(machine, self._plan(machine), job)
        for job in machine.in_order(machine.waiting):
            if self.promises[job.position].start <= machine.now and machine.fits(job):
                del self.promises[job.position]
                machine.start(job)

    def _promised(self, machine: Machine) -> list[tuple[Job, Promise]]:
        return [
            (job, self.promises[job.position])
            for job in machine.in_order(machine.waiting)
            if job.position in self.promises
        ]

    def _plan(self, machine: Machine) -> Profile:
        """Give the free processors if running jobs end as estimated and promises are kept."""
        plan = plan_of_running(machine)
        for job, promise in self._promised(machine):
            plan.take(max(promise.start, machine.now), promise.length, job.processors)
        return plan

    def _promise(self, machine: Machine, plan: Profile, job: Job) -> None:
        length = machine.beliefs.of_waiting(job)
        self.promises[job.position] = Promise(plan.earliest(length, job.processors), length)

    def _place_infeasible_again(self, machine: Machine) -> None:
        """Keep, in order, the promises that still hold; then place the others, in order."""
        plan = plan_of_running(machine)
        broken = []
        for job, promise in self._promised(machine):
            promise.start = max(promise.start, machine.now)
            if plan.fits(promise.start, promise.length, job.processors):
                plan.take(promise.start, promise.length, job.processors)
            else:
                broken.append((job, promise))
        for job, promise in broken:
            promise.start = plan.earliest(promise.length, job.processors)
            plan.take(promise.start, promise.length, job.processors)

    def _compress(self, machine: Machine) -> None:
        """Take each promise later than now out and put it back at the earliest place."""
        plan = self._plan(machine)
        for job, promise in self._promised(machine):
            if promise.start > machine.now:
                plan.give_back(promise.start, promise.length, job.processors)
                promise.start = plan.earliest(promise.length, job.processors)
                plan.take(promise.start, promise.length, job.processors)
