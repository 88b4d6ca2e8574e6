"""What is said of one job's wait."""

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
    "nodes",
    "processors",
]

REASONS: dict[Reason, str] = {
    "hold": "the job itself was held",
    "not eligible": "the log says that it might not start yet",
    "opening hours": "its queue was shut at this time of day",
    "limit": "a limit on jobs or processors left no room for it",
    "dependency": "the job it depends on had not ended, or its user was thinking",
    "fence": "the processors it would have fitted on were kept for other users",
    "drain": "processors were away, or would have been before its end by request",
    "pass": "it would have fitted, but the next periodic pass had not come",
    "order": "it would have fitted, but without backfilling no job passes one before it",
    "log": "it would have fitted, but the log starts it later",
    "dispatcher": "it would have fitted, but the outside dispatcher did not start it",
    "reservation": "it would have fitted, but was not let past a job before it",
    "nodes": "the nodes had no room for all its units",
    "processors": "too few processors were free",
}
"""Every reason, in the order in which they are asked: the first that holds is the one."""


TOGETHER = "together"
"""Stands for a resource where each by itself had room for all units, but on different nodes."""


@dataclass(frozen=True)
class Part:
    """A stretch of the wait with one reason, on the trace's clock."""

    start: int
    end: int
    reason: Reason

    @property
    def seconds(self) -> int:
        """Its length."""
        return self.end - self.start


@dataclass(frozen=True)
class Blocker:
    """A job that ran on processors this job lacked.

    `processor_seconds` is its share of the deficit, by its size: of 10 processors lacking for 60 s
    beside running jobs of 30 and 10 processors, 450 and 150 are theirs.
    """

    job_id: int
    user: int
    processor_seconds: float


@dataclass(frozen=True)
class LimitHeld:
    """A limit that was the reason for a part of the wait.

    Attributes
    ----------
    name : str
        Where the site has it: ``limits.running``, ``queue.small.processors_per_user``.
    whose : str
        Whose jobs count: ``user 3``, ``group 1``, ``queue small`` or ``all jobs``.
    most : int
        The limit.
    unit : str
        What it counts: ``jobs`` or ``processors``.
    seconds : int
        How long it held; where several did at once, the first of the site, then of the queue.
    peak : int
        What counted for it at most, in that time, the job itself left out.
    jobs : tuple of int
        Ids of the jobs that counted, those that did longest first.
    """

    name: str
    whose: str
    most: int
    unit: str
    seconds: int
    peak: int
    jobs: tuple[int, ...]


@dataclass(frozen=True)
class ResourceHeld:
    """A resource of nodes that was the reason for a part of the wait.

    Only nodes that can hold a unit of the job count.

    Attributes
    ----------
    resource : str
        As ``gpus``; ``together`` where each resource by itself had room for all units, but on
        different nodes.
    seconds : int
        How long it had room for fewer units than any other; of equals the first of the machine.
    missing : int
        Units that had no room at most, in that time.
    types : dict of str to int
        Seconds by type of nodes, while nodes were the reason: how long it was this resource that
        left the nodes of that type the least room.
    """

    resource: str
    seconds: int
    missing: int
    types: dict[str, int]


@dataclass(frozen=True)
class Explanation:
    """Why one job waited.

    Attributes
    ----------
    job : int
        Its row in the trace.
    job_id : int
        As the log numbers it.
    submit, start : int, seconds on the trace's clock
        Its wait lies between them.
    parts : tuple of Part
        From submit to start without a gap, but for attempts that were cut short by a crash or an
        outage; neighbours have different reasons.
    blockers : tuple of Blocker
        Who held the processors it lacked, the largest share first. On nodes: who held the resource
        it lacked most, on those that can hold a unit; missing units count by their cores.
    by_user : dict of int to float
        The same, processor-seconds summed by user; -1 where unknown.
    limits : tuple of LimitHeld
        The limits that held it, the longest first; their seconds sum to those of reason ``limit``.
    alone : int, seconds on the trace's clock
        When it would have started had it been the only job.
    overtaken_by : tuple of int
        Ids of jobs behind it in the order that were started past it, by time.
    estimated_start : int or None, seconds on the trace's clock
        What it could be told when it was submitted: its start if every job takes the time believed
        of it and no other arrives; None where that cannot be computed for its site.
    resources : tuple of ResourceHeld
        On a machine of nodes: what they lacked, the longest first; the seconds sum to those of
        reason ``nodes``.
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

    @property
    def wait(self) -> int:
        """Seconds in the queue."""
        return sum(part.seconds for part in self.parts)

    @property
    def seconds(self) -> dict[Reason, int]:
        """Seconds of the wait by reason; they sum to `wait`."""
        found: dict[Reason, int] = {}
        for reason in REASONS:
            total = sum(part.seconds for part in self.parts if part.reason == reason)
            if total:
                found[reason] = total
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
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
        }
