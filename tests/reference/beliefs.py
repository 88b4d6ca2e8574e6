"""Run times that the scheduler assumes (docs/concepts/replay.md).

`user-history` follows Tsafrir, Etsion and Feitelson, "Backfilling using system-generated
predictions rather than user runtime estimates", TPDS 2007: the mean of the user's last two finished
jobs, and corrections for jobs that outlive their estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.jobs import Job, Running
    from reference.policy import Policy

CORRECTIONS = (60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000)


class Beliefs:
    """Estimates of run times; `user-history` bases them on the user's ended jobs."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.ended: dict[int, list[int]] = {}

    def of_waiting(self, job: Job) -> int:
        return self._estimate(job, self.policy.belief_of_waiting)

    def of_starting(self, job: Job) -> int:
        return self._estimate(job, self.policy.estimates)

    def _estimate(self, job: Job, source: str) -> int:
        if source == "requested":
            return job.requested_time
        if source == "exact":
            return job.length(self.policy.kill_at_limit)
        lengths = self.ended.get(job.user, [])
        if job.user == -1 or len(lengths) < 2:
            return job.requested_time
        mean = (lengths[-2] + lengths[-1]) // 2
        return min(job.requested_time, max(mean, 1))

    def learn(self, ended: Running) -> None:
        self.ended.setdefault(ended.job.user, []).append(ended.end - ended.start)

    def correct(self, running: Running, now: int) -> None:
        """Extend the estimate of a job that has outlived it, unless the job ends now."""
        if not running.estimated_end <= now < running.end:
            return
        limit = running.start + running.job.requested_time
        if self.policy.estimates == "user-history":
            while running.estimated_end <= now and running.estimated_end < limit:
                turn = running.corrections
                grown = (
                    running.estimated_end + CORRECTIONS[turn] if turn < len(CORRECTIONS) else limit
                )
                running.estimated_end = min(grown, limit)
                running.corrections += 1
        if running.estimated_end <= now:
            running.estimated_end = now + 1
