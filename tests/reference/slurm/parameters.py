"""Parameters of slurm.conf that the oracle follows, with the defaults of 22.05, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.slurm.held_back import Limit


@dataclass(frozen=True)
class Weights:
    """Weights and periods of priority/multifactor.

    `tres` has weights by names such as "gres/gpu". If `half_life` is 0, usage does not decay.
    `reset` is PriorityUsageResetPeriod.
    """

    age: int = 0
    max_age: int = 7 * 86400
    job_size: int = 0
    favor_small: bool = False
    relative_to_time: bool = False
    partition: int = 0
    fair_share: int = 0
    half_life: int = 7 * 86400
    damping: int = 1
    period: int = 300
    qos: int = 0
    association: int = 0
    tres: dict[str, float] = field(default_factory=dict)
    reset: str = "NONE"


@dataclass(frozen=True)
class Parameters:
    """SchedulerParameters and other settings that affect starts; 0 means no limit.

    Limits in `submit_limits` count waiting and running jobs together.
    """

    bf_interval: float = 30
    bf_resolution: int = 60
    bf_window: int = 86400
    bf_max_job_test: int = 500
    bf_max_time_jobs: int = 0  # jobs that a cycle can test within bf_max_time
    bf_node_space_size: int = 0
    bf_max_job_user: int = 0
    bf_max_job_part: int = 0
    bf_max_job_user_part: int = 0
    bf_job_part_count_reserve: int = 0
    bf_min_prio_reserve: int = 0
    bf_min_age_reserve: int = 0
    bf_window_linear: int = 0
    default_queue_depth: int = 100
    partition_job_depth: int = 0
    sched_interval: float = 60
    sched_min_interval: float = 2e-6
    batch_sched_delay: float = 3
    defer: bool = False
    has_epilog: bool = False
    kill_wait: int = 30
    over_time_limit: int = 0
    enforces_part_limits: bool = False
    complete_wait: int = 0
    jobs_per_user: int = 0
    limits: tuple[Limit, ...] = ()
    submit_limits: tuple[Limit, ...] = ()
    assoc_limit_stop: bool = False
    multifactor: Weights | None = field(default=None)

    @property
    def table_size(self) -> int:
        """Number of spans that a cycle may create in its map of plans."""
        return self.bf_node_space_size or self.bf_max_job_test
