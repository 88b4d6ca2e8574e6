"""priority/multifactor: the integer part of weights times factors from 0 to 1 (rule 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Weights
    from reference.slurm.rules import Rules


class Multifactor:
    """Priorities of one cluster; age and fair share are passed in, as last recalculated."""

    def __init__(self, machine: Machine, weights: Weights, rules: Rules) -> None:
        self.machine = machine
        self.weights = weights
        self.rules = rules

    def parts(self, job: Job, age: float = 0.0, fair_share: float = 0.0) -> dict[str, float]:
        """Return the weighted factors: age in seconds, fair share as a factor."""
        weights = self.weights
        found = {
            "age": weights.age * min(1.0, age / weights.max_age),
            "fair share": weights.fair_share * fair_share,
            "job size": 0.0,
            "partition": 0.0,
        }
        if self.rules.job_size:
            found["job size"] = weights.job_size * self._size(job)
            found["partition"] = weights.partition * self._partition(job)
        return found

    def priority(self, job: Job, age: float = 0.0, fair_share: float = 0.0) -> int:
        """Return the job's priority."""
        return int(sum(self.parts(job, age, fair_share).values()))

    def _size(self, job: Job) -> float:
        """Return the mean share of nodes and CPUs, or 1 minus it with PriorityFavorSmall."""
        nodes = len(self.machine.nodes)
        cpus = sum(node.cpus for node in self.machine.nodes)
        if self.weights.favor_small:
            return ((nodes - job.nodes) / nodes + (cpus - job.cpus) / cpus) / 2
        return (job.nodes / nodes + job.cpus / cpus) / 2

    def _partition(self, job: Job) -> float:
        largest = max(each.factor for each in self.machine.partitions.values())
        return self.machine.partitions[job.partition].factor / largest
