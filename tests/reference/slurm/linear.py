"""select/linear: jobs take whole nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.slurm.lumped_ends import lumped
from reference.slurm.selector import Selector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference.slurm.job import Job
    from reference.slurm.running import Running


class Linear(Selector):
    """Jobs take whole nodes; node weights count only when a job starts.

    The ends of running jobs are considered one by one.
    """

    def choose(
        self, job: Job, usable: int, running: Sequence[Running], kept: int = 0
    ) -> int | None:
        if self.rules.weightless_plans:
            return self._choose_any(job, usable, running, kept)
        return self._choose_lightest(job, usable, running, kept)

    def _choose_any(
        self, job: Job, usable: int, running: Sequence[Running], kept: int
    ) -> int | None:
        taken = 0
        for each in running:
            taken |= each.nodes
        free = usable & ~taken
        if free.bit_count() < job.nodes + kept:
            return None
        return self.tightest(free, job.nodes)

    def choose_at_start(
        self, job: Job, allowed: int, running: Sequence[Running], usable: int
    ) -> int | None:
        del usable
        if self.rules.light_nodes:
            return self._choose_lightest(job, allowed, running, kept=0)
        return self._choose_any(job, allowed, running, kept=0)

    def _choose_lightest(
        self, job: Job, allowed: int, running: Sequence[Running], kept: int
    ) -> int | None:
        together = 0
        for part in self.machine.by_weight(allowed):
            together |= part
            those = together if self.rules.heavier_nodes_added else part
            nodes = self._choose_any(job, those, running, kept)
            if nodes is not None:
                return nodes
        return self._choose_any(job, allowed, running, kept)

    def end_groups(self, running: Sequence[Running], usable: int) -> Iterator[list[Running]]:
        in_order = sorted(running, key=lambda each: (each.end, each.job.number))
        if self.rules.single_ends:
            yield from ([each] for each in in_order)
        else:
            yield from lumped(in_order, usable, self.parameters.bf_window_linear, self.rules)

    def overdue(self, last: Running, now: int) -> int:
        return now + 1
