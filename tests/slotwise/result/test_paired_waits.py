"""Differences between two replays, job by job."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.replay.paired_difference import WEEK
from slotwise.result.paired_waits import paired_wait


def replay(trace: sw.Trace, wait: list[int]) -> sw.Result:
    """Return a result in which jobs have these waits; -1 marks a rejected job."""
    waits = np.asarray(wait)
    start = np.where(waits < 0, -1, trace.submit + waits)
    end = np.where(waits < 0, -1, start + trace.run_time)
    state = np.where(waits < 0, 2, 0).astype(np.uint8)
    schedule = sw._core.Schedule(start, end, state, np.zeros(len(waits), np.uint8))
    return sw.Result(trace, sw.Site(), schedule, 100, 0.0)


def test_only_jobs_that_start_in_both_count() -> None:
    trace = sw.Trace.from_columns([0, 1, 2, 3], [1] * 4, [1] * 4, max_processors=100)
    first = replay(trace, [10, 20, 30, -1])
    second = replay(trace, [10, 0, -1, 5])
    paired = paired_wait(first, second)
    # The waits of jobs 1 and 2 change by 0 and -20 s.
    assert paired.n_jobs == 2
    assert paired.mean == -10
    assert (paired.sooner, paired.later) == (0.5, 0.0)
    assert math.isnan(paired.low)


def test_the_interval_resamples_weeks_and_contains_the_mean() -> None:
    submit = np.repeat(np.arange(20) * WEEK, 5)
    trace = sw.Trace.from_columns(submit, [1] * 100, [1] * 100, max_processors=100)
    by_week = np.random.default_rng(1).integers(0, 100, 20)
    first = replay(trace, [0] * 100)
    second = replay(trace, np.repeat(by_week, 5).tolist())
    paired = paired_wait(first, second)
    assert paired.mean == pytest.approx(by_week.mean())
    # For 20 resampled weeks, the standard error is deviation / sqrt(20), and the interval extends
    # 1.96 standard errors on either side.
    half = 1.96 * by_week.std() / math.sqrt(20)
    assert paired.low == pytest.approx(by_week.mean() - half, abs=half / 4)
    assert paired.high == pytest.approx(by_week.mean() + half, abs=half / 4)
    assert paired == paired_wait(first, second)


def test_a_constant_difference_has_no_spread() -> None:
    submit = np.arange(5) * WEEK
    trace = sw.Trace.from_columns(submit, [1] * 5, [1] * 5, max_processors=100)
    paired = paired_wait(replay(trace, [0] * 5), replay(trace, [7] * 5))
    assert (paired.mean, paired.low, paired.high, paired.later) == (7, 7, 7, 1)


def test_traces_of_different_length_are_refused() -> None:
    short = sw.Trace.from_columns([0], [1], [1], max_processors=100)
    longer = sw.Trace.from_columns([0, 1], [1, 1], [1, 1], max_processors=100)
    with pytest.raises(ValueError, match="replays of the same trace"):
        paired_wait(replay(short, [0]), replay(longer, [0, 0]))


def test_what_is_not_a_result_is_refused_with_the_remedy() -> None:
    trace = sw.Trace.from_columns([0], [10], [1])
    wrong: Any = trace
    with pytest.raises(TypeError, match=r"is not a Result; pass two results of sw\.simulate"):
        sw.compare(sw.simulate(trace, sw.Site(1)), wrong)
