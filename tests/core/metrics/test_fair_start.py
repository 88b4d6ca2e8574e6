"""Fair start: the start that a job would have if no job arrived after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw

POLICIES: list[dict[str, Any]] = [
    {"backfill": "none"},
    {"backfill": "first-fit"},
    {"backfill": "easy"},
    {"backfill": "easy", "order": "sjf"},
    {"backfill": "easy", "order": "wfp3", "estimates": "user-history"},
    {"backfill": "first-fit", "order": "lifo"},
    {"backfill": "easy", "kill_at_limit": False},
    {"backfill": "easy", "passes": "per-event"},
    {"backfill": "easy", "passes": "7s"},
]


def by_hand() -> sw.Result:
    # First-fit on 4 processors. Job 0 (3 processors) runs from 0 to 10. Job 1 (4 processors,
    # submitted at 1) could start at 10. Job 2 (1 processor, 20 s, submitted at 2) fits beside job 0
    # and delays job 1 until 22.
    trace = sw.Trace.from_columns([0, 1, 2], [10, 5, 20], [3, 4, 1], max_processors=4)
    return sw.simulate(trace, sw.Site(policy=sw.Policy(backfill="first-fit")))


def test_fair_start_ignores_the_job_that_came_later() -> None:
    result = by_hand()
    assert result.start.tolist() == [0, 22, 2]
    assert result.fair_start().tolist() == [0, 10, 2]


def test_metrics_of_missed_fair_starts_are_there_when_asked_for() -> None:
    result = by_hand()
    figures = result.metrics(fair_start=result.fair_start())
    assert figures["mean_fair_start_missed"] == 12 / 3
    assert figures["share_fair_start_missed"] == 1 / 3
    assert "mean_fair_start_missed" not in result.metrics()


@st.composite
def traces(draw: st.DrawFn) -> sw.Trace:
    jobs = draw(
        st.lists(
            st.tuples(
                st.integers(0, 30),  # submit time, with many ties
                st.integers(0, 12),  # run time
                st.integers(1, 9),  # requested processors; the machine has 8
                st.integers(0, 15),  # requested time
                st.integers(0, 2),  # user number
            ),
            min_size=1,
            max_size=14,
        ).filter(lambda rows: any(row[2] <= 8 for row in rows))
    )
    submit, run, processors, requested, user = np.array(sorted(jobs, key=lambda row: row[0])).T
    return sw.Trace.from_columns(submit, run, processors, requested, user=user, max_processors=8)


@settings(max_examples=40)
@given(traces(), st.sampled_from(POLICIES))
def test_fair_start_is_the_start_in_a_replay_of_the_jobs_so_far(
    trace: sw.Trace, changes: dict[str, Any]
) -> None:
    site = sw.Site(policy=sw.Policy(**changes))
    result = sw.simulate(trace, site)
    expected = [
        -1 if trace.processors[job] > 8 else int(sw.simulate(trace[: job + 1], site).start[job])
        for job in range(len(trace))
    ]
    assert result.fair_start().tolist() == expected


def test_a_sample_has_the_values_of_all_for_so_many_jobs() -> None:
    generator = np.random.default_rng(3)
    submit, run = np.sort(generator.integers(0, 5000, 300)), generator.integers(0, 200, 300)
    trace = sw.Trace.from_columns(submit, run, generator.integers(1, 9, 300), max_processors=16)
    result = sw.simulate(trace)
    every, some = result.fair_start(), result.fair_start(sample=40, seed=5)
    chosen = np.flatnonzero(some >= 0)
    assert len(chosen) == 40
    assert np.array_equal(some[chosen], every[chosen])
    assert np.array_equal(some, result.fair_start(sample=40, seed=5))
    assert not np.array_equal(some, result.fair_start(sample=40, seed=6))
    assert np.array_equal(result.fair_start(sample=301), every)


def test_every_job_is_sampled_about_equally_often() -> None:
    # For each of 200 seeds, 40 of 200 jobs are drawn. So each job is drawn 40 times on average,
    # with a standard deviation of sqrt(200 * 0.2 * 0.8) = 5.7. The tolerance is six standard
    # deviations, 34.
    submit = np.arange(200)
    trace = sw.Trace.from_columns(submit, submit * 0 + 1, submit * 0 + 1, max_processors=4)
    result = sw.simulate(trace)
    drawn = sum((result.fair_start(sample=40, seed=seed) >= 0).astype(int) for seed in range(200))
    assert np.all(np.abs(drawn - 40) < 34)


@pytest.mark.parametrize(
    ("sample", "seed", "message"), [(0, 0, "sample is 0"), (-1, 0, "sample is -1"), (1, -1, "seed")]
)
def test_a_sample_or_seed_out_of_range_is_refused(sample: int, seed: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        by_hand().fair_start(sample=sample, seed=seed)
