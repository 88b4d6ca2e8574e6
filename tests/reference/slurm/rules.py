"""Switches of the rules, all on in Slurm; a test turns one off to show which recording needs it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """Rules in docs/slurm_rules.md that a recording confirms, by their numbers there."""

    tiers: bool = True  # 1: a higher tier first
    job_size: bool = True  # 2: job size and partition count in the priority
    qos_factor: bool = True  # 2: the priority of the QOS over the largest of all counts
    association_factor: bool = True  # 2: the priority of the association likewise
    tres_factor: bool = True  # 2: the job's share of the TRES of its partition counts
    nice: bool = True  # 2: site factor and nice are added and taken off
    usage_reset: bool = True  # 2: usage is cleared at PriorityUsageResetPeriod
    renewal: bool = True  # 2: age and fair share are renewed every PriorityCalcPeriod only
    closed_partitions: bool = True  # 3: a blocked job closes its partition and its nodes
    every_job_planned: bool = True  # 5: every waiting job gets a plan; off: the first only
    named_nodes: bool = True  # 6: a plan names nodes; off: it keeps a number of nodes
    cut_times: bool = True  # 7: plans begin and end at multiples of bf_resolution
    touching: bool = True  # 7: a job must end before the rounded begin of a plan on its nodes
    single_ends: bool = True  # 8: select/linear takes ends one by one; off: in windows
    lumped_ends: bool = True  # 8: cons_tres groups ends in windows; off: one by one
    later_tries: bool = True  # 8: a plan is also sought from the ends of other plans
    tight_runs: bool = True  # 9: the shortest run that is enough; off: the lowest nodes
    light_nodes: bool = True  # 9: lighter nodes first
    lighter_gpu_nodes: bool = True  # 9: tests of GPU jobs leave nodes lighter by free GPUs
    partial_resets: bool = True  # 9: a start resets the weights of its usable nodes; off: of all
    gpu_cpus: bool = True  # 9: nodes offer a GPU job only the CPUs that its tasks need
    larger_runs: bool = True  # 9: a larger run replaces a smaller one that is enough
    whole_node_plans: bool = True  # 10: the plan of a sharing job keeps its nodes whole
    limit_checks: bool = True  # 11: a job is killed at the next check, every 30 s
    partition_limits: bool = True  # 12: MaxTime and MaxNodes hold jobs back
    completing_nodes: bool = True  # 13: no start on nodes of a job that is still completing
    user_limit: bool = True  # 4: bf_max_job_user
    tested_jobs: bool = True  # 4: bf_max_job_test
    plan_table: bool = True  # 4: a cycle ends once its map of plans has bf_node_space_size spans
    queue_depth: bool = True  # 3: default_queue_depth
