"""Queues that no job can reach because earlier queues take all their jobs.

A queue is a rectangle of sizes and requested times. Earlier queues hide it if together they cover
it, even if no single one does::

    time                 a: sizes 1 to 8, up to 4 h
    4 h +----+----+      b: sizes 9 to 16, up to 4 h
        | a ##### |      c: sizes 5 to 12, up to 4 h: half in a, half in b, hidden
        |   # c # |
      0 +----+----+
        1    8    16  processors

The edges of all rectangles cut the plane into cells. Each cell is covered completely or not at all.
Sizes that can never start do not count: on 16 processors, a queue for 9 or more is hidden by one
for 9 to 16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.site.parts.queue import Queue

RANGES = ("processors", "walltime", "trace_queues", "nodes_per_job")
"""Fields of a queue that determine which jobs reach it."""

_ENDLESS = 2**62
_WORDS = 1 << 22
"""Number of machine words (32 MB) that are processed together; each bit is a cell."""

Interval = tuple[int, int]


def hidden_queues(queues: Sequence[Queue], most: Sequence[int | None]) -> dict[int, list[int]]:
    """Return the queues that no job can reach, each with the earlier queues that hide it.

    Both are given by their positions in `queues`.

    Parameters
    ----------
    queues : sequence of Queue
    most : sequence of int or None
        For each queue, the largest number of processors with which one of its jobs can start; None
        if unknown.
    """
    if not queues:
        return {}
    sizes, times = (np.array(spans) for spans in zip(*map(_rectangle, queues), strict=True))
    bounds = [_ENDLESS if bound is None else bound + 1 for bound in most]
    lasts = np.minimum(sizes[:, 1], bounds)
    # A queue that accepts a job's number of processors may still exclude the job because of its
    # number of nodes.
    covers = np.array([q.has_ranges and tuple(q.nodes_per_job) == (1, None) for q in queues])
    found = {}
    for place in np.flatnonzero(~_reached(sizes, lasts, times, covers)).tolist():
        empty = sizes[place, 0] >= lasts[place] or times[place, 0] >= times[place, 1]
        if queues[place].trace_queues or empty:
            continue
        over = (
            covers[:place]
            & (sizes[:place, 0] < lasts[place])
            & (sizes[:place, 1] > sizes[place, 0])
            & (times[:place, 0] < times[place, 1])
            & (times[:place, 1] > times[place, 0])
        )
        found[place] = np.flatnonzero(over).tolist()
    return found


def _reached(
    sizes: NDArray[np.int64],
    lasts: NDArray[np.int64],
    times: NDArray[np.int64],
    covers: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which rectangles have a cell, at sizes below `lasts`, that no earlier one covers.

    The edges cut the plane into cells. Each range of sizes is a row of bits, with one bit per range
    of times. For each rectangle in turn, look for a bit that is not yet set. Then set all bits of
    the rectangle, if its queue accepts every job in it.
    """
    strips, steps = np.unique(np.concatenate([sizes.ravel(), lasts])), np.unique(times)
    begin, end = np.searchsorted(strips, sizes).T
    last = np.searchsorted(strips, lasts)
    masks = [_bits(low, high) for low, high in np.searchsorted(steps, times).tolist()]
    words = (len(steps) + 63) // 64
    height = max(1, _WORDS // words)
    reached = np.zeros(len(sizes), dtype=np.bool_)
    for top in range(0, len(strips), height):
        covered = np.zeros((min(height, len(strips) - top), words), dtype=np.uint64)
        inside = np.flatnonzero((begin < top + height) & (end > top)).tolist()
        for place in inside:
            first, mask = masks[place]
            low, high = max(begin[place] - top, 0), end[place] - top
            part = covered[low:high, first : first + len(mask)]
            if not reached[place]:
                own = part[: max(last[place] - top - low, 0)]
                reached[place] = bool((~own & mask).any())
            if covers[place]:
                part |= mask
    return reached


def _bits(low: int, high: int) -> tuple[int, NDArray[np.uint64]]:
    """Return words with bits `low` to `high` (exclusive) set, and the index of the first word."""
    if high <= low:
        return 0, np.empty(0, dtype=np.uint64)
    first, last = low // 64, (high - 1) // 64
    mask = np.full(last - first + 1, 2**64 - 1, dtype=np.uint64)
    mask[0] &= np.uint64((2**64 - 1) << low % 64 & (2**64 - 1))
    mask[-1] &= np.uint64((2**64 - 1) >> 63 - (high - 1) % 64)
    return first, mask


def _rectangle(queue: Queue) -> tuple[Interval, Interval]:
    """Return a queue's sizes and times as half-open intervals; a request is at least 1 s."""
    ends: Any = (queue.processors, queue.walltime)
    (fewest, most), (above, longest) = ends
    return (
        (fewest, _ENDLESS if most is None else most + 1),
        (above + 1, _ENDLESS if longest is None else longest + 1),
    )
