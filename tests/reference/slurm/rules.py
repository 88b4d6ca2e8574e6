"""Switches for the rules, all on in Slurm; tests turn one off to show which recording needs it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """Rules that a recording confirms, with their numbers in docs/slurm_rules.md."""

    tiers: bool = True  # 1: jobs in a higher tier go first
    priority_order: bool = True  # 1: in a tier, jobs of higher priority go first
    submit_order: bool = True  # 1: at equal priority, earlier jobs go first; off: later jobs
    truncated: bool = True  # 2: the weighted sum is truncated; off: rounded
    job_size: bool = True  # 2: job size and partition contribute to the priority
    favor_small: bool = True  # 2: PriorityFavorSmall gives smaller jobs higher priority
    size_by_time: bool = True  # 2: SMALL_RELATIVE_TO_TIME divides job size by time limit
    largest_partition: bool = True  # 2: partition factors are divided by the largest; off: the sum
    qos_factor: bool = True  # 2: the QOS priority, divided by the largest, contributes
    unused_qos: bool = True  # 2: the largest QOS priority counts even if no job uses that QOS
    association_factor: bool = True  # 2: the association priority, divided by the largest, counts
    account_priority: bool = True  # 2: an association without a priority has that of its account
    tres_factor: bool = True  # 2: the job's share of its partition's TRES contributes
    default_memory: bool = True  # 2: jobs without --mem count as requesting all node memory
    nice: bool = True  # 2: the site factor is added, the nice value subtracted
    later_site_factor: bool = True  # 2: a site factor set after submission counts once it is set
    age_once_considered: bool = True  # 2: the age is 0 until a scheduler considers the job
    renewal: bool = True  # 2: age and fair share change only every PriorityCalcPeriod
    renewal_by_number: bool = True  # 2: renewal is in order of job number; off: running jobs first
    damping: bool = True  # 2: FairShareDampeningFactor applies
    usage_reset: bool = True  # 2: usage is cleared at PriorityUsageResetPeriod
    no_decay: bool = True  # 2: a half-life of 0 stops the decay; off: it means a week
    decay_by_second: bool = (
        True  # 2: each second multiplies usage by 1 - 0.693 / half-life; off: by 2^(-1 / half-life)
    )
    decayed_addition: bool = True  # 2: added usage decays over all the time since the last addition
    usage_at_end: bool = True  # 2: usage is also added at a job's end
    renewed_usage: bool = True  # 2: running jobs add usage only at recalculations; off: at any time
    fixed_accounts: bool = True  # 2: an account's usage changes only at a recalculation
    fixed_users: bool = True  # 2: a user's usage is fixed when first needed after a recalculation
    account_usage: bool = True  # 2: an account's usage counts for its users
    root_share: bool = True  # 2: the root user has one share of its own
    closed_partitions: bool = True  # 3: a job that does not fit closes its partition
    closed_nodes: bool = True  # 3: nodes of a closed partition are closed to all jobs
    queue_depth: bool = True  # 3: default_queue_depth applies
    one_job_deeper: bool = True  # 3: a pass considers default_queue_depth + 1 jobs
    passes_at_ends: bool = True  # 3: the end of a job causes a pass
    passes_at_submissions: bool = True  # 3: a submission causes a pass
    passes_after_epilogs: bool = (
        True  # 3: the end of a job causes a pass at once only with an Epilog; off: only without one
    )
    delay_after_request: bool = (
        True  # 3: batch_sched_delay counts from requested and full passes; off: from all passes
    )
    interval_of_full_passes: bool = True  # 3: sched_interval counts from full passes; off: from all
    quiet_cycles: bool = True  # 4: a cycle waits for a change of state
    interval_after_end: bool = True  # 4: bf_interval is measured from the end of a cycle
    user_limit: bool = True  # 4: bf_max_job_user applies
    tested_jobs: bool = True  # 4: bf_max_job_test applies
    only_sought_jobs: bool = True  # 4: a job counts as tested only if nodes were sought for it
    plan_table: bool = True  # 4: a cycle ends once its map of plans has bf_node_space_size spans
    one_more_plan: bool = True  # 4: a cycle makes one more plan when the map is full
    cut_cycles: bool = True  # 4: a cycle ends when the state changes while its locks are released
    every_job_planned: bool = True  # 5: every waiting job gets a plan; off: only the first
    plan_window: bool = True  # 5: a job that would start after bf_window gets no plan
    named_nodes: bool = True  # 6: a plan names nodes; off: it reserves a number of nodes
    cut_times: bool = True  # 7: plans begin and end at multiples of bf_resolution
    touching: bool = True  # 7: a job must end before a plan on the same nodes begins
    single_ends: bool = True  # 8: select/linear considers job ends one by one; off: in groups
    lumped_ends: bool = True  # 8: cons_tres considers job ends in groups; off: one by one
    common_origin: bool = True  # 8: groups are measured from one instant; off: each from its own
    longer_groups: bool = True  # 8: later groups cover more time than earlier ones
    later_tries: bool = True  # 8: the search is repeated from the end of another plan
    tries_within_reach: bool = True  # 8: the search is not repeated for plans that outlast the job
    tries_after_overlap: bool = True  # 8: the search is repeated from an overlapping plan's start
    started_jobs_run: bool = True  # 8: a started job counts as running until the cycle ends
    merged_spans: bool = True  # 8: after each plan, one pair of equal spans is merged; off: none
    tight_runs: bool = True  # 9: jobs take the shortest sufficient run of nodes; off: the lowest
    longest_runs: bool = True  # 9: if no run suffices, jobs take the longest; off: the lowest
    nodes_by_name: bool = True  # 9: nodes are ordered by name; off: by their lines in slurm.conf
    runs_of_cpus: bool = True  # 9: cons_tres compares runs by free CPUs; off: by nodes
    larger_runs: bool = True  # 9: a larger insufficient run replaces a smaller sufficient one
    tight_last_node: bool = True  # 9: the last node taken has the fewest sufficient free CPUs
    whole_memory: bool = True  # 9: jobs without --mem take all the memory of their nodes
    light_nodes: bool = True  # 9: jobs take lighter nodes first
    heavier_nodes_added: bool = (
        True  # 9: heavier nodes are added until a job fits; off: each weight alone, then all
    )
    weightless_plans: bool = True  # 9: under select/linear, plans ignore weights
    lighter_gpu_nodes: bool = True  # 9: testing a GPU job lowers the weights of GPU nodes
    partial_resets: bool = True  # 9: starting a job resets weights of usable nodes; off: of all
    gpu_cpus: bool = True  # 9: nodes offer a GPU job only the CPUs that its tasks need
    whole_node_plans: bool = True  # 10: a plan reserves whole nodes even if its job shares nodes
    late_kills: bool = True  # 11: limits are checked every 30 s; off: a job ends at its limit
    partition_limits: bool = True  # 12: jobs that exceed MaxTime or MaxNodes wait
    refused_jobs: bool = True  # 12: EnforcePartLimits=ALL refuses jobs beyond partition limits
    completing_nodes: bool = True  # 13: no job starts on nodes that are still completing
    complete_wait: bool = True  # 13: completing jobs hold back both schedulers
    bounded_wait: bool = True  # 13: a hold lasts at most CompleteWait; off: until nodes are free
    whole_last_second: bool = True  # 13: the last second of CompleteWait is included
    skipped_passes: bool = True  # 13: a held pass is skipped; off: it runs after the hold
    delayed_cycles: bool = True  # 13: a held cycle begins after the hold; off: one interval later
    held_back: bool = True  # 15: a job that would exceed a limit is passed over
    held_back_at_depth: bool = True  # 15: a job passed over counts towards default_queue_depth
    held_back_untested: bool = True  # 15: a job passed over does not count towards bf_max_job_test
