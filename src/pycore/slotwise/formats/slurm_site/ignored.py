"""Scheduler settings of a ``slurm.conf`` that a replay ignores, grouped by the reason.

Example: ``bf_yield_sleep=1`` is ignored because scheduling takes no time in a replay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STARTS = "they may change when or where jobs start"
PRIORITIES = "they may change priorities"
UNCOUNTED = "the machine does not count these resources"
ABSENT = "a replay has no licences, reservations, heterogeneous jobs or preemption"
NO_TIME = "scheduling takes no time in a replay"
HARMLESS = "no effect on when the jobs in a log start"

_MATTER = (STARTS, PRIORITIES, UNCOUNTED, ABSENT)
"""Reasons for ignoring settings that may affect when jobs start in Slurm."""


@dataclass
class Ignored:
    """Settings as written, by reason."""

    _of_reason: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, setting: str) -> None:
        """Store a setting under its reason, such as `NO_TIME`."""
        self._of_reason.setdefault(reason, []).append(setting)

    @property
    def n_that_matter(self) -> int:
        """The number of settings that may affect when jobs start in Slurm."""
        return sum(len(self._of_reason.get(reason, ())) for reason in _MATTER)

    def remarks(self) -> Iterator[str]:
        """List the ignored settings by reason; those that may affect when jobs start come first."""
        for reason in (*_MATTER, NO_TIME, HARMLESS):
            if reason in self._of_reason:
                yield f"Ignored ({reason}): {', '.join(self._of_reason[reason])}."


_PARAMETERS = {
    STARTS: (
        "bf_busy_nodes", "bf_ignore_newly_avail_nodes", "bf_max_job_array_resv",
        "bf_max_job_assoc", "bf_max_job_start", "bf_one_resv_per_job", "bf_running_job_reserve",
        "bf_topopt_enable", "bf_topopt_iterations", "defer_batch", "delay_boot",
        "enable_user_top", "extra_constraints", "ignore_numa", "max_switch_wait",
        "pack_serial_at_end", "permit_job_expansion", "reduce_completing_frag", "requeue_delay",
        "sched_max_job_start", "spec_cores_first", "time_min_as_soft_limit",
    ),
    ABSENT: (
        "allow_zero_lic", "bf_allow_magnetic_slot", "bf_hetjob_immediate", "bf_hetjob_prio",
        "bf_licenses", "disable_hetjob_steps", "enable_hetjob_steps", "preempt_reorder_count",
        "preempt_send_user_signal", "preempt_strict_order", "preempt_youngest_first",
        "whole_hetjob", "whole_pack",
    ),
    NO_TIME: (
        "bf_max_time", "bf_yield_interval", "bf_yield_rpc_cnt", "bf_yield_sleep",
        "build_queue_timeout", "max_rpc_cnt", "max_sched_time",
    ),
    HARMLESS: (
        "correspond_after_task_cnt", "disable_job_shrink", "enable_job_state_cache",
        "ignore_constraint_validation", "ignore_prefer_validation", "kill_invalid_depend",
        "max_array_tasks", "max_depend_depth", "max_script_size", "max_submit_line_size",
        "no_backup_scheduling", "no_env_cache", "nohold_on_prolog_fail",
        "requeue_setup_env_fail", "salloc_wait_nodes", "sbatch_wait_nodes", "step_retry_count",
        "step_retry_time",
    ),
}  # fmt: skip
"""``SchedulerParameters`` without a counterpart in a replay, by the reason."""

NEVER_READ = {name: reason for reason, names in _PARAMETERS.items() for name in names}
"""Reason for ignoring each scheduler parameter, by its name."""
