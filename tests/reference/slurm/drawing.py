"""Random, crowded states of a cluster under Slurm, in which jobs compete for nodes.

Amounts, limits and priorities have few possible values, so many jobs are alike or end together.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reference.slurm.held_back import Limit
from reference.slurm.job import Job
from reference.slurm.machine import Machine, Node, Partition
from reference.slurm.node_sets import members, node_set
from reference.slurm.parameters import Parameters
from reference.slurm.running import Running
from reference.slurm.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

MINUTE = 60
MOST_TRIES = 4  # number of attempts to place a running job


@dataclass(frozen=True)
class Shape:
    """Sizes of a drawn state: nodes, waiting jobs, and kinds of requests."""

    nodes: tuple[int, int] = (2, 24)
    waiting: tuple[int, int] = (4, 40)
    kinds: tuple[int, int] = (1, 6)
    most_groups: int = 3  # groups of equal nodes


SHAPES = {
    "small": Shape(),
    "dense": Shape(nodes=(4, 16), waiting=(30, 70), kinds=(2, 5)),
    "large": Shape(nodes=(150, 200), waiting=(150, 200), kinds=(6, 10)),
}


@dataclass(frozen=True)
class DrawnState:
    """A machine, the parameters, and the state in which a scheduler decides.

    `lighter` gives, by node, how much the previous decision lowered the node's weight. `submitted`
    lists the waiting jobs submitted since that decision.
    """

    machine: Machine
    parameters: Parameters
    state: State
    lighter: dict[int, int]
    submitted: tuple[Job, ...]


def draw_state(draw: Random, shape: Shape | None = None) -> DrawnState:
    """Return a state with running, completing and waiting jobs."""
    shape = shape or Shape()
    machine = draw_machine(draw, shape)
    parameters = draw_parameters(draw)
    kinds = [draw_kind(draw, machine) for _ in range(draw.randint(*shape.kinds))]
    # Most instants are multiples of 30 s, so that they coincide with one another and with
    # bf_resolution.
    step = draw.choice((1, 30, 60))
    now = 600_000 + draw.choice((0, 0, 30, draw.randrange(600)))
    running = _Placed(machine, now, step).draw(draw, kinds)
    n_waiting = draw.randint(*shape.waiting)
    numbers = iter(draw.sample(range(4 * (n_waiting + len(running)) + 1), n_waiting + len(running)))
    running = [
        dataclasses.replace(each, job=dataclasses.replace(each.job, number=next(numbers)))
        for each in running
    ]
    waiting = [
        _submitted(draw, draw.choice(kinds), next(numbers), now, step) for _ in range(n_waiting)
    ]
    levels = draw.choice((1, 1, 3, 100))
    state = State(
        now=now,
        running=running,
        waiting=waiting,
        priority={job.number: float(draw.randint(1, levels)) for job in waiting},
        completing=_completing(draw, machine, running),
    )
    submitted = tuple(waiting[: draw.choice((0, 0, 1, 2))])
    lighter = _lighter(draw, machine)
    if draw.random() < 0.3:
        limits = draw_limits(draw, machine, waiting)
        stops = draw.random() < 0.3
        parameters = dataclasses.replace(parameters, limits=limits, assoc_limit_stop=stops)
    return DrawnState(machine, parameters, state, lighter, submitted)


def draw_machine(draw: Random, shape: Shape) -> Machine:
    """Return groups of equal nodes, in one to three partitions that may overlap."""
    shares = draw.random() < 0.6
    n_nodes = draw.randint(*shape.nodes)
    n_groups = draw.randint(1, min(shape.most_groups, n_nodes))
    cuts = sorted(draw.sample(range(1, n_nodes), n_groups - 1))
    has_gpus = shares and draw.random() < 0.4
    nodes: list[Node] = []
    for first, last in zip([0, *cuts], [*cuts, n_nodes], strict=True):
        kind = Node(
            name="",
            cpus=draw.choice((2, 4, 8)),
            memory=draw.choice((1000, 2000)),
            gpus=draw.choice((0, 2, 4)) if has_gpus else 0,
            features=frozenset(name for name in "ab" if draw.random() < 0.5),
            weight=draw.choice((1, 1, 2, 5)),
        )
        nodes += [dataclasses.replace(kind, name=f"n{place}") for place in range(first, last)]
    counts_memory = shares and draw.random() < 0.5
    partitions = draw_partitions(draw, n_nodes, shares=shares)
    return Machine(tuple(nodes), partitions, shares=shares, counts_memory=counts_memory)


def draw_partitions(draw: Random, n_nodes: int, *, shares: bool) -> dict[str, Partition]:
    """Return up to three partitions; the first one may contain all nodes."""
    found = {}
    for name in "pqr"[: draw.choice((1, 2, 2, 3))]:
        first = draw.randrange(n_nodes)
        nodes = node_set(range(first, draw.randint(first, n_nodes - 1) + 1))
        if draw.random() < 0.2:
            nodes = node_set(draw.sample(range(n_nodes), draw.randint(1, n_nodes)))
        if draw.random() < (0.7 if name == "p" else 0.2):
            nodes = (1 << n_nodes) - 1
        found[name] = Partition(
            name,
            nodes,
            tier=draw.choice((1, 1, 2)),
            max_time=draw.choice((None, None, None, 60 * MINUTE)),
            max_nodes=draw.choice((None, None, None, max(1, n_nodes // 2))),
            exclusive=shares and draw.random() < 0.2,
        )
    return found


def draw_parameters(draw: Random) -> Parameters:
    """Return parameters, most of them at their defaults."""

    def rarely(name: str, *values: Any) -> dict[str, Any]:
        return {name: draw.choice(values)} if draw.random() < 0.1 else {}

    return Parameters(
        bf_resolution=draw.choice((60, 60, 1, 300, 600)),
        **rarely("bf_window", 10 * MINUTE, 61 * MINUTE, 300 * MINUTE),
        **rarely("bf_max_job_test", 1, 5, 15),
        **rarely("bf_node_space_size", 2, 5, 30),
        **rarely("bf_max_job_user", 1, 3),
        **rarely("bf_max_job_part", 2, 8),
        **rarely("bf_max_job_user_part", 1, 3),
        **rarely("bf_job_part_count_reserve", 1, 4),
        **rarely("bf_min_prio_reserve", 2, 50),
        **rarely("bf_min_age_reserve", 600, 3600),
        **rarely("bf_window_linear", 30, 60, 300),
        **rarely("default_queue_depth", 0, 1, 3, 10),
        **rarely("partition_job_depth", 1, 3, 10),
        **rarely("kill_wait", 0, 60, 600),
        **rarely("over_time_limit", MINUTE, 10 * MINUTE),
        **rarely("bf_max_time_jobs", 1, 4, 12),
    )


def draw_limits(draw: Random, machine: Machine, jobs: Sequence[Job]) -> tuple[Limit, ...]:
    """Return limits, at most one of each kind, that hold back some of the jobs."""
    found: dict[tuple[str, str, str], Limit] = {}
    for _ in range(draw.choice((1, 1, 2, 3))):
        counts = draw.choice(("jobs", "jobs", "cpus", "gpus", "nodes"))
        per = draw.choice(("user", "user", "all"))
        partition = draw.choice(("", "", draw.choice(list(machine.partitions))))
        amounts = [Limit(0, counts).amount(job) for job in jobs]
        most = max(draw.choice(amounts) * draw.choice((1, 1, 2, 3)), 1)
        found[counts, per, partition] = Limit(most, counts, per, partition)
    if not any(node.gpus for node in machine.nodes):
        found = {key: limit for key, limit in found.items() if limit.counts != "gpus"}
    return tuple(found.values())


def draw_kind(draw: Random, machine: Machine) -> Job:
    """Return a request that, in most cases, some nodes of its partition can satisfy."""
    partition = draw.choice(list(machine.partitions.values()))
    places = members(partition.nodes)
    model = machine.nodes[draw.choice(places)]
    n_nodes = draw.choice((1, 1, 1, 2, 2, 3, draw.randint(1, len(places))))
    # The oracle ignores CPUs under select/linear, so requests must fit the smallest node.
    most = model.cpus if machine.shares else min(node.cpus for node in machine.nodes)
    exclusive = machine.shares and (partition.exclusive or draw.random() < 0.1)
    per_node = 1 if exclusive else draw.randint(1, most)
    # A job that requests no memory takes all the memory of its nodes. This amount is comparable
    # only if all nodes have equal memory.
    is_even = len({node.memory for node in machine.nodes}) == 1
    known = sorted(frozenset().union(*(node.features for node in machine.nodes)))
    part = draw.choice((0, 1, 2, 4) if is_even else (1, 2, 4))
    return Job(
        number=0,
        submit=0,
        limit=MINUTE * draw.choice((1, 2, 5, 10, 30, 60, 60, 120, draw.randint(1, 600))),
        nodes=min(n_nodes, len(places)),
        cpus=per_node * min(n_nodes, len(places)),
        partition=partition.name,
        memory=model.memory // part if machine.counts_memory and part else 0,
        gpus=draw.randint(0, model.gpus),
        feature=draw.choice(["", "", "", *known]),
        exclusive=exclusive,
    )


def _submitted(draw: Random, kind: Job, number: int, now: int, step: int) -> Job:
    """Return a waiting job with the request of `kind`, except perhaps for its limit."""
    limit = kind.limit if draw.random() < 0.8 else draw.choice((10, 60, 240)) * MINUTE
    return dataclasses.replace(
        kind,
        number=number,
        submit=now - step * draw.choice((0, 1, draw.randint(0, 7200 // step))),
        limit=limit,
        user=str(draw.randint(1, 3)),
    )


def _lighter(draw: Random, machine: Machine) -> dict[int, int]:
    """Return, by node, how much tests of GPU jobs have lowered the node's weight."""
    if draw.random() < 0.7:
        return {}
    return {
        place: draw.randint(1, node.gpus)
        for place, node in enumerate(machine.nodes)
        if node.gpus and draw.random() < 0.5
    }


