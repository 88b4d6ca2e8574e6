"""Replays on a torus: the nodes of each job, and their effect on its run time.

A set of nodes is a sorted list of their positions in the node order (docs/concepts/placement.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from reference.jobs import COMPLETED, KILLED, Job, Outcome
from reference.machine import Machine
from reference.planner import Planner
from reference.simulate import _Replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reference.jobs import Running
    from reference.policy import Policy

Nodes = list[int]
Effect = Callable[[Job, Nodes], int]  # the job's run time on these nodes


def runs(nodes: Iterable[int]) -> list[Nodes]:
    """Split positions into maximal runs of consecutive positions."""
    found: list[Nodes] = []
    for position in sorted(nodes):
        if found and found[-1][-1] == position - 1:
            found[-1].append(position)
        else:
            found.append([position])
    return found


def choose(allocation: str, free: Iterable[int], need: int) -> Nodes | None:
    """Return the nodes for a job of the given size; None if it cannot start."""
    positions = sorted(free)
    if allocation == "first":
        return positions[:need] if len(positions) >= need else None
    if allocation == "least-spread":
        sets = [positions[i : i + need] for i in range(len(positions) - need + 1)]
        return min(sets, key=lambda nodes: (nodes[-1] - nodes[0], nodes[0]), default=None)
    sort = {
        "contiguous": lambda run: run[0],
        "contiguous-best": lambda run: (len(run), run[0]),
        "contiguous-worst": lambda run: (-len(run), run[0]),
    }[allocation]
    fitting = [run for run in runs(positions) if len(run) >= need]
    return min(fitting, key=sort)[:need] if fitting else None


class NodeMachine(Machine):
    """A machine whose jobs take whole nodes; a node is represented by its position."""

    def __init__(
        self, nodes: int, per_node: int, policy: Policy, first_submit: int, effect: Effect
    ) -> None:
        super().__init__(nodes * per_node, policy, first_submit)
        self.per_node = per_node
        self.free_nodes = set(range(nodes))
        self.nodes_of: dict[int, Nodes] = {}
        self.effect = effect

    def need(self, job: Job) -> int:
        return job.processors // self.per_node

    def choose(self, job: Job, avoid: Iterable[int] = ()) -> Nodes | None:
        free = self.free_nodes - set(avoid)
        return choose(self.policy.allocation, free, self.need(job))

    def fits(self, job: Job) -> bool:
        return self.choose(job) is not None

    def start(self, job: Job, estimate: int, avoid: Iterable[int] = ()) -> None:
        nodes = self.choose(job, avoid)
        assert nodes is not None
        super().start(job, estimate)
        self.free_nodes -= set(nodes)
        self.nodes_of[job.position] = nodes
        length = self.effect(job, nodes)
        if self.policy.kill_at_limit:
            length = min(length, job.requested_time)
        self.running[-1].end = self.now + length

    def complete(self, ended: Running) -> None:
        super().complete(ended)
        self.free_nodes |= set(self.nodes_of[ended.job.position])


class ContiguousPlanner(Planner):
    """EASY backfill in which a reservation is a time and an interval of nodes."""

    def _backfill_behind_head(self, machine: Machine, head: Job, candidates: list[Job]) -> None:
        assert isinstance(machine, NodeMachine)
        shadow, reserved = reservation(machine, head)
        for job in candidates:
            length = machine.beliefs.of_waiting(job)
            avoid = [] if machine.now + length <= shadow else reserved
            if machine.choose(job, avoid) is not None:
                machine.start(job, machine.beliefs.of_starting(job), avoid)


def reservation(machine: NodeMachine, head: Job) -> tuple[int, Nodes]:
    """Return the estimated instant at which the head first fits, and its nodes."""
    for end in sorted({max(r.estimated_end, machine.now) for r in machine.running}):
        gone = [r for r in machine.running if r.estimated_end <= end]
        free = machine.free_nodes.union(*(machine.nodes_of[r.job.position] for r in gone))
        nodes = choose(machine.policy.allocation, free, machine.need(head))
        if nodes is not None:
            return end, nodes
    raise AssertionError("a job that fits no empty machine")


@dataclass(frozen=True)
class Placed:
    outcome: Outcome
    nodes: Nodes


class _NodeReplay(_Replay):
    def __init__(
        self, jobs: Sequence[Job], nodes: int, per_node: int, policy: Policy, effect: Effect
    ) -> None:
        whole = [replace(job, processors=-(-job.processors // per_node) * per_node) for job in jobs]
        super().__init__(whole, nodes * per_node, policy, None)
        self.effect = effect
        first_submit = min(job.submit for job in jobs)
        self.machine = self.nodes = NodeMachine(nodes, per_node, policy, first_submit, effect)
        if policy.allocation.startswith("contiguous") and policy.backfill == "easy":
            self.planner = ContiguousPlanner()

    def placed(self) -> list[Placed]:
        outcomes = self.run()
        return [
            Placed(outcome, self.nodes.nodes_of.get(job.position, []))
            for job, outcome in zip(self.jobs, outcomes, strict=True)
        ]

    def _outcome(self, job: Job) -> Outcome:
        outcome = super()._outcome(job)
        if outcome.start == -1:
            return outcome
        length = self.effect(job, self.nodes.nodes_of[job.position])
        killed = self.policy.kill_at_limit and length > job.requested_time
        return outcome._replace(state=KILLED if killed else COMPLETED)


def no_effect(job: Job, nodes: Nodes) -> int:
    return job.run_time


def simulate_on_nodes(
    jobs: Sequence[Job], nodes: int, per_node: int, policy: Policy, effect: Effect = no_effect
) -> list[Placed]:
    """Replay jobs, given in trace order, on nodes that form a line."""
    return _NodeReplay(jobs, nodes, per_node, policy, effect).placed()


def saving(alpha: float, sensitive: Sequence[int]) -> Effect:
    """Return an effect that shortens sensitive jobs on consecutive nodes by a fraction `alpha`."""

    def effect(job: Job, nodes: Nodes) -> int:
        if not sensitive[job.position] or len(runs(nodes)) > 1:
            return job.run_time
        exact = job.run_time * (1 - Fraction(str(alpha))) + Fraction(1, 2)
        return max(1, math.floor(exact))

    return effect


def slowing(gamma: float, shape: Sequence[int], coordinates: Sequence[Sequence[int]]) -> Effect:
    """Return an effect that lengthens jobs by `gamma` × the dispersal of their nodes."""

    def mean(nodes: Sequence[int]) -> float:
        n = len(nodes)
        pairs = pairwise_distances(shape, [coordinates[node] for node in nodes])
        return 2 * sum(pairs) / (n * (n - 1)) if n > 1 else 0.0

    at_random = mean(range(len(coordinates)))

    def effect(job: Job, nodes: Nodes) -> int:
        apart, compact = mean(nodes), mean(range(len(nodes)))
        dispersal = 0.0
        if apart > compact and at_random > compact:
            dispersal = (apart - compact) / (at_random - compact)
        return math.floor(job.run_time * (1 + gamma * dispersal) + 0.5)

    return effect


def permutation(seed: int, n: int) -> list[int]:
    """Return 0 … n - 1, shuffled from the front with unbiased numbers from SplitMix64."""
    state = seed

    def draw() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    order = list(range(n))
    for i in range(n):
        left = n - i
        while (drawn := draw()) < 2**64 % left:
            pass
        j = i + drawn % left
        order[i], order[j] = order[j], order[i]
    return order


def pairwise_distances(shape: Sequence[int], coordinates: Sequence[Sequence[int]]) -> list[int]:
    """Return the torus distance between each pair of nodes."""

    def ring(a: int, b: int, side: int) -> int:
        return min((a - b) % side, (b - a) % side)

    return [
        sum(ring(a, b, side) for a, b, side in zip(one, other, shape, strict=True))
        for one, other in combinations(coordinates, 2)
    ]


def assert_no_node_is_shared(stays: Iterable[tuple[int, int, Nodes]]) -> None:
    """Check that no two jobs, given as (start, end, nodes), use a node at the same time."""
    by_node: dict[int, list[tuple[int, int]]] = {}
    for start, end, nodes in stays:
        if end > start:
            for node in nodes:
                by_node.setdefault(node, []).append((start, end))
    for node, spans in by_node.items():
        for (_, end), (start, _) in pairwise(sorted(spans)):
            assert end <= start, f"node {node} is in two jobs at {start}"
