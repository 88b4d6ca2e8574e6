"""Switches for the rules, all on in Slurm; tests turn one off to show which recording needs it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """Rules in docs/slurm_rules.md that a recording confirms, by their numbers there."""

    tiers: bool = True  # 1: a higher tier first
    job_size: bool = True  # 2: job size and partition contribute to the priority
    qos_factor: bool = True  # 2: the QOS priority, divided by the largest, contributes
    association_factor: bool = True  # 2: so does the association priority
    tres_factor: bool = True  # 2: the job's share of its partition's TRES contributes
    nice: bool = True  # 2: the site factor is added, the nice value subtracted
    usage_reset: bool = True  # 2: usage is cleared at PriorityUsageResetPeriod
    renewal: bool = True  # 2: age and fair share change only every PriorityCalcPeriod
    closed_partitions: bool = True  # 3: a job that does not fit closes its partition
    every_job_planned: bool = True  # 5: every waiting job gets a plan; off: only the first
    named_nodes: bool = True  # 6: a plan names nodes; off: it reserves a number of nodes
    cut_times: bool = True  # 7: plans begin and end at multiples of bf_resolution
    touching: bool = True  # 7: ending at the beginning of a plan on the same nodes is too late
    single_ends: bool = True  # 8: select/linear takes ends one by one; off: in groups
    lumped_ends: bool = True  # 8: cons_tres takes ends in groups; off: one by one
    later_tries: bool = True  # 8: a plan is also searched for from the ends of other plans
    tight_runs: bool = True  # 9: the shortest sufficient run; off: the lowest nodes
    light_nodes: bool = True  # 9: lighter nodes first
    lighter_gpu_nodes: bool = True  # 9: tests of GPU jobs lower weights by the free GPUs
    partial_resets: bool = True  # 9: a start resets only its usable nodes' weights; off: all
    gpu_cpus: bool = True  # 9: nodes offer a GPU job only the CPUs that its tasks need
    larger_runs: bool = True  # 9: a larger run replaces a smaller sufficient one
    whole_node_plans: bool = True  # 10: a plan reserves whole nodes even if its job shares nodes
    partition_limits: bool = True  # 12: jobs that exceed MaxTime or MaxNodes wait
    completing_nodes: bool = True  # 13: no job starts on nodes that are still completing
    user_limit: bool = True  # 4: bf_max_job_user
    tested_jobs: bool = True  # 4: bf_max_job_test
    plan_table: bool = True  # 4: a cycle ends once its map of plans has bf_node_space_size spans
    queue_depth: bool = True  # 3: default_queue_depth
    cut_cycles: bool = True  # 4: a cycle ends when the state changes while its locks are released
    nodes_by_name: bool = True  # 9: nodes are in the order of their names; off: of their lines
    held_back: bool = True  # 15: a job that would exceed a limit is passed over