def _completing(draw: Random, machine: Machine, running: list[Running]) -> int:
    """Return nodes whose last job has just ended."""
    if draw.random() < 0.6:
        return 0
    taken = 0
    for each in running:
        taken |= each.nodes
    free = [place for place in range(len(machine.nodes)) if not taken >> place & 1]
    return node_set(place for place in free if draw.random() < 0.3)


class _Placed:
    """Running jobs on nodes, and the resources left free on each node."""

    def __init__(self, machine: Machine, now: int, step: int) -> None:
        self.machine = machine
        self.now = now
        self.step = step
        self.cpus = [node.cpus for node in machine.nodes]
        self.memory = [node.memory for node in machine.nodes]
        self.gpus = [node.gpus for node in machine.nodes]

    def draw(self, draw: Random, kinds: list[Job]) -> list[Running]:
        """Return running jobs that fill a random part of the machine."""
        most = draw.choice((0, len(self.cpus) // 2, len(self.cpus), 2 * len(self.cpus)))
        found: list[Running] = []
        for _ in range(most):
            kind = draw.choice([*kinds, draw_kind(draw, self.machine)])
            start = self._place(draw, kind)
            if start is not None:
                found.append(start)
        return found

    def _place(self, draw: Random, job: Job) -> Running | None:
        """Return a running job on nodes with enough free resources; None if there are none."""
        partition = self.machine.partitions[job.partition]
        usable = partition.nodes & self.machine.with_feature(job.feature)
        room = [place for place in members(usable) if self._has_room(job, place)]
        if len(room) < job.nodes:
            return None
        first = draw.randint(0, len(room) - job.nodes)
        nodes = room[first : first + job.nodes]
        if draw.random() < 0.3:
            nodes = draw.sample(room, job.nodes)
        for place in nodes:
            self._take(job, place)
        elapsed = draw.randrange(0, job.limit + 1, self.step)
        if draw.random() < 0.1:  # the job has exceeded its limit
            elapsed = job.limit + self.step * draw.randint(0, 4)
        start = self.now - elapsed
        placed = dataclasses.replace(job, submit=start, user=str(draw.randint(1, 3)))
        return Running(placed, start, node_set(nodes), start + job.limit)

    def _has_room(self, job: Job, place: int) -> bool:
        node = self.machine.nodes[place]
        if job.exclusive or not self.machine.shares:
            return self.cpus[place] == node.cpus and node.gpus >= job.gpus
        if self.machine.counts_memory and self.memory[place] < (job.memory or node.memory):
            return False
        return self.cpus[place] >= job.cpus_per_node and self.gpus[place] >= job.gpus

    def _take(self, job: Job, place: int) -> None:
        node = self.machine.nodes[place]
        whole = job.exclusive or not self.machine.shares
        self.cpus[place] -= node.cpus if whole else job.cpus_per_node
        self.memory[place] -= job.memory or node.memory
        self.gpus[place] -= node.gpus if whole else job.gpus
