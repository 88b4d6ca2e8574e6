"""Simulates window scheduling node by node on a row of nodes (docs/concepts/window.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reference.knapsack import SOLVERS, WAITS, largest
from reference.planner import start
from reference.policy import Policy
from reference.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reference.jobs import Job, Outcome
    from reference.machine import Machine

Run = tuple[int, int]  # the first node, and the one after the last


@dataclass(frozen=True)
class WindowPolicy(Policy):
    """A policy with the `window` backfill and its fields."""

    backfill: str = "window"
    window: int = 5
    solver: str = "branch-and-bound"
    slots: str = "largest"
    refill: bool | None = None
    beyond_window: bool = False
    age_limit: int | None = None

    def __post_init__(self) -> None:
        assert self.backfill == "window"

    @property
    def refills(self) -> bool:
        return self.period is None if self.refill is None else self.refill


def runs(nodes: Iterable[int]) -> list[Run]:
    """Return the maximal runs of these nodes, in order."""
    found: list[Run] = []
    for node in sorted(nodes):
        if found and found[-1][1] == node:
            found[-1] = (found[-1][0], node + 1)
        else:
            found.append((node, node + 1))
    return found


def first_fit(nodes: set[int], size: int) -> Run | None:
    """Return the first `size` nodes of the first run that is large enough."""
    return next(((a, a + size) for a, b in runs(nodes) if b - a >= size), None)


class WindowPlanner:
    """Runs passes; records the nodes of every job."""

    def __init__(self, nodes: int, per_node: int) -> None:
        self.nodes = nodes
        self.per_node = per_node
        self.given: dict[int, Run] = {}  # run of nodes of each job
        self.next_of_age: float = math.inf

    def arrival(self, machine: Machine, job: Job) -> None:
        pass

    def completion(self, early: bool) -> None:
        pass

    def next_promise(self, now: int) -> float:
        return self.next_of_age

    def run_pass(self, machine: Machine) -> None:
        window = self._window(machine)
        reserved = None
        while window:
            n_waiting = len(machine.waiting)
            reserved = self._solve_once(machine, window)
            if not machine.policy.refills or len(machine.waiting) == n_waiting:
                break
            window = self._window(machine)
        if machine.policy.beyond_window:
            self._start_behind(machine, window, reserved)
        self._note_ages(machine)

    def _need(self, job: Job) -> int:
        return job.processors // self.per_node

    def _window(self, machine: Machine) -> list[Job]:
        return machine.in_order(machine.waiting)[: machine.policy.window]

    def _free(self, machine: Machine, at: int | None = None) -> set[int]:
        """Return the nodes that are free now or, according to the estimates, at a later instant."""
        free = set(range(self.nodes))
        for running in machine.running:
            if at is None or max(running.estimated_end, machine.now) > at:
                free -= set(range(*self.given[running.job.position]))
        return free

    def _start(self, machine: Machine, job: Job, nodes: Run) -> None:
        self.given[job.position] = nodes
        start(machine, job)

    def _solve_once(self, machine: Machine, window: list[Job]) -> tuple[Job, int, Run] | None:
        """Start aged jobs, the knapsack's choice, and jobs that end before the reservation."""
        reserved = self._serve_the_aged(machine, window)
        free = self._free(machine)
        if reserved:
            free -= set(range(*reserved[2]))
        waiting = [job for job in window if job in machine.waiting]
        self._fill(machine, waiting, runs(free))
        if reserved:
            for job in [job for job in waiting if job in machine.waiting and job != reserved[0]]:
                if machine.now + machine.beliefs.of_waiting(job) <= reserved[1]:
                    nodes = first_fit(self._free(machine), self._need(job))
                    if nodes:
                        self._start(machine, job, nodes)
        return reserved

    def _serve_the_aged(self, machine: Machine, window: list[Job]) -> tuple[Job, int, Run] | None:
        limit = machine.policy.age_limit
        for job in window:
            if limit is None or machine.now - job.submit < limit:
                continue
            nodes = first_fit(self._free(machine), self._need(job))
            if nodes is None:
                return self._reserve(machine, job)
            self._start(machine, job, nodes)
        return None

    def _reserve(self, machine: Machine, job: Job) -> tuple[Job, int, Run]:
        for end in sorted({max(r.estimated_end, machine.now) for r in machine.running}):
            nodes = first_fit(self._free(machine, end), self._need(job))
            if nodes:
                return job, end, nodes
        raise AssertionError("the empty machine holds every job")

    def _fill(self, machine: Machine, jobs: Sequence[Job], slots: list[Run]) -> None:
        if machine.policy.slots == "largest":
            kept = largest([b - a for a, b in slots], len(jobs))
            slots = [slots[i] for i in kept]
        sizes = [self._need(job) for job in jobs]
        found = SOLVERS[machine.policy.solver](sizes, [b - a for a, b in slots])
        left = [a for a, _ in slots]
        for job, size, slot in zip(jobs, sizes, found, strict=True):
            if slot != WAITS:
                self._start(machine, job, (left[slot], left[slot] + size))
                left[slot] += size

    def _start_behind(
        self, machine: Machine, window: list[Job], reserved: tuple[Job, int, Run] | None
    ) -> None:
        for job in machine.in_order(machine.waiting):
            if job in window:
                continue
            free = self._free(machine)
            if reserved and machine.now + machine.beliefs.of_waiting(job) > reserved[1]:
                free -= set(range(*reserved[2]))
            nodes = first_fit(free, self._need(job))
            if nodes:
                self._start(machine, job, nodes)

    def _note_ages(self, machine: Machine) -> None:
        limit = machine.policy.age_limit
        ages = [] if limit is None else [job.submit + limit for job in self._window(machine)]
        self.next_of_age = min((age for age in ages if age > machine.now), default=math.inf)


def simulate_window(
    jobs: Sequence[Job], nodes: int, per_node: int, policy: WindowPolicy
) -> tuple[list[Outcome], dict[int, Run]]:
    """Replay jobs, which take whole nodes; return the outcomes, and the nodes of each job."""
    whole = [replace(job, processors=-(-job.processors // per_node) * per_node) for job in jobs]
    planner = WindowPlanner(nodes, per_node)
    return simulate(whole, nodes * per_node, policy, planner), planner.given
