"""The state of a replay at one instant: waiting jobs, running jobs, free processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.beliefs import Beliefs
from reference.jobs import Job, Running
from reference.orders import ranked
from reference.usage import Usage

if TYPE_CHECKING:
    from reference.orders import Order
    from reference.policy import Policy


class Machine:
    def __init__(self, processors: int, policy: Policy, first_submit: int) -> None:
        self.processors = processors
        self.policy = policy
        self.first_submit = first_submit
        self.beliefs = Beliefs(policy)
        self.usage = Usage()
        self.now = first_submit
        self.waiting: list[Job] = []
        self.running: list[Running] = []
        self.backfilled: set[int] = set()

    def in_order(self, jobs: list[Job], order: Order | None = None) -> list[Job]:
        return ranked(order or self.policy.order, jobs, self.now, self.first_submit, self.usage)

    def free(self) -> int:
        """Count the processors that a job may take now."""
        busy = [r for r in self.running if not self._counts_as_gone(r)]
        return self.processors - sum(r.job.processors for r in busy)

    def _counts_as_gone(self, running: Running) -> bool:
        return self.policy.ending_now == "free" and running.estimated_end <= self.now

    def fits(self, job: Job) -> bool:
        return job.processors <= self.free()

    def pass_at_or_after(self, time: int) -> int:
        """Return the first instant from `time` onwards at which a pass may run."""
        period = self.policy.period or 1
        return self.first_submit + -(-(time - self.first_submit) // period) * period

    def start(self, job: Job, estimate: int) -> None:
        """Start a job; it counts as backfilled if a job that precedes it still waits."""
        if self.in_order(self.waiting)[0] is not job:
            self.backfilled.add(job.position)
        self.waiting.remove(job)
        self.usage.note(job.user, self.now, job.processors)
        end = self.now + job.length(self.policy.kill_at_limit)
        self.running.append(Running(job, self.now, end, self.now + estimate))

    def complete(self, ended: Running) -> None:
        self.running.remove(ended)
        self.usage.note(ended.job.user, self.now, -ended.job.processors)
        self.beliefs.learn(ended)

    def correct_estimates(self) -> None:
        for running in self.running:
            self.beliefs.correct(running, self.now)
