"""Phase 2, first half: splitting queues to shorten waits (section II.B.1 of the paper).

Suppose the queue `small` accepts jobs of 24 to 1032 processors. Its four jobs have 24, 24, 96 and
480 processors, and use 1, 1, 4 and 6 CPU hours. There are three ways to split it:

- By CPU hours: the first sub-queue gets the smallest jobs, until it has at least half of the 12 CPU
  hours. The sub-queues take 24 to 96 and 97 to 1032; each gets half of the processors.
- By number of jobs: the first sub-queue gets two of the four jobs. The sub-queues take 24 and 25 to
  1032, with 2/12 and 10/12 of the processors.
- By run time: the first sub-queue gets requests shorter than half of the longest request.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from slotwise.advice.queue_design.layout import Layout, Part, Partition
from slotwise.advice.queue_design.shares import apportion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slotwise.advice.queue_design.replays import Replays
    from slotwise.trace import Trace

Method = Literal["run time", "CPU hours", "jobs"]
METHODS: tuple[Method, ...] = ("run time", "CPU hours", "jobs")
LEAST_GAIN = 1e-9
"""Relative difference below which values count as equal, to allow for rounding."""


def cut_size(jobs: Trace, by: Method) -> int:
    """Return the largest size of the first sub-queue, by CPU hours or by number of jobs.

    Jobs are added to the first sub-queue in order of size, until it has at least half of the total.
    It also gets all other jobs of the same size as the last one.
    """
    order = np.argsort(jobs.processors, kind="stable")
    sizes = jobs.processors[order]
    weight = (sizes * jobs.run_time[order]).astype(np.float64) if by == "CPU hours" else (
        np.ones(len(sizes))
    )  # fmt: skip
    filled = np.cumsum(weight)
    return int(sizes[np.searchsorted(filled, filled[-1] / 2)])


def cut_part(part: Part, jobs: Trace, by: Method) -> tuple[Part, Part] | None:
    """Cut part of a queue in two, by size or requested time; return None if a piece is empty."""
    if by == "run time":
        # The largest whole number below half of the longest requested time.
        shorter = part.longest // 2 - (part.longest % 2 == 0)
        if shorter <= part.above:
            return None
        return replace(part, longest=shorter), replace(part, above=shorter)
    size = cut_size(jobs, by)
    if not part.fewest <= size < part.most:
        return None
    return replace(part, most=size), replace(part, fewest=size + 1)


def split_of(partition: Partition, by: Method, replays: Replays) -> tuple[Partition, ...] | None:
    """Split a queue; divide its processors in proportion to the CPU hours of the two parts.

    Return None for a merged queue, and if a sub-queue would have no jobs, no CPU hours, or too few
    processors for its largest job.
    """
    jobs = replays.jobs_of(partition)
    if len(partition.parts) != 1 or len(jobs) < 2:
        return None
    cut = cut_part(partition.parts[0], jobs, by)
    if cut is None:
        return None
    made = [
        Partition(f"{partition.name}.{k}", (part,), partition.size, frozenset({partition.name}))
        for k, part in enumerate(cut, 1)
    ]
    inside = [replays.jobs_of(each) for each in made]
    hours = [float(np.dot(each.processors, each.run_time)) for each in inside]
    if min(len(each) for each in inside) == 0 or min(hours) <= 0:
        return None
    sizes = apportion(hours, partition.size)
    if any(size < each.largest for each, size in zip(made, sizes, strict=True)):
        return None
    return tuple(each.resized(size) for each, size in zip(made, sizes, strict=True))


def split_queues(
    layout: Layout, replays: Replays, tell: Callable[[str], object] | None = None
) -> Layout:
    """Split the queues in order of size, as long as splits shorten the mean wait of all jobs.

    Each queue is split in the best of three ways: by CPU hours, by number of jobs, or by run time.
    Then its first sub-queue is split further, then its second, then the next queue.

    Parameters
    ----------
    replays : Replays
        Replays on the history.
    tell : callable, optional
        Called with one line per split that is kept.
    """
    by_size = sorted(layout.partitions, key=lambda p: (p.parts[0].fewest, p.largest, p.name))
    for partition in by_size:
        layout = _split_on(layout, partition, replays, tell)
    return layout


def _split_on(
    layout: Layout,
    partition: Partition,
    replays: Replays,
    tell: Callable[[str], object] | None,
) -> Layout:
    candidates = list(_candidates(layout, partition, replays))
    if not candidates:
        return layout
    present, *waits = (
        w.mean for w in replays.waits([layout, *(after for _by, _two, after in candidates)])
    )
    best = int(np.argmin(waits))
    if not waits[best] < present * (1 - LEAST_GAIN):
        return layout
    by, two, layout = candidates[best]
    if tell is not None:
        now, then = present / 3600, waits[best] / 3600
        tell(
            f"{partition.name} split by {by}: mean wait of all jobs from {now:.2f} h to "
            f"{then:.2f} h"
        )
    for part in two:
        layout = _split_on(layout, part, replays, tell)
    return layout


def _candidates(
    layout: Layout, partition: Partition, replays: Replays
) -> Iterator[tuple[Method, tuple[Partition, ...], Layout]]:
    for by in METHODS:
        two = split_of(partition, by, replays)
        if two is not None:
            others = [(two if p == partition else (p,)) for p in layout.partitions]
            yield by, two, layout.with_partitions([p for some in others for p in some])
