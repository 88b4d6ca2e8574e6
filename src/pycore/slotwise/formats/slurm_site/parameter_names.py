"""Names of the ``SchedulerParameters`` of a ``slurm.conf``."""

from __future__ import annotations

COUNTS = (
    "sched_interval", "sched_min_interval", "batch_sched_delay", "default_queue_depth",
    "partition_job_depth", "bf_interval", "bf_max_job_test", "bf_max_job_user", "bf_max_job_part",
    "bf_max_job_user_part", "bf_window", "bf_resolution", "bf_window_linear",
    "bf_job_part_count_reserve", "bf_min_prio_reserve", "bf_min_age_reserve", "bf_node_space_size",
)  # fmt: skip
"""Parameters whose values are whole numbers."""

FLAGS = ("assoc_limit_stop", "defer", "bf_continue")
FORMER_NAMES = {"max_job_bf": "bf_max_job_test"}
