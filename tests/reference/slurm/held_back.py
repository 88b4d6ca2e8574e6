"""Jobs that Slurm's schedulers pass over because of a dependency or a limit.

Rules 14 and 15 of docs/slurm_rules.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reference.slurm.job import Job
    from reference.slurm.parameters import Parameters
    from reference.slurm.running import Running


@dataclass(frozen=True)
class Limit:
    """The maximum that running jobs may use together; `counts` is jobs, cpus, gpus or nodes.

    `per` is all, user or account: all jobs, or those of one user or account, count together. If
    `partition` is not empty, only jobs of this partition count.
    """

    most: int
    counts: str = "jobs"
    per: str = "user"
    partition: str = ""

    def concerns(self, job: Job) -> bool:
        """Return true if the job counts towards the limit."""
        return self.partition in ("", job.partition)

    def amount(self, job: Job) -> int:
        """Return the amount that the job requests, and so adds to the count."""
        return {
            "jobs": 1,
            "cpus": job.cpus_per_node * job.nodes,
            "gpus": job.gpus * job.nodes,
            "nodes": job.nodes,
        }[self.counts]

    def is_of_one(self, job: Job, other: Job) -> bool:
        """Return true if both jobs count towards the same total."""
        return self.per == "all" or getattr(job, self.per) == getattr(other, self.per)


def is_held_back(job: Job, running: Iterable[Running], given: Parameters) -> bool:
    """Return true if the job would exceed a limit together with the running jobs."""
    others = [each.job for each in running]
    if given.jobs_per_user and _count(o.user == job.user for o in others) >= given.jobs_per_user:
        return True
    tasks = _count(job.array >= 0 and other.array == job.array for other in others)
    if job.array_limit and tasks >= job.array_limit:
        return True
    for limit in given.limits:
        if not limit.concerns(job):
            continue
        used = sum(
            limit.amount(other)
            for other in others
            if limit.concerns(other) and limit.is_of_one(job, other)
        )
        if used + limit.amount(job) > limit.most:
            return True
    return False


def exceeds_alone(job: Job, given: Parameters) -> bool:
    """Return true for a job that by itself exceeds a limit on amounts; such a job is refused."""
    return any(
        limit.concerns(job) and limit.amount(job) > limit.most
        for limit in given.limits
        if limit.counts != "jobs"
    )


def may_submit(jobs: Sequence[Job], present: Iterable[Job], given: Parameters) -> bool:
    """Return true if jobs submitted together stay within every limit on submitted jobs."""
    known = list(present)
    for job in jobs:
        for limit in given.submit_limits:
            same = (limit.concerns(other) and limit.is_of_one(job, other) for other in known)
            if limit.concerns(job) and _count(same) >= limit.most:
                return False
        known.append(job)
    return True


def _count(flags: Iterable[bool]) -> int:
    return sum(flags)


def eligible_from(
    job: Job, over: Mapping[int, int], refused: Iterable[int], jobs: Mapping[int, Job]
) -> int | None:
    """Return the time from which the job is eligible; None if a dependency is not yet met.

    That is the submit time, or the later time at which the last dependency is met. `over` gives the
    time at which the nodes of each finished job became free. Dependencies on refused jobs are
    ignored.
    """
    found = job.submit
    for kind, number in job.after:
        if number in refused:
            continue
        if number not in over:
            return None
        if kind == {True: "afterok", False: "afternotok"}[jobs[number].fails]:
            return None  # never met
        found = max(found, over[number])
    return found
