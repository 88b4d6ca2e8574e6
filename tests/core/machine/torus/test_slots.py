"""The slots of a machine, tested against a bitmap of its free nodes."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from reference.torus import choose, runs
from slotwise import _core

if TYPE_CHECKING:
    from collections.abc import Callable

    Interval = tuple[int, int]

GIVEN = os.environ.get("SLOTWISE_EXAMPLES")
NONE = (0, 0)


class Bitmap:
    def __init__(self, nodes: int) -> None:
        self.free = [True] * nodes

    def set(self, interval: Interval, free: bool) -> None:
        for node in range(*interval):
            assert self.free[node] is not free
            self.free[node] = free

    def slots(self) -> list[Interval]:
        free = (node for node, is_free in enumerate(self.free) if is_free)
        return [(run[0], run[-1] + 1) for run in runs(free)]


def size(slot: Interval) -> int:
    return slot[1] - slot[0]


def assert_same(slots: _core.Slots, bitmap: Bitmap, asked: int, k: int) -> None:
    """Check all slots, the k largest, and every search for a slot of at least `asked` nodes."""
    expected = bitmap.slots()
    fitting = [slot for slot in expected if size(slot) >= asked]
    largest = sorted(expected, key=lambda slot: (-size(slot), slot))
    assert slots.all() == expected
    assert (len(slots), slots.free) == (len(expected), sum(bitmap.free))
    assert slots.largest(k) == largest[:k]
    assert slots.largest_size() == (size(largest[0]) if largest else 0)
    assert slots.first_fit(asked) == (fitting[0] if fitting else NONE)
    best = min(fitting, key=lambda slot: (size(slot), slot), default=NONE)
    assert slots.best_fit(asked) == best


@st.composite
def operations(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int]]]:
    """Draw operations, and a machine size near one at which the tree of slots grows."""
    nodes = draw(st.sampled_from((1, 2, 15, 16, 17, 40, 255, 257)))
    numbers = st.integers(0, 10**6)
    return nodes, draw(st.lists(st.tuples(numbers, numbers, numbers), max_size=40))


@settings(max_examples=int(GIVEN or 80), deadline=None)
@given(operations())
def test_slots_are_the_runs_of_a_bitmap(drawn: tuple[int, list[tuple[int, int, int]]]) -> None:
    nodes, happening = drawn
    slots, bitmap = _core.Slots(nodes), Bitmap(nodes)
    taken: list[Interval] = []
    for what, where, much in happening:
        free = bitmap.slots()
        if free and (what % 5 < 3 or not taken):
            begin, end = free[where % len(free)]
            begin += what % (end - begin)
            interval = (begin, begin + 1 + much % (end - begin))
            slots.allocate(interval)
            bitmap.set(interval, free=False)
            taken.append(interval)
        else:
            interval = taken.pop(where % len(taken))
            slots.release(interval)
            bitmap.set(interval, free=True)
        assert_same(slots, bitmap, 1 + much % nodes, what % 6)
        node = where % nodes
        held = [slot for slot in bitmap.slots() if slot[0] <= node < slot[1]]
        assert slots.slot_at(node) == (held[0] if held else NONE)
        behind = [slot for slot in bitmap.slots() if slot[0] >= node and size(slot) >= 2]
        assert slots.first_fit(2, node) == (behind[0] if behind else NONE)


@settings(max_examples=int(GIVEN or 80), deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.data())
def test_first_and_least_spread_take_what_the_oracle_takes(
    free: list[bool], data: st.DataObject
) -> None:
    slots = _core.Slots(len(free))
    for node, is_free in enumerate(free):
        if not is_free:
            slots.allocate((node, node + 1))
    positions = [node for node, is_free in enumerate(free) if is_free]
    if not positions:
        assert slots.all() == []
        return
    need = data.draw(st.integers(1, len(positions)))

    def nodes_of(intervals: list[Interval]) -> list[int]:
        return [node for interval in intervals for node in range(*interval)]

    begin = slots.least_spread(need)
    spread = slots.take_first(need, begin)
    assert nodes_of(spread) == choose("least-spread", positions, need)
    for interval in spread:
        slots.release(interval)
    first = slots.take_first(need)
    assert nodes_of(first) == positions[:need]
    assert slots.free == len(positions) - need


def fit_first(slots: _core.Slots, need: int) -> Interval:
    return slots.first_fit(need)


@pytest.mark.parametrize("fit", [fit_first, _core.Slots.best_fit], ids=["first", "best"])
def test_thousands_of_slots_are_kept_in_order(
    fit: Callable[[_core.Slots, int], Interval],
) -> None:
    """Make enough slots of one size to fill many blocks of the array sorted by size."""
    draw = random.Random(4)
    nodes = 40_960
    slots, bitmap = _core.Slots(nodes), Bitmap(nodes)
    jobs: list[Interval] = []
    while (need := draw.choice((1, 1, 2, 3, 7, 40))) <= slots.largest_size():
        begin, _ = fit(slots, need)
        slots.allocate((begin, begin + need))
        bitmap.set((begin, begin + need), free=False)
        jobs.append((begin, begin + need))
    draw.shuffle(jobs)
    for count, interval in enumerate(jobs):
        slots.release(interval)
        bitmap.set(interval, free=True)
        if count % 500 == 0:
            assert_same(slots, bitmap, draw.randint(1, 60), 6)
    assert slots.all() == [(0, nodes)]
