"""Explanation of one job's wait: reasons, limits and blocking jobs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Reason = Literal[
    "hold",
    "not eligible",
    "opening hours",
    "limit",
    "dependency",
    "fence",
    "drain",
    "pass",
    "order",
    "log",
    "dispatcher",
    "reservation",
    "plan",
    "untested",
    "nodes",
    "apart",
    "processors",
]

REASONS: dict[Reason, str] = {
    "hold": "the job was held",
    "not eligible": "the log states a later eligible time",
    "opening hours": "its queue was closed at this time of day",
    "limit": "a limit on jobs, processors or resources was reached",
    "dependency": "a job on which it depends had not ended, or its think time was not over",
    "fence": "the processors it needed were reserved for other users",
    "drain": "processors were out of service, or would have been before its requested time was "
    "over",
    "pass": "it fitted, but the next periodic scheduling pass was not yet due",
    "order": "it fitted, but no job may overtake another without backfilling",
    "log": "it fitted, but started later in the log",
    "dispatcher": "it fitted, but the external dispatcher did not start it",
    "reservation": "it fitted, but could not overtake a job ahead of it",
    "plan": "it fitted, but another job was planned on nodes it needed",
    "untested": "the backfill cycle did not reach it, because of bf_max_job_test or a similar "
    "limit",
    "nodes": "not all its units fitted on the nodes",
    "apart": "enough nodes were free, but not next to one another",
    "processors": "too few processors were free",
}
"""Every reason, in the order in which they are tested; the first that applies is reported."""


TOGETHER = "together"
"""A pseudo-resource: each resource alone was sufficient for all units, but on different nodes."""


@dataclass(frozen=True)
class Part:
    """A part of the wait that has a single reason; its times are on the trace's clock."""

    start: int
    end: int
    reason: Reason

    @property
    def seconds(self) -> int:
        """Length of the part."""
        return self.end - self.start


@dataclass(frozen=True)
class Blocker:
    """A job that ran on processors that the explained job lacked.

    `processor_seconds` is this job's share of the missing processors, in proportion to its size. If
    10 processors are missing for 60 s while jobs on 30 and 10 processors are running, their shares
    are 450 and 150.
    """

    job_id: int
    user: int
    processor_seconds: float


@dataclass(frozen=True)
class LimitHeld:
    """A limit that was the reason for part of the wait.

    Attributes
    ----------
    name : str
        Key in the site: ``limits.running``, ``queue.small.processors_per_user``; or
        ``array_limit``, which is a column of the trace.
    whose : str
        Owner of the counted jobs: ``user 3``, ``group 1``, ``queue small``, ``array 7`` or ``all
        jobs``.
    most : int
        The limit.
    unit : str
        Unit of the count: ``jobs``, ``processors``, ``nodes``, a resource, or ``KB`` for memory.
    seconds : int
        Time for which this limit was the reason. If several limits apply at once, only the first
        one counts: ``array_limit``, then the limits of the site, the queue and ``named_limit``.
    peak : int
        Largest count in that time, excluding the job itself.
    jobs : tuple of int
        Ids of the counted jobs, starting with the job that was counted for the longest time.
    """

    name: str
    whose: str
    most: int
    unit: str
    seconds: int
    peak: int
    jobs: tuple[int, ...]


@dataclass(frozen=True)
class DependencyHeld:
    """A job that the explained job depended on and waited for.

    Attributes
    ----------
    job_id : int
    kind : str
        ``preceding_job``, or the kind of the condition: ``afterok`` (also for
        ``aftercorr``), ``afterany`` (also for ``singleton``) or ``afternotok``.
    until : int, seconds on the trace's clock
        Time from which the condition was met, including the think time.
    """

    job_id: int
    kind: str
    until: int


@dataclass(frozen=True)
class PlanHeld:
    """A waiting job whose plan reserved nodes that the explained job needed.

    Plans delay jobs only under the ``slurm`` backfill.

    Attributes
    ----------
    job_id : int
    seconds : int
        Time for which its plan was the reason.
    """

    job_id: int
    seconds: int


@dataclass(frozen=True)
class JobPriority:
    """The priority of a job at an instant, under Slurm's ``multifactor`` order.

    Attributes
    ----------
    job_id : int
    time : int, seconds on the trace's clock
    priority : int
        Sum of the parts, less ``nice``, rounded down; at least 1.
    parts : dict of str to float
        Weight times factor of each part that has a weight: ``age``, ``association``,
        ``fairshare``, ``job_size``, ``partition``, ``qos``, and ``tres cores`` and similar for
        resources. Also the values of ``site`` and ``nice``, if any job has one.
    """

    job_id: int
    time: int
    priority: int
    parts: dict[str, float]


