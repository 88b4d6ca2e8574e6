"""Replays of many layouts on one history, none of them computed twice.

If no job spans partitions, the partitions are independent. Each is a plain replay of its jobs on
its processors, shared by all layouts with the same partition. Otherwise the whole site is replayed.

A layout with a single partition is replayed for several sizes at once. If every job takes a
multiple of 8 processors, the same jobs fit together on 1,003 processors as on 1,000, so all starts
are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.queue_design.layout import Layout
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.parts.limits import LIMIT_READERS
from slotwise.sweeps.rows import MetricOptions, compute_rows
from slotwise.sweeps.workers import threads_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.base import Base
    from slotwise.advice.queue_design.history import History
    from slotwise.advice.queue_design.layout import Part, Partition
    from slotwise.trace import Trace

    Key = tuple[tuple[Part, ...], int]
    Starts = tuple[tuple[Part, ...], int] | tuple[tuple[Partition, ...], bool]

COUNTING = ("none", "first-fit", "easy", "conservative")
"""Backfill rules under which start times depend only on which sets of jobs fit at once."""

_RULES = ("order", *(name for name in LIMIT_READERS if "_per_" in name))


@dataclass(frozen=True, slots=True)
class Waits:
    """Mean waits of a layout.

    Attributes
    ----------
    mean : float, seconds
        Mean of all jobs; infinite if a job can never start.
    by_partition : tuple of float, seconds
        0 for a partition without jobs.
    """

    mean: float
    by_partition: tuple[float, ...]


class Replays:
    """Mean waits of layouts on a history.

    Parameters
    ----------
    history : History
    base : Base
    workers : int, optional
        Number of threads; the default is that of `sweep`.

    Attributes
    ----------
    threads : int
    n_replays : int
        Replays, including those whose starts were known from a layout of another size.
    n_jobs_replayed : int
        Total number of jobs in these replays.
    is_coupled : bool
        True if a job of the history spans partitions.
    """

    def __init__(self, history: History, base: Base, workers: int | None = None) -> None:
        self.history = history
        self.base = base
        self.n_replays = 0
        self.n_jobs_replayed = 0
        self.threads = threads_for(workers)
        spanning = [k for k, q in enumerate(base.queues) if q.spanning]
        self.is_coupled = bool(np.isin(history.queue, spanning).any())
        self._alone: dict[Key, float] = {}
        self._whole: dict[tuple[Partition, ...], Waits] = {}
        self._by_starts: dict[Starts, Waits] = {}
        # The size of every job is a multiple of this number.
        self._unit = int(np.gcd.reduce(history.trace.processors)) or 1
        self._jobs: dict[tuple[Part, ...], Trace] = {}
        self._masks: dict[tuple[Part, ...], NDArray[np.bool_]] = {}

    def jobs_of(self, partition: Partition) -> Trace:
        """Return the jobs of a partition."""
        key = partition.parts
        if key not in self._jobs:
            self._jobs[key] = self.history.trace[self._mask(partition)]
        return self._jobs[key]

    def waits(self, layouts: Sequence[Layout]) -> list[Waits]:
        """Return the mean waits of layouts, ignoring their common pools."""
        return self._coupled(layouts) if self.is_coupled else self._separate(layouts)

    def mean(self, layout: Layout) -> float:
        """Return the mean wait of one layout, in seconds."""
        return self.waits([layout])[0].mean

    def _count(self, replays: int, jobs: Trace) -> None:
        self.n_replays += replays
        self.n_jobs_replayed += replays * len(jobs)

    def _mask(self, partition: Partition) -> NDArray[np.bool_]:
        if partition.parts not in self._masks:
            self._masks[partition.parts] = partition.takes(self.history)
        return self._masks[partition.parts]

    def _separate(self, layouts: Sequence[Layout]) -> list[Waits]:
        wanted: dict[tuple[Part, ...], dict[int, Partition]] = {}
        for layout in layouts:
            for partition in layout.partitions:
                if (partition.parts, partition.size) not in self._alone:
                    wanted.setdefault(partition.parts, {})[partition.size] = partition
        for parts, sizes in wanted.items():
            self._alone |= self._replay_alone(parts, list(sizes.values()))
        found = []
        for layout in layouts:
            means = [self._alone[p.parts, p.size] for p in layout.partitions]
            counts = [len(self.jobs_of(p)) for p in layout.partitions]
            total = sum(m * n for m, n in zip(means, counts, strict=True) if n)
            found.append(Waits(total / max(sum(counts), 1), tuple(means)))
        return found

    def _replay_alone(
        self, parts: tuple[Part, ...], partitions: list[Partition]
    ) -> dict[Key, float]:
        jobs = self.jobs_of(partitions[0])
        if len(jobs) == 0:
            return {(parts, p.size): 0.0 for p in partitions}
        largest = int(jobs.processors.max())
        fitting = [p for p in partitions if p.size >= largest]
        rows = compute_rows(
            jobs, [self._site_alone(p) for p in fitting], MetricOptions(), workers=self.threads
        )
        self._count(len(rows), jobs)
        found = {(parts, p.size): np.inf for p in partitions}
        for partition, row in zip(fitting, rows, strict=True):
            found[parts, partition.size] = row.metrics["mean_wait"]
        return found

    def _site_alone(self, partition: Partition) -> Site:
        queues = [self.base.queues[part.base] for part in partition.parts]
        # If jobs are in order of submission, starving jobs come first even without a special rule.
        by_submit = self.base.policy.order == "fcfs" or all(q.starvation is None for q in queues)
        if by_submit and not any(getattr(q, name) for q in queues for name in _RULES):
            return Site(Processors(partition.size), self.base.policy)
        alone = replace(self.base, machine=partition.size, queues=self.base.queues)
        return Layout(_without_spanning(alone), (partition,)).site()

    def _coupled(self, layouts: Sequence[Layout]) -> list[Waits]:
        wanted = {
            layout.partitions: layout for layout in layouts if layout.partitions not in self._whole
        }
        feasible = {
            partitions: layout
            for partitions, layout in wanted.items()
            if sum(layout.sizes) >= self.base.largest_spanning
            and all(p.size >= p.largest for p in partitions)
        }
        self._count(len(feasible), self.history.trace)
        fresh: dict[Starts, Layout] = {}
        for layout in feasible.values():
            if self._starts_of(layout) not in self._by_starts:
                fresh.setdefault(self._starts_of(layout), layout)
        self._by_starts |= zip(fresh, self._replay_whole(list(fresh.values())), strict=True)
        for partitions, layout in wanted.items():
            if partitions in feasible:
                self._whole[partitions] = self._by_starts[self._starts_of(layout)]
            else:
                self._whole[partitions] = Waits(np.inf, (np.inf,) * len(partitions))
        return [self._whole[layout.partitions] for layout in layouts]

    def _starts_of(self, layout: Layout) -> Starts:
        """Return a key that two layouts share only if their jobs start at the same times."""
        counts = self.base.policy.backfill in COUNTING and not layout.hybrid
        if len(layout.partitions) > 1 or not counts:
            return layout.partitions, layout.hybrid
        (partition,) = layout.partitions
        return partition.parts, partition.size // self._unit

    def _replay_whole(self, layouts: list[Layout]) -> Iterator[Waits]:
        trace = self.history.trace
        rows = compute_rows(
            trace,
            [layout.site() for layout in layouts],
            MetricOptions(),
            workers=self.threads,
            keep_schedules=True,
            computes_metrics=False,
        )
        for layout, row in zip(layouts, rows, strict=True):
            assert row.schedule is not None
            start = row.schedule.start
            wait = np.where(start < 0, np.inf, start - trace.submit)
            masks = [self._mask(p) for p in layout.partitions]
            means = [float(wait[mask].mean()) if mask.any() else 0.0 for mask in masks]
            yield Waits(float(wait.mean()), tuple(means))


def _without_spanning(base: Base) -> Base:
    """Return the base with the same queues in the same order, but none that spans partitions."""
    return replace(base, queues=tuple(q.replace(spanning=False) for q in base.queues))
