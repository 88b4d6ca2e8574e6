"""All orders, on small cases: three jobs, no two of which fit together, wait for the machine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Starts = Callable[..., list[int]]

# (submit, run_time, requested_time, processors); processors times run_time is 240, 90 and 72.
WAITING = [(1, 30, 30, 8), (2, 10, 10, 9), (3, 12, 12, 6)]


def sequence(starts: list[int]) -> list[int]:
    """Return the waiting jobs, numbered from 1, in the order in which they start."""
    waiting = starts[1:]
    return sorted(range(1, len(waiting) + 1), key=lambda job: waiting[job - 1])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("fcfs", [1, 2, 3]),
        ("lifo", [3, 2, 1]),
        ("sjf", [2, 3, 1]),
        ("ljf", [1, 3, 2]),
        ("smallest", [3, 1, 2]),
        ("largest", [2, 1, 3]),
        ("saf", [3, 2, 1]),
        # Scores at 100: (99/30)^3 x 8 = 287, (98/10)^3 x 9 = 8471, (97/12)^3 x 6 = 3169. Scores of
        # the other two at 110: 384 and (107/12)^3 x 6 = 4253.
        ("wfp3", [2, 3, 1]),
        # Scores at 100: 99/(3 x 30) = 1.1, 98/(3.17 x 10) = 3.09, 97/(2.585 x 12) = 3.13. Scores of
        # the other two at 112: 1.23 and 3.47.
        ("unicef", [3, 2, 1]),
    ],
)
def test_orders_rank_as_documented(starts: Starts, order: str, expected: list[int]) -> None:
    rows = [(0, 100, 100, 10), *WAITING]
    assert sequence(starts(*rows, order=order, backfill="none")) == expected


# All waiting jobs are submitted 1 s after the first job, so log10(submit) is 0, and only the
# request r and the width n differ. The scores are 14.15, 14.01 and 9.92 for log10(r) n; 50.99, 54
# and 40.2 for sqrt(r) n; 260, 324 and 270 for r n; 82.2, 108 and 110.2 for r sqrt(n).
@pytest.mark.parametrize(
    ("order", "expected"),
    [("f1", [3, 2, 1]), ("f2", [3, 1, 2]), ("f3", [1, 3, 2]), ("f4", [1, 2, 3])],
)
def test_learned_orders_weigh_request_and_width(
    starts: Starts, order: str, expected: list[int]
) -> None:
    rows = [(0, 100, 100, 10), (1, 26, 26, 10), (1, 36, 36, 9), (1, 45, 45, 6)]
    assert sequence(starts(*rows, order=order, backfill="none")) == expected


# A submit time of 2 s instead of 1 s adds 870 log10(2) = 262 to f1, 25600 log10(2) = 7706 to f2,
# 6860000 log10(2) = 2065066 to f3, and 530000 log10(2) = 159546 to f4.
@pytest.mark.parametrize(
    ("order", "longest_that_wins"),
    [("f3", 2065066 // 10), ("f4", 50452)],
)
def test_learned_orders_weigh_the_submit_from_the_first(
    starts: Starts, order: str, longest_that_wins: int
) -> None:
    # Jobs 1 and 2, on 10 processors, are submitted 1 s and 2 s after job 0. Job 2 requests only
    # 1 s, and would go first if the submit times did not count. If job 1 requests r seconds, the
    # scores are 10 r and 10 + 2065066 under f3, and r sqrt(10) and sqrt(10) + 159546 under f4.
    for request, expected in ((longest_that_wins, [1, 2]), (longest_that_wins + 2, [2, 1])):
        rows = [(0, 100, 100, 10), (1, 1, request, 10), (2, 1, 1, 10)]
        assert sequence(starts(*rows, order=order, backfill="none")) == expected


def test_ties_are_broken_by_submit_time_and_then_by_position(starts: Starts) -> None:
    rows = [(0, 100, 100, 10), (1, 5, 7, 10), (2, 5, 7, 10), (2, 5, 7, 10)]
    assert starts(*rows, order="sjf", backfill="none") == [0, 100, 105, 110]
    # Last come, first served: of jobs with equal submit times, the one in the earlier row still
    # goes first.
    assert starts(*rows, order="lifo", backfill="none") == [0, 110, 100, 105]


def test_a_request_of_0_counts_as_one_second(starts: Starts) -> None:
    # The scores under shortest job first are equal, so the job submitted earlier goes first.
    rows = [(0, 100, 100, 10), (1, 1, 1, 10), (2, 0, 0, 10)]
    assert starts(*rows, order="sjf", backfill="none") == [0, 100, 101]