@dataclass(frozen=True)
class ResourceHeld:
    """A node resource that was the reason for part of the wait.

    Only nodes that are large enough for a unit of the job are counted.

    Attributes
    ----------
    resource : str
        A name such as ``gpus``; ``together`` if each resource alone was sufficient for all units,
        but on different nodes.
    seconds : int
        Time for which this resource was the scarcest: the one that, if checked alone, lets the
        fewest units fit. Ties go to the machine's first resource.
    missing : int
        In that time, the largest number of units that did not fit.
    types : dict of str to int
        For each node type, the seconds for which this resource was the scarcest on nodes of that
        type.
    nodes : str
        Names of the nodes on which other jobs used the resource in that time, as a Slurm node list.
    """

    resource: str
    seconds: int
    missing: int
    types: dict[str, int]
    nodes: str = ""


@dataclass(frozen=True)
class Explanation:
    """The reasons for one job's wait.

    Attributes
    ----------
    job : int
        Row in the trace.
    job_id : int
        Number in the log.
    submit, start : int, seconds on the trace's clock
        Beginning and end of the wait.
    parts : tuple of Part
        Consecutive parts from submission to start. The only gaps are attempts that ended in a crash
        or an outage. Neighbouring parts have different reasons.
    blockers : tuple of Blocker
        Jobs that used the missing processors, the largest share first. On a machine with nodes,
        these are jobs that used the scarcest resource on nodes large enough for a unit, and the
        cores of the missing units are shared out among them.
    by_user : dict of int to float
        Processor-seconds of the blockers summed by user; -1 is for unknown users.
    limits : tuple of LimitHeld
        Limits that delayed the job, the longest delay first; their seconds add up to those of
        reason ``limit``.
    alone : int, seconds on the trace's clock
        Start time that the job would have had without the other jobs.
    overtaken_by : tuple of int
        Ids of jobs that were behind this job in the queue but were backfilled before it, in order
        of time.
    estimated_start : int or None, seconds on the trace's clock
        Start predicted when the job was submitted, if every job runs as long as the scheduler
        assumes and no other job arrives. None if the site does not allow this prediction.
    resources : tuple of ResourceHeld
        Missing resources on a machine with nodes, the longest shortage first; their seconds add up
        to those of reason ``nodes``.
    dependencies : tuple of DependencyHeld
        Jobs that this job depended on and that were unfinished when it was submitted, the latest
        first.
    plans : tuple of PlanHeld
        Jobs whose plans were the reason, the longest delay first; only under the ``slurm``
        backfill, where their seconds add up to those of reason ``plan``.
    priorities : tuple of JobPriority
        Priorities under the ``slurm`` preset with the ``multifactor`` order: the job's when it was
        submitted and when it started, and that of each job in `plans` when its plan first became
        the reason. Empty if no part has a weight.
    """

    job: int
    job_id: int
    submit: int
    start: int
    parts: tuple[Part, ...]
    blockers: tuple[Blocker, ...]
    by_user: dict[int, float]
    limits: tuple[LimitHeld, ...]
    alone: int
    overtaken_by: tuple[int, ...]
    estimated_start: int | None
    resources: tuple[ResourceHeld, ...] = ()
    dependencies: tuple[DependencyHeld, ...] = ()
    plans: tuple[PlanHeld, ...] = ()
    priorities: tuple[JobPriority, ...] = ()

    @property
    def wait(self) -> int:
        """Seconds in the queue."""
        return sum(part.seconds for part in self.parts)

    @property
    def seconds(self) -> dict[Reason, int]:
        """Seconds of the wait by reason; they add up to `wait`."""
        found: dict[Reason, int] = {}
        for reason in REASONS:
            total = sum(part.seconds for part in self.parts if part.reason == reason)
            if total:
                found[reason] = total
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values."""
        plans = {"plans": [asdict(held) for held in self.plans]} if self.plans else {}
        listed = [asdict(each) for each in self.priorities]
        priorities = {"priorities": listed} if listed else {}
        return (
            plans
            | priorities
            | {
                "job_id": self.job_id,
                "submit": self.submit,
                "start": self.start,
                "wait": self.wait,
                "seconds": dict(self.seconds),
                "parts": [[part.start, part.end, part.reason] for part in self.parts],
                "blockers": [[b.job_id, b.user, b.processor_seconds] for b in self.blockers],
                "by_user": {str(user): value for user, value in self.by_user.items()},
                "limits": [asdict(limit) for limit in self.limits],
                "alone": self.alone,
                "overtaken_by": list(self.overtaken_by),
                "estimated_start": self.estimated_start,
                "resources": [asdict(held) for held in self.resources],
                "dependencies": [asdict(held) for held in self.dependencies],
            }
        )
