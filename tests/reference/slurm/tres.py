"""TRES of a job and of its partition, by the names in slurm.conf, in lower case; memory in MB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.slurm.node_sets import members

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine


def tres_of_job(job: Job, machine: Machine) -> dict[str, int]:
    """Return what the job requests; without a memory, that of its partition's first node."""
    first = machine.nodes[members(machine.partitions[job.partition].nodes)[0]]
    return {
        "cpu": job.cpus,
        "mem": job.nodes * (job.memory or first.memory),
        "node": job.nodes,
        "gres/gpu": job.nodes * job.gpus,
    }


def tres_of_partition(name: str, machine: Machine) -> dict[str, int]:
    """Return the sums over the nodes of a partition."""
    nodes = [machine.nodes[place] for place in members(machine.partitions[name].nodes)]
    return {
        "cpu": sum(node.cpus for node in nodes),
        "mem": sum(node.memory for node in nodes),
        "node": len(nodes),
        "gres/gpu": sum(node.gpus for node in nodes),
    }


def tres_parts(weights: dict[str, float], job: Job, machine: Machine) -> dict[str, float]:
    """Return weight times the job's share of its partition, of each TRES that has a weight."""
    asked = tres_of_job(job, machine)
    total = tres_of_partition(job.partition, machine)
    return {
        name: weight * (asked[name] / total[name] if total[name] else 0.0)
        for name, weight in weights.items()
    }
