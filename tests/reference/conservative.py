"""Conservative backfilling with promises that are kept (docs/concepts/replay.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.planner import plan_of_running

if TYPE_CHECKING:
    from reference.jobs import Job
    from reference.machine import Machine
    from reference.profile import Profile


@dataclass
class Promise:
    """A promised start, which may change, and a length of at least 1 s, which does not."""

    start: int
    length: int


class ConservativePlanner:
    """Every waiting job has a promise, which is moved to a later time only if it cannot be kept."""

    def __init__(self, compress_at_every_end: bool) -> None:
        self.promises: dict[int, Promise] = {}
        self.compress = False
        self.every_end = compress_at_every_end

    def arrival(self, machine: Machine, job: Job) -> None:
        """Make a promise now if the policy requires it; otherwise, leave it to the next pass."""
        if machine.policy.promises == "per-arrival":
            self._promise(machine, self._plan(machine), job)

    def completion(self, early: bool) -> None:
        """Record a completion; it is early if the job was estimated to run longer."""
        self.compress = self.compress or early or self.every_end

    def next_promise(self, now: int) -> float:
        """Return the next promised start after now; infinity if there is none."""
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
            promise = self.promises[job.position]
            if promise.start == machine.now and machine.fits(job):
                del self.promises[job.position]
                machine.start(job, promise.length)

    def _promised(self, machine: Machine) -> list[tuple[Job, Promise]]:
        return [
            (job, self.promises[job.position])
            for job in machine.in_order(machine.waiting)
            if job.position in self.promises
        ]

    def _plan(self, machine: Machine) -> Profile:
        """Return the free processors if running jobs end as estimated and promises are kept."""
        plan = plan_of_running(machine)
        for job, promise in self._promised(machine):
            plan.take(promise.start, promise.length, job.processors)
        return plan

    def _promise(self, machine: Machine, plan: Profile, job: Job) -> None:
        length = max(machine.beliefs.of_starting(job), 1)
        self.promises[job.position] = Promise(self._earliest(machine, plan, job, length), length)

    def _earliest(self, machine: Machine, plan: Profile, job: Job, length: int) -> int:
        """Return the first instant at which a pass runs and the job fits."""
        passes = (machine.pass_at_or_after(time) for time in plan.times)
        return next(time for time in passes if plan.has_room(time, length, job.processors))

    def _place_infeasible_again(self, machine: Machine) -> None:
        """Keep the valid promises, then make new ones for the other jobs, both in queue order."""
        plan = plan_of_running(machine)
        broken = []
        for job, promise in self._promised(machine):
            if plan.has_room(promise.start, promise.length, job.processors):
                plan.take(promise.start, promise.length, job.processors)
            else:
                broken.append((job, promise))
        for job, promise in broken:
            promise.start = self._earliest(machine, plan, job, promise.length)
            plan.take(promise.start, promise.length, job.processors)

    def _compress(self, machine: Machine) -> None:
        """Withdraw each promise of a future start, and promise the job its earliest start."""
        plan = self._plan(machine)
        for job, promise in self._promised(machine):
            if promise.start > machine.now:
                plan.give_back(promise.start, promise.length, job.processors)
                promise.start = self._earliest(machine, plan, job, promise.length)
                plan.take(promise.start, promise.length, job.processors)
