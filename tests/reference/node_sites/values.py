"""Dataclasses for a site with nodes; nodes are identified by number, and times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from reference.jobs import Job, Running
from reference.policy import Policy

if TYPE_CHECKING:
    from reference.orders import Order
    from reference.sites.values import Crashes

Amounts = tuple[int, ...]  # amount of each resource, cores first
Places = dict[int, int]  # number of units on each node


@dataclass(frozen=True)
class NodeJob(Job):
    """A row of a trace with its demand; -1 means unknown; `nodes` and `per_node` may be 0 (any)."""

    units: int = 1
    each: Amounts = (1,)
    per_node: int = 0
    nodes: int = 0
    exclusive: str = "no"  # or "job", "user"
    constraint: str = ""
    group: int = -1
    account: int = -1
    qos: int = -1
    trace_queue: int = -1
    has_request: bool = True  # without a request, requested_time is the run time
    preceding: int = -1
    think_time: int = 0

    @property
    def takes_whole_nodes(self) -> bool:
        return self.exclusive == "job"

    @property
    def nodes_asked(self) -> int:
        """Number of nodes that count towards limits before the job is placed."""
        if self.nodes:
            return self.nodes
        if self.takes_whole_nodes:
            return self.units
        return -(-self.units // self.per_node) if self.per_node else 1


@dataclass(frozen=True)
class NodeType:
    count: int
    amounts: Amounts
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeLimits:
    """Limits on jobs and processors; keys of `amounts` are (owner kind, resource or "nodes")."""

    running: int | None = None
    processors_in_use: int | None = None
    running_per: dict[str, int] = field(default_factory=dict)  # by user, group, account, qos
    processors_per: dict[str, int] = field(default_factory=dict)
    queued_per_user: int | None = None
    submitted: int | None = None
    submitted_per: dict[str, int] = field(default_factory=dict)
    amounts: dict[tuple[str, str], int] = field(default_factory=dict)  # such as ("user", "gpus"): 4
    over_submitted: str = "reject"


@dataclass(frozen=True)
class NamedNodeLimits:
    """Limits for the jobs of some owners, such as ``{"user": (1, 2)}``; other jobs do not count."""

    owners: dict[str, tuple[int, ...]]
    limits: NodeLimits

    def covers(self, job: NodeJob) -> bool:
        return any(getattr(job, holder) in numbers for holder, numbers in self.owners.items())


@dataclass(frozen=True)
class NodeQueue:
    """`processors` is [least, most], `walltime` is (above, up to]; None means no bound."""

    name: str
    nodes: frozenset[int] | None = None  # None: all
    processors: tuple[int, int | None] = (1, None)
    walltime: tuple[int, int | None] = (0, None)
    trace_queues: tuple[int, ...] = ()
    priority: float = 0.0
    order: Order | None = None
    limits: NodeLimits = NodeLimits()
    starvation: int | None = None
    hours: tuple[tuple[int, int], ...] = ()
    default_walltime: int = 0  # request of jobs without one; a longer run time replaces it

    @property
    def has_ranges(self) -> bool:
        ranged = (self.processors, self.walltime) != ((1, None), (0, None))
        return ranged or not self.trace_queues


@dataclass(frozen=True)
class NodeOutage:
    """An outage of named nodes, of a number of nodes of one type or any type, or of all nodes."""

    start: int
    duration: int
    nodes: frozenset[int] | None = None
    mode: str = "drain"  # or "kill", "sudden"
    count: int | None = None
    kind: int | None = None  # index of the node type
    every: int | None = None  # seconds from one start to the next


@dataclass(frozen=True)
class NodeReservation:
    """Named nodes, or a number of nodes of one type or of any type, reserved for some owners."""

    start: int
    duration: int
    nodes: frozenset[int] | None
    users: tuple[int, ...] = ()
    count: int | None = None
    kind: int | None = None
    groups: tuple[int, ...] = ()
    accounts: tuple[int, ...] = ()
    qos: tuple[int, ...] = ()
    every: int | None = None

    def admits(self, job: NodeJob) -> bool:
        return (
            job.user in self.users
            or job.group in self.groups
            or job.account in self.accounts
            or job.qos in self.qos
        )


@dataclass(frozen=True)
class NodeSite:
    types: tuple[NodeType, ...]
    resources: tuple[str, ...] = ("cores",)
    policy: Policy = field(default_factory=Policy)
    reserve: str = "numbers"
    placement: str = "least-scarce"
    allocation: str = ""  # the torus's allocation rule; empty without a torus
    queues: tuple[NodeQueue, ...] = ()
    limits: NodeLimits = NodeLimits()
    named: tuple[NamedNodeLimits, ...] = ()
    outages: tuple[NodeOutage, ...] = ()
    reservations: tuple[NodeReservation, ...] = ()
    crashes: tuple[int, ...] = ()  # crashes of the whole machine
    node_crashes: Crashes | None = None  # failures of single nodes; replaces `crashes`
    repair: int = 0
    dependencies: bool = False
    midnight: int = 0
    tells_users: bool = False  # True if some job has exclusive="user"

    @property
    def type_of(self) -> list[NodeType]:
        return [kind for kind in self.types for _ in range(kind.count)]

    @property
    def n_nodes(self) -> int:
        return sum(kind.count for kind in self.types)

    @property
    def events(self) -> tuple[NodeOutage | NodeReservation, ...]:
        """Return all events of the calendar, announced or not."""
        return self.outages + self.reservations

    @property
    def all_queues(self) -> tuple[NodeQueue, ...]:
        return self.queues or (NodeQueue("all"),)

    def nodes_of(self, queue: NodeQueue) -> frozenset[int]:
        return frozenset(range(self.n_nodes)) if queue.nodes is None else queue.nodes

    def allowed(self, queue: NodeQueue, job: NodeJob) -> frozenset[int]:
        """Return the nodes of a queue that satisfy the constraint of a job."""
        types = self.type_of
        return frozenset(n for n in self.nodes_of(queue) if meets(types[n], job.constraint))

    def class_of(self, node: int) -> tuple[object, ...]:
        """Return the properties of a node that matter to jobs: type, queues, announced events."""
        kind = self.type_of[node]
        queues = tuple(node in self.nodes_of(queue) for queue in self.all_queues)
        announced = [o for o in self.outages if o.mode == "drain"]
        named = tuple(
            each.nodes is not None and node in each.nodes
            for each in [*announced, *self.reservations]
        )
        return self.type_numbers[node], frozenset(kind.features), queues, named

    @cached_property
    def type_numbers(self) -> list[int]:
        return [at for at, kind in enumerate(self.types) for _ in range(kind.count)]

    @cached_property
    def classes(self) -> list[frozenset[int]]:
        """Return the nodes of each class, in the order of their first nodes."""
        found: dict[object, set[int]] = {}
        for node in range(self.n_nodes):
            found.setdefault(self.class_of(node), set()).add(node)
        return [frozenset(nodes) for nodes in found.values()]

    def in_reach(self, choice: NodeOutage | NodeReservation) -> list[int]:
        """Return the indices of the classes from which an event may take nodes."""
        return [
            at
            for at, nodes in enumerate(self.classes)
            if choice.kind in (None, self.type_numbers[min(nodes)])
        ]

    def shares(self, choice: NodeOutage | NodeReservation) -> dict[int, int]:
        """Return how many nodes an event takes from each class, in order."""
        left = self.n_nodes if choice.count is None else choice.count
        found = {}
        for at in self.in_reach(choice):
            found[at] = min(left, len(self.classes[at]))
            left -= found[at]
        return {at: count for at, count in found.items() if count}


def meets(kind: NodeType, constraint: str) -> bool:
    """Return whether nodes of a type satisfy a constraint such as ``a&b|c``."""
    if not constraint:
        return True
    return any(set(part.split("&")) <= set(kind.features) for part in constraint.split("|"))


@dataclass
class RunningNodeJob(Running):
    job: NodeJob
    places: Places = field(default_factory=dict)
    cut: bool = False
    inside: tuple[int, int] | None = None  # number of the job's reservation; end of the window
