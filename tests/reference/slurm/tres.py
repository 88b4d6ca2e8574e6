"""TRES of a job and of its partition, by lower-case names from slurm.conf; memory in MB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.slurm.node_sets import members

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.rules import Rules


def tres_of_job(job: Job, machine: Machine, rules: Rules) -> dict[str, int]:
    """Return what the job requests; the default memory is that of the partition's first node."""
    first = machine.nodes[members(machine.partitions[job.partition].nodes)[0]]
    by_default = first.memory if rules.default_memory else 0
    return {
        "cpu": job.cpus,
        "mem": job.nodes * (job.memory or by_default),
        "node": job.nodes,
        "gres/gpu": job.nodes * job.gpus,
    }


def tres_of_partition(name: str, machine: Machine) -> dict[str, int]:
    nodes = [machine.nodes[place] for place in members(machine.partitions[name].nodes)]
    return {
        "cpu": sum(node.cpus for node in nodes),
        "mem": sum(node.memory for node in nodes),
        "node": len(nodes),
        "gres/gpu": sum(node.gpus for node in nodes),
    }


def tres_parts(
    weights: dict[str, float], job: Job, machine: Machine, rules: Rules
) -> dict[str, float]:
    """Return, for each weighted TRES, its weight times the job's share of its partition."""
    asked = tres_of_job(job, machine, rules)
    total = tres_of_partition(job.partition, machine)
    return {
        name: weight * (asked[name] / total[name] if total[name] else 0.0)
        for name, weight in weights.items()
    }
