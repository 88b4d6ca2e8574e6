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
    """Whole nodes; ends of running jobs are considered one by one; weights count only at a
    start."""

    def choose(
        self, job: Job, usable: int, running: Sequence[Running], kept: int = 0
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
        parts = self.machine.by_weight(allowed) if self.rules.light_nodes else [allowed]
        together = 0
        for part in parts:
            together |= part
            nodes = self.choose(job, together, running)
            if nodes is not None:
                return nodes
        return None

    def end_groups(self, running: Sequence[Running], usable: int) -> Iterator[list[Running]]:
        in_order = sorted(running, key=lambda each: (each.end, each.job.number))
        if self.rules.single_ends:
            yield from ([each] for each in in_order)
        else:
            yield from lumped(in_order, usable, self.parameters.bf_window_linear)

    def overdue(self, last: Running, now: int) -> int:
        return now + 1
