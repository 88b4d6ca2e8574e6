"""Input and output of a scheduler: the cluster's state, and the decision made in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.running import Running


@dataclass(frozen=True)
class State:
    """Running jobs, waiting jobs with their priorities, and the nodes that are still completing."""

    now: int
    running: list[Running]
    waiting: list[Job]
    priority: dict[int, float] = field(default_factory=dict)
    completing: int = 0
    eligible: dict[int, int] = field(default_factory=dict)  # by job number; default: submit time


@dataclass(frozen=True)
class Plan:
    """A plan for one job: the predicted start, the rounded end, and the nodes."""

    job: Job
    begin: int
    end: int
    nodes: int


@dataclass(frozen=True)
class Decision:
    """Job starts in a pass or cycle, in order, with their nodes; for a cycle, also its plans."""

    starts: list[tuple[Job, int]]
    plans: list[Plan] = field(default_factory=list)
