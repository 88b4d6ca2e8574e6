"""CPU hours and proportional partitions: equations 5 and 7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.advice.queue_design.shares import (
    apportion,
    at_least,
    cpu_hours,
    largest_jobs,
    proportional_sizes,
)

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600


def test_cpu_hours_are_processors_times_run_time(history: Callable[..., Any]) -> None:
    # CPU hours in `narrow`: 4·1 h + 10·2 h = 24; in `wide`: 20·3 h = 60; in `huge`: 80·1 h = 80.
    jobs, base = history(
        [(0, HOUR, 4, HOUR), (1, 2 * HOUR, 10, 3 * HOUR), (2, 3 * HOUR, 20, 4 * HOUR),
         (3, HOUR, 80, HOUR)]
    )  # fmt: skip
    assert cpu_hours(jobs, base).tolist() == [24, 60, 80]


def test_whole_parts_add_up_by_largest_remainder() -> None:
    # 10·(1/6, 2/6, 3/6) is 1.67, 3.33 and 5. One processor is left over and goes to the first part.
    assert apportion([1, 2, 3], 10) == [2, 3, 5]
    assert apportion([1, 1, 1], 10) == [4, 3, 3]


def test_a_share_below_its_least_takes_from_the_others_in_proportion() -> None:
    # The shares would be 1, 1 and 98. The first gets 10; the other 90 are split 1 : 98, into 0.91
    # and 89.09.
    assert at_least([1, 1, 98], [10, 0, 0], 100) == [10, 1, 89]


def test_taking_may_reduce_another_share_to_its_least() -> None:
    # The shares would be 5, 15 and 80, but the first needs 20. The other 80 are split 15 : 80, into
    # 12.6 and 67.4; but the second needs 14.
    assert at_least([5, 15, 80], [20, 14, 1], 100) == [20, 14, 66]


def test_queues_without_work_get_only_their_least() -> None:
    # The first gets 10; the other 90 are split 3 : 1, into 67.5 and 22.5. The tie goes to the
    # earlier queue.
    assert at_least([0, 3, 1], [10, 10, 10], 100) == [10, 68, 22]
    assert at_least([0, 0], [10, 20], 100) == [50, 50]


def test_largest_jobs_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(sw.SiteError, match="need 130 processors in total, but the machine has 100"):
        at_least([1, 1], [60, 70], 100)


def test_equation_7_leaves_out_jobs_that_span_partitions(history: Callable[..., Any]) -> None:
    # `narrow` has 24 CPU hours and `wide` has 60, so their shares of 100 processors are 28.6 and
    # 71.4. The largest job in `wide` needs 50.
    jobs, base = history(
        [(0, HOUR, 4, HOUR), (1, 2 * HOUR, 10, 3 * HOUR), (2, 3 * HOUR, 20, 4 * HOUR),
         (3, HOUR, 80, HOUR)]
    )  # fmt: skip
    assert largest_jobs(base) == [10, 50]
    assert proportional_sizes(jobs, base) == [29, 71]


def test_a_queue_without_a_job_gets_its_largest_job(history: Callable[..., Any]) -> None:
    jobs, base = history([(0, HOUR, 4, HOUR)])
    assert proportional_sizes(jobs, base) == [50, 50]
