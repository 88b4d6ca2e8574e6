"""Differences in wait between a report's runs: the headline figures, and the groups in charts."""

from __future__ import annotations

from html import unescape

import numpy as np

import slotwise as sw
from slotwise.replay.paired_difference import WEEK
from slotwise.report.differences import SHOWN, decision_html, group_differences
from slotwise.result.group_changes import changes_by
from slotwise.result.job_groups import JobGroups


def replays(trace: sw.Trace, *sizes: int) -> list[sw.Result]:
    return [sw.simulate(trace, sw.Site(size)) for size in sizes]


def weekly_pairs(weeks: int) -> sw.Trace:
    """Return two jobs of 100 s, of users 1 and 2, at the beginning of each week."""
    submit = np.repeat(np.arange(weeks) * WEEK, 2)
    ones = np.ones(2 * weeks, dtype=np.int64)
    return sw.Trace.from_columns(submit, 100 * ones, ones, user=np.tile([1, 2], weeks))


def test_the_decision_has_difference_interval_and_shares() -> None:
    # On one processor, the second job of each week waits 100 s; on two, no job waits. So waits are
    # 50 s shorter on average, in every week.
    html = unescape(decision_html(replays(weekly_pairs(5), 1, 2), ["one", "<two>"]))
    assert "Mean wait, minus that of “one”" in html
    assert '<p class="figure wins" title="-50 s">−0:00:50</p>' in html
    assert "95 % interval −0:00:50 to −0:00:50: shorter waits." in html
    assert "50.00 % of 10 jobs start sooner, 0.00 % later." in html


def test_an_increase_loses_and_few_weeks_have_no_interval() -> None:
    html = decision_html(replays(weekly_pairs(5), 2, 1), ["two", "one"])
    assert '<p class="figure loses" title="50 s">+0:00:50</p>' in html
    assert "No interval: the jobs span fewer than 4 weeks." in decision_html(
        replays(weekly_pairs(3), 2, 1), ["two", "one"]
    )


def test_names_never_become_markup() -> None:
    assert "<img" not in decision_html(replays(weekly_pairs(1), 1, 2), ["<img src=x>", "<img>"])


def test_one_result_has_nothing_to_decide() -> None:
    assert decision_html(replays(weekly_pairs(1), 1), ["one"]) == ""
    assert group_differences(replays(weekly_pairs(1), 1)) == []


def test_groups_have_the_changes_of_the_winners_and_losers() -> None:
    results = replays(weekly_pairs(5), 1, 2)
    (charts,) = group_differences(results)
    assert list(charts) == ["user"]  # all jobs are in one class, and none has a queue
    # User 1 never waits; the 100 s waits of user 2 disappear.
    assert [group["mean"] for group in charts["user"]["groups"]] == [0, -100]
    changes = changes_by(JobGroups.of(results[0], "user"), *results)
    for group, change in zip(charts["user"]["groups"], changes, strict=True):
        assert group["label"] == str(change.label)
        assert (group["jobs"], group["low"], group["high"], group["outcome"]) == (
            change.paired.n_jobs,
            change.paired.low,
            change.paired.high,
            change.outcome,
        )


def test_the_groups_with_the_most_jobs_are_shown() -> None:
    users = np.repeat(np.arange(1, 26), np.arange(1, 26))  # 25 users; user k has k jobs
    zeros = np.zeros(len(users), dtype=np.int64)
    trace = sw.Trace.from_columns(zeros, zeros + 10, zeros + 1, user=users)
    (charts,) = group_differences(replays(trace, 2, 4))
    groups = charts["user"]["groups"]
    assert [group["jobs"] for group in groups] == list(range(25, 5, -1))
    assert len(groups) == SHOWN
    assert charts["user"]["others"] == 5
    assert {group["low"] for group in groups} == {None}


def test_jobs_without_a_user_are_unknown() -> None:
    trace = sw.Trace.from_columns([0, 0], [10, 10], [1, 1], user=[-1, 5])
    (charts,) = group_differences(replays(trace, 1, 2))
    assert [group["label"] for group in charts["user"]["groups"]] == ["unknown", "5"]
