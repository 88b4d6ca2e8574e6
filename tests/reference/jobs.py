"""Facts about a job: as submitted, while running, and after its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

COMPLETED, KILLED, REJECTED = 0, 1, 2


@dataclass(frozen=True)
class Job:
    """One row of a trace; times in seconds, `user` -1 if unknown.

    The priority is that of the site's queue in which the job waits.
    """

    position: int
    submit: int
    run_time: int
    requested_time: int
    processors: int
    user: int = -1
    queue_priority: float = 0.0
    status: int = -1  # as logged: 1 completed, 0 failed, 5 cancelled, -1 unknown
    executable: int = -1
    eligible: int = -1
    array: int = -1
    task: int = -1
    array_limit: int = -1
    after: tuple[tuple[str, int, int], ...] = ()  # (kind, number, task or -1); see dependencies.py

    def length(self, kill_at_limit: bool) -> int:
        """Return for how many seconds the job will really occupy its processors."""
        return min(self.run_time, self.requested_time) if kill_at_limit else self.run_time


@dataclass
class Running:
    """A job that has started; `corrections` counts how often it outlived its estimate."""

    job: Job
    start: int
    end: int
    estimated_end: int
    corrections: int = 0


class Outcome(NamedTuple):
    """The outcome of a job; start and end are -1 if it was rejected."""

    start: int
    end: int
    state: int
    backfilled: bool
