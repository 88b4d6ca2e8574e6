"""Chooses nodes for a job: now, or as soon as enough running jobs have ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from reference.slurm.node_sets import members, node_set, runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.rules import Rules
    from reference.slurm.running import Running


class Selector(ABC):
    """The select plugin, which chooses nodes of a machine for one job."""

    def __init__(self, machine: Machine, parameters: Parameters, rules: Rules) -> None:
        self.machine = machine
        self.parameters = parameters
        self.rules = rules

    @abstractmethod
    def choose(
        self, job: Job, usable: int, running: Sequence[Running], kept: int = 0
    ) -> int | None:
        """Return the usable nodes that a job would take while the running jobs keep theirs.

        `kept` is the number of other nodes that must stay free for plans that name no nodes.
        """

    @abstractmethod
    def choose_at_start(
        self, job: Job, allowed: int, running: Sequence[Running], usable: int
    ) -> int | None:
        """Return the nodes that a job takes when it starts; lighter nodes come first.

        The `usable` nodes also include those that are not `allowed` because they are completing.
        """

    def submitted(self, job: Job) -> None:
        """Test a job at its submission; this may change the weights of nodes."""
        del job

    @abstractmethod
    def end_groups(self, running: Sequence[Running], usable: int) -> Iterator[list[Running]]:
        """Yield the running jobs in groups that are assumed to end together, earliest first."""

    @abstractmethod
    def overdue(self, last: Running, now: int) -> int:
        """Return the assumed end of a job that has exceeded its limit."""

    def earliest(
        self, job: Job, usable: int, running: Sequence[Running], now: int, kept: int = 0
    ) -> tuple[int, int] | None:
        """Return the first instant at which the job fits on usable nodes, and these nodes."""
        nodes = self.choose(job, usable, running, kept)
        if nodes is not None:
            return now, nodes
        left = list(running)
        for group in self.end_groups(running, usable):
            for each in group:
                left.remove(each)
            nodes = self.choose(job, usable, left, kept)
            if nodes is not None:
                last = group[-1]
                return (last.end if last.end > now else self.overdue(last, now)), nodes
        return None

    def tightest(self, free: int, needed: int) -> int:
        """Return `needed` nodes: the shortest sufficient run, otherwise the longest runs."""
        if not self.rules.tight_runs:
            return node_set(members(free)[:needed])
        left = runs(free)
        taken = 0
        while needed > 0:
            enough = [run for run in left if run[1] >= needed]
            longest = max(left, key=_length) if self.rules.longest_runs else left[0]
            best = min(enough, key=_length) if enough else longest
            first, length = best[0], min(best[1], needed)
            taken |= ((1 << length) - 1) << first
            needed -= length
            left.remove(best)
        return taken


def _length(run: tuple[int, int]) -> int:
    return run[1]
