"""Multiple-queue backfilling, with fixed and with self-adapting partitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import slotwise as sw
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.multiple_queue import adapt, bounds_of, multiple_queue_site
from slotwise.advice.queue_design.parameters import DAY, Parameters

CLASSES = (1_000, 10_000, 100_000)
ALL = sw.Site(8, queues=[sw.Queue("all")])


def test_partitions_are_classes_of_requested_time() -> None:
    assert bounds_of(1, CLASSES) == ()
    assert bounds_of(2, CLASSES) == (100_000,)
    assert bounds_of(4, CLASSES) == CLASSES
    base = Base.of(ALL, sw.Trace.from_columns([0], [1], [1], max_processors=8))
    site = multiple_queue_site(base, 3, CLASSES)
    assert [q.walltime for q in site.queues] == [(0, 10_000), (10_000, 100_000), (100_000, None)]
    assert site.policy.backfill == "multiple-queue"


def crowded(seed: int) -> sw.Trace:
    """Draw bursts over ten days, with too much work for 8 processors."""
    dice = np.random.default_rng(seed)
    submit = np.sort(dice.integers(0, 10 * DAY, 400) // DAY * DAY + dice.integers(0, 9000, 400))
    run = dice.choice([60, 5_000, 40_000, 150_000], 400, p=[0.5, 0.3, 0.15, 0.05])
    return sw.Trace.from_columns(submit, run, dice.integers(1, 8, 400), run * 2, max_processors=8)


def test_with_an_unreachable_threshold_it_equals_fixed_partitions() -> None:
    trace = crowded(1)
    base = Base.of(ALL, trace)
    found = adapt(trace, base, Parameters(slowdown=1e12))
    fixed = sw.simulate(trace, multiple_queue_site(base, 4, CLASSES))
    assert found.start.tolist() == fixed.start.tolist()
    assert found.changes == ()
    assert found.n_replays == 1


@pytest.mark.parametrize("seed", range(3))
def test_every_job_starts_once_and_the_machine_is_never_overfull(seed: int) -> None:
    trace = crowded(seed)
    found = adapt(trace, Base.of(ALL, trace), Parameters(slowdown=2.0))
    assert found.changes
    assert (found.start >= trace.submit).all()
    end = found.start + trace.run_time
    edges = np.concatenate([found.start, end])
    change = np.concatenate([trace.processors, -trace.processors])
    order = np.lexsort((change, edges))  # within one second, ends come before starts
    assert np.cumsum(change[order]).max() <= 8


def test_changes_are_a_day_apart_and_change_the_partitions() -> None:
    trace = crowded(2)
    found = adapt(trace, Base.of(ALL, trace), Parameters(slowdown=2.0))
    times = [time for time, _n in found.changes]
    assert all(later - earlier >= DAY for earlier, later in itertools.pairwise(times))
    numbers = [4, *(n for _time, n in found.changes)]
    assert all(a != b for a, b in itertools.pairwise(numbers))
    assert set(numbers) <= {1, 2, 3, 4}
