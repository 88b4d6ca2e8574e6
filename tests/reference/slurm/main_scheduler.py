"""One pass of the main scheduler: rule 3 of docs/slurm_rules.md."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reference.slurm.cons_tres import ConsTres
from reference.slurm.held_back import is_held_back
from reference.slurm.linear import Linear
from reference.slurm.queue_order import allowed, in_order, keeps_nothing
from reference.slurm.rules import Rules
from reference.slurm.running import Running
from reference.slurm.state import Decision

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.state import State


class MainScheduler:
    """Starts jobs in strict order; a job that does not fit closes all nodes of its partition."""

    def __init__(
        self, machine: Machine, parameters: Parameters, rules: Rules | None = None
    ) -> None:
        self.machine = machine
        self.parameters = parameters
        self.rules = rules or Rules()
        plugin = ConsTres if machine.shares else Linear
        self.selector = plugin(machine, parameters, self.rules)

    def decide(self, state: State, *, full: bool) -> Decision:
        """Return the jobs that a pass starts; a `full` pass considers all jobs."""
        running = list(state.running)
        starts: list[tuple[Job, int]] = []
        closed: set[str] = set()
        open_nodes = (1 << len(self.machine.nodes)) - 1
        seen: Counter[str] = Counter()
        depth = self.parameters.default_queue_depth if self.rules.queue_depth else 10**9
        looked_at = 0
        for job in in_order(state, self.machine, self.rules):
            if not allowed(job, self.machine, self.rules):
                continue
            seen[job.partition] += 1
            most = self.parameters.partition_job_depth
            if most and seen[job.partition] > most:
                continue
            # The count is tested before it is increased, so depth + 1 jobs are considered.
            if not full and looked_at > depth - (not self.rules.one_job_deeper):
                break
            if not self.rules.held_back_at_depth and self._is_held_back(job, running):
                continue
            looked_at += 1
            if job.partition in closed:
                continue
            if self._is_held_back(job, running):
                if self.parameters.assoc_limit_stop:
                    closed.add(job.partition)
                    open_nodes &= ~self.machine.partitions[job.partition].nodes
                continue
            nodes = self._nodes(job, open_nodes, state.completing, running)
            if nodes is None:
                if self.rules.closed_partitions and not self._passes(job, state, open_nodes):
                    closed.add(job.partition)
                    if self.rules.closed_nodes:
                        open_nodes &= ~self.machine.partitions[job.partition].nodes
                continue
            starts.append((job, nodes))
            running.append(Running(job, state.now, nodes, state.now + job.limit))
        return Decision(starts)

    def _is_held_back(self, job: Job, running: list[Running]) -> bool:
        return self.rules.held_back and is_held_back(job, running, self.parameters)

    def _passes(self, job: Job, state: State, open_nodes: int) -> bool:
        """Return True if a job that does not fit leaves its partition open."""
        left = open_nodes & self.machine.partitions[job.partition].nodes
        # If too few nodes are open, Slurm closes the partition whatever the job's priority and age.
        return left.bit_count() >= job.nodes and keeps_nothing(job, state, self.parameters)

    def _nodes(
        self, job: Job, open_nodes: int, completing: int, running: list[Running]
    ) -> int | None:
        usable = self.machine.partitions[job.partition].nodes
        usable &= self.machine.with_feature(job.feature)
        allowed = usable & open_nodes
        if self.rules.completing_nodes:
            allowed &= ~completing
        return self.selector.choose_at_start(job, allowed, running, usable)
