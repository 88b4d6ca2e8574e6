"""A running job with its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.slurm.job import Job


@dataclass(frozen=True)
class Running:
    """A job with its start, its nodes, and the time at which it reaches its limit."""

    job: Job
    start: int
    nodes: int
    end: int
