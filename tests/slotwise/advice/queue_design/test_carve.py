"""The common pool, which is carved out of the partitions in chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from slotwise.advice.queue_design.carve import carve
from slotwise.advice.queue_design.layout import Layout
from slotwise.advice.queue_design.parameters import Parameters
from slotwise.advice.queue_design.replays import Replays

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600


def one_by_one(layout: Layout, replays: Replays, parameters: Parameters) -> tuple[int, ...]:
    """Carve the common pool one turn at a time, as in the paper."""
    before = replays.waits([layout])[0]
    sizes = list(layout.sizes)
    active = sorted(range(len(sizes)), key=lambda k: (sizes[k], k))
    more = 1 + parameters.degradation
    while active:
        for k in list(active):
            tried = list(sizes)
            tried[k] -= parameters.chunk
            too_small = tried[k] < layout.partitions[k].largest
            if not too_small and sum(tried) < layout.base.largest_spanning:
                return tuple(sizes)
            if too_small:
                active.remove(k)
                continue
            waits = replays.waits([layout.resized(tried)])[0]
            if waits.mean > before.mean * more:
                return tuple(sizes)
            if waits.by_partition[k] > before.by_partition[k] * more:
                active.remove(k)
            else:
                sizes = tried
    return tuple(sizes)


def log(seed: int, huge: bool) -> list[tuple[int, int, int, int]]:
    dice = np.random.default_rng(seed)
    sizes = dice.choice([1, 4, 10, 20, 50], 150, p=[0.3, 0.3, 0.2, 0.1, 0.1])
    rows = [
        (int(t), int(dice.integers(600, 4 * HOUR)), int(p), 8 * HOUR)
        for t, p in zip(np.sort(dice.integers(0, 4 * 24 * HOUR, 150)), sizes, strict=True)
    ]
    return sorted([*rows, (40_000, HOUR, 70, HOUR)]) if huge else rows


@pytest.mark.parametrize("huge", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_many_turns_at_once_equal_single_turns(
    history: Callable[..., Any], seed: int, huge: bool
) -> None:
    jobs, base = history(log(seed, huge))
    queues = tuple(
        q.replace(processors=(51, 70), spanning=huge) if q.name == "huge" else q
        for q in base.queues
    )
    # If `huge` spans, the partitions must keep 70 processors in total.
    base = replace(base, queues=queues)
    layout, replays = Layout.of_base(base, (40, 60)), Replays(jobs, base)
    assert replays.is_coupled == huge
    parameters = Parameters(chunk=1)
    found = carve(layout, replays, parameters)
    assert found.sizes == one_by_one(layout, replays, parameters)
    assert sum(found.sizes) < 100


def test_chunks_are_carved_until_a_queue_waits_too_long(history: Callable[..., Any]) -> None:
    # In `narrow`, two jobs of 10 processors arrive at once and run for 1 h. On 20 or more
    # processors neither waits; on fewer, the second does. The bound on the wait is 0. In `wide`,
    # which has 60 processors, the only job takes 50, so two chunks of 5 can be carved out.
    jobs, base = history([(0, HOUR, 10, HOUR), (0, HOUR, 10, HOUR), (0, HOUR, 50, HOUR)])
    base = replace(base, queues=tuple(q.replace(spanning=False) for q in base.queues))
    layout = Layout.of_base(base, (40, 60))
    hybrid = carve(layout, Replays(jobs, base), Parameters())
    assert hybrid.sizes == (20, 50)
    assert hybrid.common == 30
    # The highest priority among queues with a partition is that of `wide`, 2; the threshold is half
    # of it.
    assert hybrid.threshold == 1.0
    pools = {pool.name: (pool.processors, pool.threshold) for pool in hybrid.site().pools}
    assert pools == {"narrow": (20, None), "wide": (50, None), "common": (30, 1.0)}


def test_partitions_leave_processors_for_the_largest_job_that_spans_them(
    history: Callable[..., Any],
) -> None:
    # The queue `huge` takes jobs of up to 100 processors, the whole machine, so nothing can be
    # carved out.
    jobs, base = history([(0, HOUR, 10, HOUR)])
    hybrid = carve(Layout.of_base(base, (40, 60)), Replays(jobs, base), Parameters())
    assert hybrid.sizes == (40, 60)
    assert [pool.name for pool in hybrid.site().pools] == ["narrow", "wide"]
