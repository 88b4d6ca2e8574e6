"""Waits by group of jobs: in one replay, and their changes between two replays."""

from __future__ import annotations

import math

import numpy as np

import slotwise as sw
from slotwise.replay.paired_difference import WEEK
from slotwise.result.group_changes import changes_by
from slotwise.result.group_tables import changes_table
from slotwise.result.job_groups import JobGroups
from slotwise.result.paired_waits import paired_wait


def replay(trace: sw.Trace, waits: list[int]) -> sw.Result:
    """Return a replay with these waits; -1 marks a rejected job."""
    wait = np.asarray(waits)
    start = np.where(wait < 0, -1, trace.submit + wait)
    end = np.where(wait < 0, -1, start + trace.run_time)
    state = np.where(wait < 0, 2, 0).astype(np.uint8)
    schedule = sw._core.Schedule(start, end, state, np.zeros(len(wait), np.uint8))
    return sw.Result(trace, sw.Site(), schedule, 100, 0.0)


def weekly(n_weeks: int, users: list[int]) -> sw.Trace:
    """Return a trace in which each user submits one job per week."""
    submit = np.repeat(np.arange(n_weeks) * WEEK, len(users))
    ones = [1] * len(submit)
    return sw.Trace.from_columns(submit, ones, ones, user=users * n_weeks, max_processors=100)


def test_winners_and_losers_are_those_whose_interval_excludes_zero() -> None:
    trace = weekly(20, [1, 2, 3])
    first = replay(trace, [10, 10, 10] * 20)
    # User 1 waits 5 s less and user 2 waits 7 s more in every week, so each interval is a single
    # point. User 3 alternately gains and loses 4 s, so the mean is 0.
    second = replay(trace, [5, 17, 14, 5, 17, 6] * 10)
    groups = JobGroups.of(first, "user")
    won, lost, same = changes_by(groups, first, second)
    assert (won.label, won.outcome, won.mean_wait) == (1, "wins", 10)
    assert (won.paired.low, won.paired.mean, won.paired.high) == (-5, -5, -5)
    assert (lost.label, lost.outcome, lost.paired.mean) == (2, "loses", 7)
    assert (same.label, same.outcome, same.paired.mean) == (3, "", 0)
    assert same.paired.low < 0 < same.paired.high
    table = changes_table("user", [won, lost, same], "now", "then")
    assert [row[0] for row in table.rows] == ["1", "3", "2"]
    assert table.notes[0].startswith("1 of 3 users win and 1 lose: the 95 % interval")


def test_one_group_of_all_jobs_has_the_figures_of_the_whole() -> None:
    trace = weekly(20, [1, 1])
    waits = np.random.default_rng(3).integers(0, 100, 40).tolist()
    first, second = replay(trace, [50] * 40), replay(trace, waits)
    (change,) = changes_by(JobGroups.of(first, "user"), first, second)
    assert change.paired == paired_wait(first, second)


def test_only_jobs_that_start_in_both_count() -> None:
    trace = weekly(2, [1, 2])
    first, second = replay(trace, [10, -1, 30, 5]), replay(trace, [0, 1, 30, -1])
    one, two = changes_by(JobGroups.of(first, "user"), first, second)
    # The waits of user 1 change by 0 - 10 and 30 - 30. No job of user 2 starts in both replays.
    assert (one.paired.n_jobs, one.paired.mean, one.mean_wait) == (2, -5, 20)
    assert two.paired.n_jobs == 0
    assert math.isnan(two.mean_wait)
    assert two.outcome == ""


def test_jobs_without_a_user_have_no_label() -> None:
    trace = weekly(1, [-1, 4])
    groups = JobGroups.of(replay(trace, [0, 0]), "user")
    assert groups.labels == [None, 4]


def test_accounts_and_qualities_of_service_are_groups() -> None:
    trace = weekly(1, [1, 1]).with_columns(account=[3, 5], qos=[2, 2])
    result = replay(trace, [1, 2])
    assert [row["mean_wait"] for row in result.metrics_by("account").values()] == [1, 2]
    assert list(result.metrics_by("qos")) == [2]
