"""Estimates of run times, by example, on 10 processors.

Rows are (submit, run_time, requested_time, processors, user).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

Starts = Callable[..., list[int]]


def test_exact_estimates_see_the_real_run_times(starts: Starts) -> None:
    # The first job requests 20 s and runs for 10 s. With `requested`, the shadow time is 20, so the
    # third job (2 + 18 = 20) is backfilled and runs until 11, and the second waits for it. With
    # `exact`, the shadow time is 10, and the third job, which would end at 11, is not backfilled.
    rows = [(0, 10, 20, 6), (1, 5, 5, 10), (2, 9, 18, 4)]
    assert starts(*rows) == [0, 11, 2]
    assert starts(*rows, estimates="exact") == [0, 10, 15]


def test_exact_estimates_see_the_cut_of_a_killed_job(starts: Starts) -> None:
    # The first job would run for 20 s and is killed at 10, so the shadow time is 10, and the third
    # would end at 11. If the first may overrun, it ends at 20.
    rows = [(0, 20, 10, 6), (1, 5, 5, 10), (2, 9, 9, 4)]
    assert starts(*rows, estimates="exact") == [0, 10, 15]
    assert starts(*rows, estimates="exact", kill_at_limit=False) == [0, 20, 2]


# User 1's jobs have run for 4 s and 7 s: the estimate of the third job is 11 // 2 = 5 s. It starts
# at 10, ends at 100, requests 100, and is estimated to end at 15.
HISTORY = [(0, 4, 100, 1, 1), (0, 7, 100, 1, 1), (10, 90, 100, 6, 1), (11, 10, 10, 10, 2)]


def test_history_is_the_mean_of_the_last_two_ended_jobs_of_the_user(starts: Starts) -> None:
    # At 11, the shadow time of the wide job is 15. A candidate of 4 s ends by then, one of 5 s does
    # not. The wide job runs from 100 to 110.
    assert starts(*HISTORY, (11, 4, 4, 4, 2), estimates="user-history") == [0, 0, 10, 100, 11]
    assert starts(*HISTORY, (11, 5, 5, 4, 2), estimates="user-history") == [0, 0, 10, 100, 110]


@pytest.mark.parametrize(("length", "start"), [(60, 15), (61, 110)])
def test_an_outlived_prediction_grows_by_one_minute_first(
    starts: Starts, length: int, start: int
) -> None:
    # At 15, the candidate of 4 s ends, and the third job outlives its estimate: the new one is 15 +
    # 60 = 75. A candidate of 60 s then fits.
    rows = [*HISTORY, (11, 4, 4, 4, 2), (12, length, length, 4, 2)]
    assert starts(*rows, estimates="user-history") == [0, 0, 10, 100, 11, start]


@pytest.mark.parametrize(("length", "wide", "candidate"), [(34, 110, 76), (35, 100, 110)])
def test_a_prediction_never_grows_beyond_the_request(
    starts: Starts, length: int, wide: int, candidate: int
) -> None:
    # At 76, the third job has outlived its estimate of 75. The next estimate would be 75 + 300 =
    # 375, but the request ends at 110. A candidate of 34 s fits, and ends at 110.
    rows = [*HISTORY, (11, 4, 4, 4, 2), (76, length, length, 4, 2)]
    assert starts(*rows, estimates="user-history") == [0, 0, 10, wide, 11, candidate]


def test_requests_stand_for_a_user_with_one_ended_job_and_an_unknown_user(starts: Starts) -> None:
    # From 10 onwards, the only estimate of the third job is its request of 100, so the shadow time
    # is 110. The candidate ends then: 11 + 99 = 110.
    one_job = [(0, 4, 100, 1, 1), (0, 7, 100, 1, 3), *HISTORY[2:], (11, 99, 99, 4, 2)]
    unknown_user = [(*row[:4], -1) for row in HISTORY] + [(11, 99, 99, 4, -1)]
    for rows in (one_job, unknown_user):
        assert starts(*rows, estimates="user-history") == [0, 0, 10, 110, 11]


def test_a_prediction_is_at_least_one_second_and_at_most_the_request(starts: Starts) -> None:
    # The first two jobs have length 0, but the third is estimated at 1 s, not 0. At 11, it exceeds
    # this estimate, and its new estimated end is 11 + 60 = 71. So a job of 60 s fits, and one of
    # 61 s does not.
    rows = [(0, 0, 5, 1, 1), (0, 0, 5, 1, 1), (10, 90, 100, 6, 1), (11, 5, 5, 10, 2)]
    assert starts(*rows, (11, 60, 60, 4, 2), estimates="user-history")[4] == 11
    assert starts(*rows, (11, 61, 61, 4, 2), estimates="user-history")[4] == 105
