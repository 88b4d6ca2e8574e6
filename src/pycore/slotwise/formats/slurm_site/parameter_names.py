"""Names of the ``SchedulerParameters`` of a ``slurm.conf``."""

from __future__ import annotations

COUNTS = (
    "sched_interval", "sched_min_interval", "batch_sched_delay", "default_queue_depth",
    "partition_job_depth", "bf_interval", "bf_max_job_test", "bf_max_job_user", "bf_max_job_part",
    "bf_max_job_user_part", "bf_window", "bf_resolution", "bf_window_linear",
    "bf_job_part_count_reserve", "bf_min_prio_reserve", "bf_min_age_reserve", "bf_node_space_size",
)  # fmt: skip
"""Parameters with a whole number."""

FLAGS = ("assoc_limit_stop", "defer", "bf_continue")
FORMER_NAMES = {"max_job_bf": "bf_max_job_test"}
NEVER_READ = (
    "allow_zero_lic", "bf_allow_magnetic_slot", "bf_busy_nodes",
    "bf_hetjob_immediate", "bf_hetjob_prio", "bf_ignore_newly_avail_nodes", "bf_licenses",
    "bf_max_job_array_resv", "bf_max_job_assoc", "bf_max_job_start", "bf_max_time",
    "bf_one_resv_per_job", "bf_running_job_reserve", "bf_topopt_enable", "bf_topopt_iterations",
    "bf_yield_interval", "bf_yield_rpc_cnt", "bf_yield_sleep", "build_queue_timeout",
    "correspond_after_task_cnt", "defer_batch", "delay_boot", "disable_job_shrink",
    "disable_hetjob_steps", "enable_hetjob_steps", "enable_job_state_cache", "enable_user_top",
    "extra_constraints", "ignore_constraint_validation", "ignore_numa",
    "ignore_prefer_validation", "kill_invalid_depend", "max_array_tasks", "max_depend_depth",
    "max_rpc_cnt", "max_sched_time", "max_script_size", "max_submit_line_size", "max_switch_wait",
    "no_backup_scheduling", "no_env_cache", "nohold_on_prolog_fail", "pack_serial_at_end",
    "permit_job_expansion", "preempt_reorder_count", "preempt_send_user_signal",
    "preempt_strict_order", "preempt_youngest_first", "reduce_completing_frag", "requeue_delay",
    "requeue_setup_env_fail", "salloc_wait_nodes", "sbatch_wait_nodes", "sched_max_job_start",
    "spec_cores_first", "step_retry_count", "step_retry_time", "time_min_as_soft_limit",
    "whole_hetjob", "whole_pack",
)  # fmt: skip
"""Parameters without a counterpart in a replay."""
