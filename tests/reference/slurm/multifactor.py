"""priority/multifactor: the integer part of a weighted sum of factors from 0 to 1 (rule 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.slurm.standing import Standing
from reference.slurm.tres import tres_parts

MOST = 2**32 - 1

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Weights
    from reference.slurm.rules import Rules


class Multifactor:
    """Priorities on one cluster; the caller passes age and fair share as last recalculated."""

    def __init__(
        self, machine: Machine, weights: Weights, rules: Rules, standing: Standing | None = None
    ) -> None:
        self.machine = machine
        self.weights = weights
        self.rules = rules
        self.standing = standing or Standing()

    def parts(self, job: Job, age: float = 0.0, fair_share: float = 0.0) -> dict[str, float]:
        """Return the weighted factors; `age` is in seconds, `fair_share` is a factor."""
        weights = self.weights
        rules = self.rules
        found = {
            "age": weights.age * min(1.0, age / weights.max_age),
            "association": 0.0,
            "fair share": weights.fair_share * fair_share,
            "job size": 0.0,
            "partition": 0.0,
            "qos": weights.qos * self.standing.qos_factor(job) if rules.qos_factor else 0.0,
        }
        if rules.association_factor:
            factor = self.standing.association_factor(job, inherits=rules.account_priority)
            found["association"] = weights.association * factor
        if rules.job_size:
            found["job size"] = weights.job_size * self._size(job)
            found["partition"] = weights.partition * self._partition(job)
        if rules.tres_factor:
            found |= tres_parts(weights.tres, job, self.machine, self.rules)
        if rules.nice:
            found |= {"site": float(job.site_factor), "nice": -float(job.nice)}
        return found

    def priority(self, job: Job, age: float = 0.0, fair_share: float = 0.0) -> int:
        """Return the job's priority, which is at least 1."""
        parts = self.parts(job, age, fair_share)
        tres = sum(value for name, value in parts.items() if name in self.weights.tres)
        others = {name: value for name, value in parts.items() if name not in self.weights.tres}
        tail = [others.pop(name, 0.0) for name in ("site", "nice")]
        whole = int if self.rules.truncated else round
        return whole(min(max(sum([*others.values(), tres, *tail]), 1.0), MOST))

    def _size(self, job: Job) -> float:
        """Return the mean of the job's shares of nodes and CPUs.

        If sizes are relative to time, return the larger share instead, divided by the limit in
        minutes. With PriorityFavorSmall, return 1 minus this value.
        """
        nodes = len(self.machine.nodes)
        cpus = sum(node.cpus for node in self.machine.nodes)
        if self.weights.relative_to_time and self.rules.size_by_time:
            part = max(job.nodes * cpus / nodes, job.cpus) / (job.limit // 60) / cpus
            return min(max(1 - part if self.weights.favor_small else part, 0.0), 1.0)
        if self.weights.favor_small and self.rules.favor_small:
            return ((nodes - job.nodes) / nodes + (cpus - job.cpus) / cpus) / 2
        return (job.nodes / nodes + job.cpus / cpus) / 2

    def _partition(self, job: Job) -> float:
        factors = [each.factor for each in self.machine.partitions.values()]
        largest = max(factors) if self.rules.largest_partition else sum(factors)
        return self.machine.partitions[job.partition].factor / largest
