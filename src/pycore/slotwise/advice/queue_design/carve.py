"""The hybrid's common pool, carved off the partitions chunk by chunk (section III of the paper).

Queues take turns, the smallest partition first. In its turn, a queue gives one chunk of its
partition to the pool. If its mean wait is then more than 30 % above that on the original partition,
the chunk is put back and the queue takes no more turns. Carving ends when no queue can take a turn,
or when the mean wait of all jobs would grow by more than 30 %.

Each turn depends on the one before, but chunks are rarely put back. Many turns are therefore
replayed together, as if every chunk stayed in the pool. Up to the first chunk that is put back, the
states are the same as if each turn were replayed alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slotwise.advice.queue_design.layout import Layout
    from slotwise.advice.queue_design.parameters import Parameters
    from slotwise.advice.queue_design.replays import Replays, Waits

FEWEST_AHEAD, MOST_AHEAD = 4, 16


@dataclass
class _Turns:
    """The queues that still take turns, the one whose turn it is, and the partition sizes."""

    sizes: list[int]
    order: list[int]
    place: int = 0

    def copy(self) -> _Turns:
        return _Turns(list(self.sizes), list(self.order), self.place)

    @property
    def who(self) -> int:
        return self.order[self.place]

    def take(self, chunk: int) -> None:
        self.sizes[self.who] -= chunk
        self.place = (self.place + 1) % len(self.order)

    def drop(self) -> None:
        self.order.pop(self.place)
        if self.order:
            self.place %= len(self.order)


def carve(
    layout: Layout,
    replays: Replays,
    parameters: Parameters,
    tell: Callable[[float], object] | None = None,
) -> Layout:
    """Return the hybrid layout: smaller partitions, and a common pool of the removed processors.

    A partition never becomes smaller than its queue's largest job. The total size of the partitions
    never becomes smaller than the largest job that spans them. The pool's threshold is a share of
    the highest priority among the queues with partitions (`medium` in the paper).

    Parameters
    ----------
    replays : Replays
        Replays on the history.
    tell : callable, optional
        Called with the share of the machine carved so far.
    """
    before = replays.waits([layout])[0]
    turns = _Turns(
        list(layout.sizes), sorted(range(len(layout.sizes)), key=lambda k: (layout.sizes[k], k))
    )
    ahead = FEWEST_AHEAD
    while turns.order:
        states = list(_ahead(turns, layout, parameters.chunk, ahead))
        if not states:
            break
        found = replays.waits([layout.resized(state.sizes) for _who, state in states])
        kept = 0
        for (who, state), waits in zip(states, found, strict=True):
            if _grown(before.mean, waits.mean, parameters.degradation):
                return _hybrid(layout, turns, parameters)
            if _has_degraded(before, waits, who, parameters.degradation):
                break
            turns = state.copy()
            kept += 1
        if kept < len(states):
            while turns.who != states[kept][0]:  # skip partitions that are too small
                turns.drop()
            turns.drop()
            ahead = max(FEWEST_AHEAD, ahead // 2)
        else:
            ahead = min(MOST_AHEAD, 2 * ahead)
        if tell is not None:
            tell(1 - sum(turns.sizes) / sum(layout.sizes))
    return _hybrid(layout, turns, parameters)


def _ahead(turns: _Turns, layout: Layout, chunk: int, count: int) -> Iterator[tuple[int, _Turns]]:
    """Yield the queue and the state after each of the next turns, as if no chunk were put back.

    Partitions that are too small to give another chunk are skipped. Those skipped before the first
    turn are also removed from `turns`.
    """
    least = layout.base.largest_spanning
    state = turns.copy()
    for number in range(count):
        while state.order and (
            state.sizes[state.who] - chunk < layout.partitions[state.who].largest
        ):
            state.drop()
            if number == 0:
                turns.drop()
        if not state.order or sum(state.sizes) - chunk < least:
            if number == 0:
                turns.order.clear()
            return
        who = state.who
        state.take(chunk)
        yield who, state.copy()


def _grown(before: float, after: float, share: float) -> bool:
    return after > before * (1 + share)


def _has_degraded(before: Waits, after: Waits, who: int, share: float) -> bool:
    return _grown(before.by_partition[who], after.by_partition[who], share)


def _hybrid(layout: Layout, turns: _Turns, parameters: Parameters) -> Layout:
    threshold = parameters.threshold_share * layout.base.threshold_priority
    return replace(layout.resized(turns.sizes), hybrid=True, threshold=threshold)
