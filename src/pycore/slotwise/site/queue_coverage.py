"""Queues that no job can reach, because earlier ones take all they would.

A queue is a rectangle of sizes and requested times. The earlier ones hide it where together they
cover it; none of them need do so alone::

    time                 a: sizes 1 to 8, up to 4 h
    4 h +----+----+      b: sizes 9 to 16, up to 4 h
        | a ##### |      c: sizes 5 to 12, up to 4 h: half in a, half in b, hidden
        |   # c # |
      0 +----+----+
        1    8    16  processors

Between two neighbouring edges of sizes the same rectangles hold, so it is enough to look whether
their times cover those of the queue, for each such strip. Sizes that can never start do not count:
on a machine of 16, a queue of 9 processors or more is hidden by one of 9 to 16.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.site.parts.queue import Queue

RANGES = ("processors", "walltime", "trace_queues")
"""What of a queue decides which jobs reach it."""

_ENDLESS = 2**62
Interval = tuple[int, int]


def hidden_by(queues: Sequence[Queue], index: int, most: int | None = None) -> list[int]:
    """Give the earlier queues that hide one wholly; none where some job can reach it.

    Parameters
    ----------
    queues : sequence of Queue
    index : int
        Of the queue in question.
    most : int, optional
        The most processors with which a job of it can start.
    """
    queue = queues[index]
    if queue.trace_queues:
        return []
    sizes, times = _rectangle(queue)
    sizes = sizes[0], sizes[1] if most is None else min(sizes[1], most + 1)
    if sizes[0] >= sizes[1]:
        return []
    over = [
        (place, *_rectangle(earlier))
        for place, earlier in enumerate(queues[:index])
        if earlier.has_ranges
    ]
    over = [other for other in over if _meet(other[1], sizes) and _meet(other[2], times)]
    edges = {sizes[0], sizes[1], *(edge for _, other, _ in over for edge in other)}
    inner = sorted(edge for edge in edges if sizes[0] <= edge <= sizes[1])
    for low, high in itertools.pairwise(inner):
        strip = [span for _, other, span in over if other[0] <= low and high <= other[1]]
        if not _covered(times, strip):
            return []
    return [place for place, _, _ in over]


def _rectangle(queue: Queue) -> tuple[Interval, Interval]:
    """Give sizes and times as half-open intervals of whole numbers; a request is at least 1 s."""
    ends: Any = (queue.processors, queue.walltime)
    (fewest, most), (above, longest) = ends
    return (
        (fewest, _ENDLESS if most is None else most + 1),
        (above + 1, _ENDLESS if longest is None else longest + 1),
    )


def _meet(one: Interval, other: Interval) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _covered(wanted: Interval, spans: Sequence[Interval]) -> bool:
    reached = wanted[0]
    for begin, end in sorted(spans):
        if begin > reached:
            break
        reached = max(reached, end)
    return reached >= wanted[1]
