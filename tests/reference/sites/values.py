"""Dataclasses with the field names of slotwise.Site; times are in seconds of the trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from reference.jobs import Job, Running
from reference.policy import Policy

if TYPE_CHECKING:
    from reference.orders import Order

COMPLETED, KILLED, REJECTED, CANCELLED, INTERRUPTED, WAITING, RUNNING = range(7)
REJECT_REASONS = ("none", "too_large", "no_queue", "limit", "maintenance")
NO_REASON, TOO_LARGE, NO_QUEUE, LIMIT, MAINTENANCE = range(5)


@dataclass(frozen=True)
class SiteJob(Job):
    """A row of a trace, including the columns that only sites use; -1 means unknown."""

    group: int = -1
    trace_queue: int = -1
    preceding: int = -1  # position of the job for which this one waits
    think_time: int = 0


@dataclass(frozen=True)
class Pool:
    name: str
    processors: int
    threshold: float | None = None


@dataclass(frozen=True)
class Limits:
    running: int | None = None
    processors_in_use: int | None = None
    running_per_user: int | None = None
    processors_per_user: int | None = None
    running_per_group: int | None = None
    processors_per_group: int | None = None
    queued_per_user: int | None = None
    lifted_when_idle: bool = False


@dataclass(frozen=True)
class NamedLimits:
    """Limits for the jobs of some users or groups; other jobs do not count towards them."""

    limits: Limits
    users: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()

    def covers(self, job: SiteJob) -> bool:
        return job.user in self.users or job.group in self.groups


@dataclass(frozen=True)
class Queue:
    """`processors` is [least, most], `walltime` is (above, up to]; None means no bound."""

    name: str
    processors: tuple[int, int | None] = (1, None)
    walltime: tuple[int, int | None] = (0, None)
    trace_queues: tuple[int, ...] = ()
    priority: float = 0.0
    order: Order | None = None
    limits: Limits = Limits()
    starvation: int | None = None
    hours: tuple[tuple[int, int], ...] = ()  # seconds of the day, [open, close)
    pools: tuple[int, ...] = ()  # positions of pools; empty: all, in file order
    spanning: bool = False

    @property
    def has_ranges(self) -> bool:
        """Return whether the queue also takes jobs whose trace queue is not in `trace_queues`."""
        ranged = (self.processors, self.walltime) != ((1, None), (0, None))
        return ranged or not self.trace_queues


@dataclass(frozen=True)
class Outage:
    """Unavailable processors: the whole machine if `processors` and `pool` are None."""

    start: int
    duration: int
    processors: int | None = None
    every: int | None = None
    mode: str = "drain"  # or "kill", "sudden"
    pool: int | None = None


@dataclass(frozen=True)
class Reservation:
    name: str
    start: int
    duration: int
    processors: int
    pool: int = 0
    every: int | None = None
    users: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()

    def admits(self, job: SiteJob) -> bool:
        return job.user in self.users or job.group in self.groups


@dataclass(frozen=True)
class Crashes:
    times: tuple[int, ...] = ()
    law: str | None = None
    mean: float | None = None
    shape: float = 1.0
    seed: int = 0
    repair: int = 0


@dataclass(frozen=True)
class Interruption:
    requeue: str = "from-start"
    checkpoint_every: int | None = None
    checkpoint_at: int | None = None
    checkpoint_cost: int = 0
    refund: int = 0


@dataclass(frozen=True)
class Site:
    processors: int
    policy: Policy = field(default_factory=Policy)
    pools: tuple[Pool, ...] = ()
    queues: tuple[Queue, ...] = ()
    limits: Limits = Limits()
    named: tuple[NamedLimits, ...] = ()
    outages: tuple[Outage, ...] = ()
    crashes: Crashes = Crashes()
    interruption: Interruption = Interruption()
    reservations: tuple[Reservation, ...] = ()
    dependencies: bool = False
    midnight: int = 0

    @property
    def plans_ahead(self) -> bool:
        """Return whether the site needs estimates under every backfill policy."""
        drains = any(outage.mode == "drain" for outage in self.outages)
        conditions = any(pool.threshold is not None for pool in self.pools)
        spanning = any(queue.spanning for queue in self.queues)
        return bool(self.reservations) or drains or conditions or spanning

    @property
    def events(self) -> tuple[Outage | Reservation, ...]:
        """Return the events that the calendar announces."""
        return self.outages + self.reservations

    @property
    def all_pools(self) -> tuple[Pool, ...]:
        return self.pools or (Pool("machine", self.processors),)

    @property
    def all_queues(self) -> tuple[Queue, ...]:
        return self.queues or (Queue("all"),)

    def pools_of(self, queue: Queue) -> tuple[int, ...]:
        """Return the positions of the pools a queue may use, in order of preference."""
        return queue.pools or tuple(range(len(self.all_pools)))


@dataclass
class RunningJob(Running):
    """A running attempt; `work` seconds were left when it started."""

    job: SiteJob
    shares: dict[int, int] = field(default_factory=dict)  # processors in each pool
    window: tuple[int, int, int] | None = None  # reservation in use, and when it begins and ends
    work: int = 0
    cut: bool = False
    pool: int = -1  # -1 if the job spans pools


class Attempt(NamedTuple):
    job: int
    number: int
    pool: int
    start: int
    end: int
    reason: str
    lost: int
    refunded: int


class SiteOutcome(NamedTuple):
    """The outcome of a job; start, end and wait are -1 if it did not start."""

    start: int
    end: int
    wait: int
    state: int
    backfilled: bool
    queue: int
    pool: int
    reject_reason: str
