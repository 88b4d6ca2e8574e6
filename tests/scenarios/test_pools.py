"""Partitions, shared pools, and pools with a threshold, on small cases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reference import Policy
from reference.sites import Pool, Queue, Site, SiteOutcome
from reference.sites.by_hand import EASY, job

Starts = Callable[..., list[int]]
Outcomes = Callable[..., list[SiteOutcome]]

TWO_POOLS = (Pool("a", 4), Pool("b", 4))
IN_A = {"trace_queue": 1}
IN_B = {"trace_queue": 2}
A_QUEUE_EACH = (
    Queue("a", trace_queues=(1,), pools=(0,)),
    Queue("b", trace_queues=(2,), pools=(1,)),
)


def test_a_queue_waits_for_its_own_pool_though_another_is_idle(site_outcomes: Outcomes) -> None:
    jobs = (job(0, 0, 10, 4, **IN_A), job(1, 0, 10, 4, **IN_A), job(2, 0, 5, 4, **IN_B))
    outcomes = site_outcomes(Site(8, EASY, TWO_POOLS, A_QUEUE_EACH), *jobs)
    assert [o.start for o in outcomes] == [0, 10, 0]
    assert [o.pool for o in outcomes] == [0, 0, 1]


def test_each_pool_backfills_behind_its_own_head(site_starts: Starts) -> None:
    # The heads of both pools have reservations at 10. Job 4 would end at 10, so it starts
    # immediately in a; job 5 would end at 11, so it waits in b.
    jobs = (
        job(0, 0, 10, 3, **IN_A), job(1, 0, 10, 3, **IN_B),
        job(2, 1, 5, 4, **IN_A), job(3, 1, 5, 4, **IN_B),
        job(4, 2, 8, 1, **IN_A), job(5, 2, 9, 1, **IN_B),
    )  # fmt: skip
    site = Site(8, EASY, TWO_POOLS, A_QUEUE_EACH)
    assert site_starts(site, *jobs) == [0, 0, 10, 10, 2, 15]


@pytest.mark.parametrize(
    ("backfill", "expected"),
    # Job 1 needs all 4 processors and cannot start before 10. Under `none`, jobs 2 and 3 wait
    # behind it. Under `first-fit`, both start immediately, and job 1 waits until job 2 ends at 31.
    # Under `easy`, only job 3 starts, because job 2 would run beyond 10.
    [("none", [0, 10, 20, 20]), ("first-fit", [0, 31, 1, 1]), ("easy", [0, 10, 20, 1])],
)
def test_every_pool_backfills_as_the_policy_says(
    backfill: str, expected: list[int], site_starts: Starts
) -> None:
    jobs = (
        job(0, 0, 10, 2, **IN_A),
        job(1, 0, 10, 4, **IN_A),
        job(2, 1, 30, 1, **IN_A),
        job(3, 1, 9, 1, **IN_A),
    )
    site = Site(8, Policy(backfill=backfill), TWO_POOLS, A_QUEUE_EACH)
    assert site_starts(site, *jobs) == expected


def test_a_job_starts_in_the_first_choice_that_fits(site_outcomes: Outcomes) -> None:
    both = Queue("both", pools=(1, 0))
    jobs = (job(0, 0, 10, 3), job(1, 0, 10, 3), job(2, 0, 10, 2), job(3, 0, 10, 1))
    outcomes = site_outcomes(Site(8, EASY, TWO_POOLS, (both,)), *jobs)
    # Job 2 fits in neither pool and has a reservation at 10 in both. Job 3 can end by then, so it
    # starts in b, its first choice.
    assert [o.start for o in outcomes] == [0, 0, 10, 0]
    assert [o.pool for o in outcomes] == [1, 0, 1, 1]


def test_a_reservation_goes_when_its_job_starts_elsewhere(site_outcomes: Outcomes) -> None:
    # Only 1 processor of a is free, so job 1 gets a reservation there at 10, but then starts in b.
    # That reservation is dropped, so job 2, of lower priority, may run in a beyond 10.
    queues = (
        Queue("both", processors=(2, None), priority=1.0, pools=(0, 1)),
        Queue("own", pools=(0,)),
    )
    jobs = (job(0, 0, 10, 3), job(1, 0, 10, 3), job(2, 0, 99, 1))
    outcomes = site_outcomes(Site(8, EASY, TWO_POOLS, queues), *jobs)
    assert [(o.start, o.pool) for o in outcomes] == [(0, 0), (0, 1), (0, 0)]


def test_a_job_larger_than_a_pool_of_its_queue_is_not_tried_there(site_starts: Starts) -> None:
    # Job 1 (6 processors) is too large for a and waits for b; it keeps no job out of a, not even
    # under `none`.
    pools = (Pool("a", 4), Pool("b", 6))
    jobs = (job(0, 0, 10, 6), job(1, 0, 10, 6), job(2, 0, 50, 4))
    assert site_starts(Site(10, Policy(backfill="none"), pools), *jobs) == [0, 10, 0]


def test_processors_outside_pools_stay_idle_and_larger_jobs_are_rejected(
    site_outcomes: Outcomes,
) -> None:
    outcomes = site_outcomes(Site(8, EASY, (Pool("a", 4),)), job(0, 0, 9, 4), job(1, 0, 9, 5))
    assert [o.start for o in outcomes] == [0, -1]
    assert [o.reject_reason for o in outcomes] == ["none", "too_large"]


THRESHOLD = (Pool("own", 4), Pool("common", 4, threshold=2.0))


def test_a_threshold_opens_at_the_first_second_above_it(site_outcomes: Outcomes) -> None:
    # Job 1 requests 100 s, so its factor at t is t / 100, which exceeds 2 from 201 onwards.
    queue = Queue("q", priority=1.0, pools=(0, 1))
    outcomes = site_outcomes(
        Site(8, EASY, THRESHOLD, (queue,)), job(0, 0, 1000, 4), job(1, 0, 100, 4)
    )
    assert [(o.start, o.pool) for o in outcomes] == [(0, 0), (201, 1)]


def test_the_factor_weighs_priority_and_the_queues_longest(site_starts: Starts) -> None:
    # The job requests 100 s, but its queue allows only 50 s, so its factor is based on 50 s. With
    # priority 2, it passes the threshold when t / 50 · 2 > 2.
    queue = Queue(
        "q", walltime=(0, 50), processors=(4, 4), trace_queues=(1,), priority=2.0, pools=(0, 1)
    )
    jobs = (job(0, 0, 1000, 4, **IN_A), job(1, 0, 100, 4, **IN_A))
    assert site_starts(Site(9, EASY, (*THRESHOLD,), (queue,)), *jobs) == [0, 51]


def test_a_common_pool_serves_by_falling_factor_with_an_easy_of_its_own(
    site_starts: Starts,
) -> None:
    # Under `none`, job 0 fills the queue's own pool until 1000; the common pool (4 processors) is
    # idle. Jobs 1 (requests 100) and 2 (requests 80) wait. At 250 their factors would be 2.5 and
    # 3.125. Job 2 passes the threshold at 161 and starts; job 1 passes at 201. The common pool then
    # has 1 processor left, so the reservation of job 1 is at 241. Job 3 (requests 20, 1 processor)
    # passes the threshold at 41 + 180 = 221. It ends at 241, so it may start ahead of job 1.
    queue = Queue("q", priority=1.0, pools=(0, 1))
    jobs = (
        job(0, 0, 1000, 4),
        job(1, 0, 100, 3),
        job(2, 0, 80, 3),
        job(3, 180, 20, 1),
    )
    site = Site(8, Policy(backfill="none"), THRESHOLD, (queue,))
    assert site_starts(site, *jobs) == [0, 241, 161, 221]


@pytest.mark.parametrize("pools_of_b", [(1, 2), (1,)])
def test_a_factor_overtakes_without_an_event_in_its_pool(
    pools_of_b: tuple[int, ...], site_starts: Starts
) -> None:
    # Job 0 fills pool a; job 1 (2 of the 4 common processors, factor above 0) starts at 1. Job 2
    # needs all 4 and is first there, with a reservation at 101. Job 3 would run beyond 101, so it
    # waits. The factors of jobs 2 and 4 are (t - 2) / 10 and (t - 20) / 5, which are equal at 38.
    # After that, job 4 is first. It needs 3 of the 4 processors, which leaves 1, so job 3 starts in
    # the next pass, when job 5 arrives elsewhere. Job 4 starts at 101, and job 2 when job 3 ends.
    pools = (Pool("a", 1), Pool("b", 1), Pool("common", 4, threshold=0.0))
    queues = (
        Queue("a", trace_queues=(1,), priority=1.0, pools=(0, 2)),
        Queue("b", trace_queues=(2,), priority=1.0, pools=pools_of_b),
    )
    jobs = (
        job(0, 0, 1000, 1, **IN_A),
        job(1, 0, 100, 2, **IN_A),
        job(2, 2, 10, 4, **IN_A),
        job(3, 2, 1000, 1, **IN_A),
        job(4, 20, 5, 3, **IN_A),
        job(5, 50, 3, 1, **IN_B),
    )
    assert site_starts(Site(6, EASY, pools, queues), *jobs) == [0, 1, 1050, 50, 101, 50]


def test_each_queue_has_a_reservation_under_multiple_queue_backfilling(
    site_starts: Starts,
) -> None:
    # Job 0 holds 4 of 6 processors until 100. Job 1, of queue a, reserves 3 from 100 onwards; job
    # 2, of queue b, reserves the other 3 until 150. Job 3 would hold one of these until 123. Under
    # easy, which reserves for job 1 only, job 3 starts, and job 2 waits for it.
    jobs = (
        job(0, 0, 100, 4, **IN_A), job(1, 1, 200, 3, **IN_A),
        job(2, 2, 50, 3, **IN_B), job(3, 3, 120, 1, **IN_B),
    )  # fmt: skip
    queues = (Queue("a", trace_queues=(1,)), Queue("b", trace_queues=(2,)))
    shared = (Pool("all", 6),)
    by_queue = Policy(backfill="multiple-queue")
    assert site_starts(Site(6, by_queue, shared, queues), *jobs) == [0, 100, 100, 150]
    assert site_starts(Site(6, EASY, shared, queues), *jobs) == [0, 100, 123, 3]


def test_a_queue_has_a_reservation_in_each_of_its_pools_under_multiple_queue_backfilling(
    site_starts: Starts,
) -> None:
    # Job 2 of queue a may use both pools: the first is full until 10, the second until 20. It has
    # reservations at 10 in the first and at 20 in the second. Job 3 of queue b has its own
    # reservation in the second pool, at 30, after that of job 2. If job 4 of queue b ran there on
    # one processor from 3 until 25, it would delay job 2.
    jobs = (
        job(0, 0, 10, 4, **IN_A), job(1, 0, 20, 3, **IN_B), job(2, 1, 10, 4, **IN_A),
        job(3, 2, 10, 4, **IN_B), job(4, 3, 22, 1, **IN_B),
    )  # fmt: skip
    queues = (
        Queue("a", trace_queues=(1,), pools=(0, 1)), Queue("b", trace_queues=(2,), pools=(1,))
    )  # fmt: skip
    by_queue = Policy(backfill="multiple-queue")
    assert site_starts(Site(8, by_queue, TWO_POOLS, queues), *jobs) == [0, 0, 10, 20, 30]


def test_a_relaxed_reservation_of_a_pool_slips_once_while_its_job_is_head(
    site_starts: Starts,
) -> None:
    # Pool a is full until 10. Its head (job 1, submitted at 2) could start at 10, so its deadline
    # is 10 + 0.5·8 = 14: job 2 may run there from 3 until 14, job 3 (until 15) may not. No
    # job waits in b.
    pools = (Pool("a", 4), Pool("b", 4))
    queues = (Queue("a", trace_queues=(1,), pools=(0,)), Queue("b", pools=(1,)))
    policy = Policy(backfill="relaxed", relaxation=0.5)
    in_a = {"trace_queue": 1}
    jobs = (
        job(0, 0, 10, 2, **in_a),
        job(1, 2, 10, 4, **in_a),
        job(2, 3, 11, 1, **in_a),
        job(3, 4, 11, 1, **in_a),
        job(4, 4, 11, 1),
    )
    assert site_starts(Site(8, policy, pools, queues), *jobs) == [0, 14, 3, 24, 4]
