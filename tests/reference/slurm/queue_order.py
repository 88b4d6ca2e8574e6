"""Order of the queue: tier of the partition, priority, submit time, job number.

This module also selects the jobs that the schedulers pass over, and the jobs for which no nodes are
kept free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.rules import Rules
    from reference.slurm.state import State


def in_order(state: State, machine: Machine, rules: Rules) -> list[Job]:
    def rank(job: Job) -> tuple[float, float, int, int]:
        tier = machine.partitions[job.partition].tier if rules.tiers else 0
        priority = state.priority.get(job.number, 0.0) if rules.priority_order else 0.0
        submit = job.submit if rules.submit_order else -job.submit
        return -tier, -priority, submit, job.number

    return sorted(state.waiting, key=rank)


def allowed(job: Job, machine: Machine, rules: Rules) -> bool:
    """Return True if the job is within the limits of its partition."""
    partition = machine.partitions[job.partition]
    if not rules.partition_limits:
        return True
    if partition.max_time is not None and job.limit > partition.max_time:
        return False
    return partition.max_nodes is None or job.nodes <= partition.max_nodes


def is_refused(job: Job, machine: Machine, given: Parameters, rules: Rules) -> bool:
    """Return True if the job is refused at submission (EnforcePartLimits=ALL)."""
    return given.enforces_part_limits and rules.refused_jobs and not allowed(job, machine, rules)


def keeps_nothing(job: Job, state: State, given: Parameters) -> bool:
    """Return True if a job's priority or age is below bf_min_prio_reserve or bf_min_age_reserve."""
    if given.bf_min_prio_reserve and state.priority.get(job.number, 0) < given.bf_min_prio_reserve:
        return True
    waited = state.now - state.eligible.get(job.number, job.submit)
    return bool(given.bf_min_age_reserve) and waited < given.bf_min_age_reserve
