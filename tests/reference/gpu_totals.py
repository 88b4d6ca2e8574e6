"""Finds the units of jobs whose GPUs are logged as totals, by trying every number of units."""

from __future__ import annotations

from dataclasses import dataclass

Types = list[tuple[int, tuple[int, int, int]]]  # number of nodes; cores, memory and GPUs per node


@dataclass(frozen=True)
class LoggedJob:
    processors: int
    gpus: int = -1  # below 1: no GPUs
    nodes: int = -1  # below 1: number of nodes unknown
    memory: int = -1  # memory per processor; below 0: unknown


def units_of(job: LoggedJob, types: Types) -> tuple[int, tuple[int, int, int]]:
    """Return the units of a job, and the cores, memory and GPUs that each requests."""
    memory = max(job.memory, 0)
    if job.gpus < 1:
        return job.processors, (1, memory, 0)
    nodes = job.nodes if job.nodes >= 1 else _fewest(job, types)
    nodes = min(nodes, max(job.processors, job.gpus))
    for units in range(nodes, min(job.processors, job.gpus) + 1):
        if job.processors % units == 0 and job.gpus % units == 0:
            break
    else:
        units = nodes
    shared = (job.processors, memory * job.processors, job.gpus)
    cores, memory, gpus = (_rounded_up(amount, units) for amount in shared)
    return units, (cores, memory, gpus)


def _fewest(job: LoggedJob, types: Types) -> int:
    """Return the smallest number of nodes of one type that together satisfy the request."""
    found = []
    for _, (cores, memory, gpus) in types:
        if gpus == 0:
            continue
        nodes = 1
        while (
            nodes * cores < job.processors
            or nodes * gpus < job.gpus
            or (memory > 0 and nodes * memory < max(job.memory, 0) * job.processors)
        ):
            nodes += 1
        found.append(nodes)
    return min(found, default=1)


def _rounded_up(amount: int, parts: int) -> int:
    return amount // parts + (1 if amount % parts else 0)
