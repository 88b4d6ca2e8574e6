"""Phase 2, second half: merging queues to shorten waits (section II.B.2 of the paper)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.queue_design.layout import Layout, Partition
from slotwise.advice.queue_design.split import LEAST_GAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.advice.queue_design.replays import Replays


def may_merge(one: Partition, other: Partition, adjacency: int = 1) -> bool:
    """Return True if two queues meet the three conditions for merging.

    Their ranges of sizes must overlap or be adjacent, and so must their ranges of requested times.
    For example, 24 to 96 processors is adjacent to 97 to 1032. The two queues must not have been
    split from the same queue.

    Parameters
    ----------
    adjacency : int
        The number added to the upper bound of sizes. With 0, as in the paper, 24 to 96 and 97 to
        1032 would not be adjacent.
    """
    boxes = _Box(one), _Box(other)
    return (
        max(b.fewest for b in boxes) <= min(b.most for b in boxes) + adjacency
        and max(b.above for b in boxes) <= min(b.longest for b in boxes)
        and not one.parents & other.parents
    )


class _Box:
    """The smallest ranges of size and requested time that contain all parts of a queue."""

    def __init__(self, partition: Partition) -> None:
        self.fewest = min(p.fewest for p in partition.parts)
        self.most = max(p.most for p in partition.parts)
        self.above = min(p.above for p in partition.parts)
        self.longest = max(p.longest for p in partition.parts)


def merged(one: Partition, other: Partition) -> Partition:
    """Merge two queues into one, with the processors of both."""
    return Partition(
        f"{one.name}+{other.name}",
        tuple(sorted(one.parts + other.parts, key=lambda p: (p.base, p.fewest, p.above))),
        one.size + other.size,
        one.parents | other.parents,
    )


def merge_queues(
    layout: Layout,
    replays: Replays,
    tell: Callable[[str], object] | None = None,
    *,
    adjacency: int = 1,
) -> Layout:
    """Repeatedly merge the pair that shortens the mean wait most, until no merger shortens it.

    Parameters
    ----------
    replays : Replays
        Replays on the history.
    tell : callable, optional
        Called with one line per merge.
    adjacency : int
        As in `may_merge`.
    """
    while True:
        pairs = [p for p in combinations(layout.partitions, 2) if may_merge(*p, adjacency)]
        if not pairs:
            return layout
        after = [_after(layout, one, other) for one, other in pairs]
        present, *waits = (w.mean for w in replays.waits([layout, *after]))
        best = int(np.argmin(waits))
        if not waits[best] < present * (1 - LEAST_GAIN):
            return layout
        if tell is not None:
            one, other = pairs[best]
            now, then = present / 3600, waits[best] / 3600
            tell(
                f"{one.name} and {other.name} merged: mean wait of all jobs from {now:.2f} h to "
                f"{then:.2f} h"
            )
        layout = after[best]


def _after(layout: Layout, one: Partition, other: Partition) -> Layout:
    kept = [merged(one, other) if p == one else p for p in layout.partitions if p != other]
    return layout.with_partitions(kept)
