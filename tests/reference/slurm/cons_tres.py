"""select/cons_tres: jobs share nodes by CPUs, memory and GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.slurm.lumped_ends import lumped
from reference.slurm.node_sets import members, node_set
from reference.slurm.selector import Selector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.rules import Rules
    from reference.slurm.running import Running


class ConsTres(Selector):
    """Jobs take parts of nodes; runs of nodes are compared by weight, then by CPUs.

    Each test of a GPU job lowers the weights of nodes according to their free GPUs. The lowered
    weights remain until a job that may use these nodes is submitted, is tested in a main pass, or
    starts (rule 9).
    """

    def __init__(self, machine: Machine, parameters: Parameters, rules: Rules) -> None:
        super().__init__(machine, parameters, rules)
        self.lighter: dict[int, int] = {}

    def choose(
        self, job: Job, usable: int, running: Sequence[Running], kept: int = 0
    ) -> int | None:
        free = self._free_cpus(job, usable, running)
        if len(free) < job.nodes + kept:
            return None
        return self._fill(job, free)

    def choose_at_start(
        self, job: Job, allowed: int, running: Sequence[Running], usable: int
    ) -> int | None:
        self._reset(usable)
        nodes = self.choose(job, allowed, running)
        if nodes is None:
            self._test_idle(job, usable)
        return nodes

    def submitted(self, job: Job) -> None:
        """Reset the weights; a GPU job is then tested as if every GPU were free."""
        partition = self.machine.partitions[job.partition]
        self._test_idle(job, partition.nodes & self.machine.with_feature(job.feature))

    def _test_idle(self, job: Job, usable: int) -> None:
        self._reset(usable)
        if job.gpus and self.rules.lighter_gpu_nodes:
            for place in members(usable):
                if self.machine.nodes[place].gpus >= job.gpus:
                    self.lighter[place] = self.machine.nodes[place].gpus

    def _reset(self, usable: int) -> None:
        if self.rules.partial_resets:
            kept = {each: gpus for each, gpus in self.lighter.items() if not usable >> each & 1}
            self.lighter = kept
        else:
            self.lighter = {}

    def end_groups(self, running: Sequence[Running], usable: int) -> Iterator[list[Running]]:
        in_order = sorted(running, key=lambda each: (each.end, each.job.number))
        if self.rules.lumped_ends:
            yield from lumped(in_order, usable, self.parameters.bf_window_linear, self.rules)
        else:
            yield from ([each] for each in in_order)

    def overdue(self, last: Running, now: int) -> int:
        return max(now + 1, last.end + self.parameters.kill_wait + self.parameters.over_time_limit)

    def _free_cpus(self, job: Job, usable: int, running: Sequence[Running]) -> dict[int, int]:
        """Return how many CPUs each suitable node offers to the job."""
        places = members(usable)
        cpus = {place: self.machine.nodes[place].cpus for place in places}
        memory = {place: self.machine.nodes[place].memory for place in places}
        gpus = {place: self.machine.nodes[place].gpus for place in places}
        idle = usable
        for each in running:
            idle &= ~each.nodes
            for place in members(each.nodes & usable):
                node = self.machine.nodes[place]
                cpus[place] -= node.cpus if each.job.exclusive else each.job.cpus_per_node
                memory[place] -= self._memory(each.job, place)
                gpus[place] -= node.gpus if each.job.exclusive else each.job.gpus
        offered = {}
        for place in places:
            if self.machine.counts_memory and memory[place] < self._memory(job, place):
                continue
            if gpus[place] < job.gpus:
                continue
            if job.gpus and self.rules.lighter_gpu_nodes:
                self.lighter[place] = gpus[place]
            if job.exclusive and not idle >> place & 1:
                continue
            if cpus[place] >= (1 if job.exclusive else job.cpus_per_node):
                offered[place] = cpus[place]
                if job.gpus and not job.exclusive and self.rules.gpu_cpus:
                    offered[place] = job.cpus_per_node
        return offered

    def _memory(self, job: Job, place: int) -> int:
        by_default = self.machine.nodes[place].memory if self.rules.whole_memory else 0
        return job.memory or by_default

    def _weight(self, place: int) -> tuple[int, int]:
        """Return the weight of a node; a lighter one comes first."""
        if not self.rules.light_nodes:
            return 0, 0
        return self.machine.nodes[place].weight, -self.lighter.get(place, 0)

    def _runs(self, free: dict[int, int]) -> list[list[int]]:
        """Return runs of neighbouring nodes of equal weight, in the order of the nodes."""
        found: list[list[int]] = []
        for place in sorted(free):
            joins = found and found[-1][-1] == place - 1
            if joins and self._weight(place - 1) == self._weight(place):
                found[-1].append(place)
            else:
                found.append([place])
        return found

    def _fill(self, job: Job, free: dict[int, int]) -> int | None:
        """Return nodes from the best run, then from the next best run, until there are enough."""
        if not self.rules.tight_runs:
            return node_set(sorted(free)[: job.nodes])
        left = self._runs(free)
        taken: list[int] = []
        needed_cpus = job.nodes if job.exclusive else job.cpus
        while left and len(taken) < job.nodes:
            best = self._best(left, free, job.nodes - len(taken), needed_cpus)
            left.remove(best)
            for place in self._within(best, free, job.nodes - len(taken), needed_cpus):
                taken.append(place)
                needed_cpus -= self._given(job, free[place], needed_cpus, job.nodes - len(taken))
        return node_set(taken) if len(taken) == job.nodes else None

    def _best(
        self, runs: list[list[int]], free: dict[int, int], nodes: int, cpus: int
    ) -> list[int]:
        """Return the lightest run.

        Of equally light runs, return the tightest that suffices or, if none does, the largest.
        Slurm compares each run with the best run so far. A run that does not suffice replaces any
        smaller best run, even one that suffices.
        """
        best, best_weight, best_total, best_enough = runs[0], self._weight(runs[0][0]), -1, False
        for run in runs:
            weight = self._weight(run[0])
            total = sum(free[place] for place in run)
            enough = total >= cpus and len(run) >= nodes
            if not self.rules.runs_of_cpus:
                total, enough = len(run), len(run) >= nodes
            if enough:
                better = not best_enough or total < best_total
            else:
                better = total > best_total and (self.rules.larger_runs or not best_enough)
            if weight < best_weight or (weight == best_weight and better):
                best, best_weight, best_total, best_enough = run, weight, total, enough
        return best

    def _within(self, run: list[int], free: dict[int, int], nodes: int, cpus: int) -> list[int]:
        """Return the nodes of a run that the job takes."""
        if nodes > 1:
            return run[:nodes]
        fitting = [place for place in run if free[place] >= cpus]
        if fitting and not self.rules.tight_last_node:
            return fitting[:1]
        if fitting:
            return [min(fitting, key=lambda place: (free[place], place))]
        return []

    def _given(self, job: Job, free: int, cpus: int, nodes_after: int) -> int:
        """Return how many CPUs to use on a node; at least one is left for each later node."""
        return free if job.exclusive else min(free, cpus - nodes_after)
