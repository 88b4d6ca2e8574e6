"""Jobs larger than a pool, and user reservations, on small cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from reference import Policy
from reference.sites import Pool, Queue, Reservation, Site, SiteOutcome
from reference.sites.by_hand import EASY, job

Starts = Callable[..., list[int]]
Outcomes = Callable[..., list[SiteOutcome]]

POOLS = (Pool("a", 6), Pool("b", 4), Pool("c", 2))
WIDE = Queue("wide", processors=(7, None), pools=(0, 1, 2), spanning=True)
QUEUES = (
    WIDE,
    Queue("a", trace_queues=(1,), pools=(0,)),
    Queue("b", trace_queues=(2,), pools=(1,)),
    Queue("c", trace_queues=(3,), pools=(2,), starvation=30),
)
SITE = Site(12, EASY, POOLS, QUEUES)
IN_A, IN_B, IN_C = ({"trace_queue": number} for number in (1, 2, 3))


def test_a_wide_job_is_fenced_in_proportion_at_the_earliest_common_place(
    site_outcomes: Outcomes,
) -> None:
    # The wide job has its reservation at 50, when job 0 ends. Its shares of a, b and c are 9·6/12 =
    # 4.5, 9·4/12 = 3 and 9·2/12 = 1.5. These are rounded down, and the remaining processor goes to
    # a, which precedes c by name: 5, 3, 1. So 1 processor is left in each of a, b and c. Jobs 2 and
    # 4 start immediately; job 3 (2 processors of b) waits until the wide job ends.
    outcomes = site_outcomes(
        SITE,
        job(0, 0, 50, 4, **IN_A),
        job(1, 1, 100, 9),
        job(2, 2, 200, 1, **IN_A),
        job(3, 2, 200, 2, **IN_B),
        job(4, 2, 200, 1, **IN_C),
    )
    assert [o.start for o in outcomes] == [0, 50, 2, 150, 2]
    assert [o.pool for o in outcomes] == [0, -1, 0, 1, 2]


def test_a_wide_job_goes_before_the_jobs_of_its_pools(site_starts: Starts) -> None:
    assert site_starts(SITE, job(0, 0, 50, 4, **IN_A), job(1, 0, 100, 9)) == [100, 0]


def test_a_wide_job_starts_earlier_when_a_job_ends_early(site_starts: Starts) -> None:
    # Job 0 requests 50 s but already ends at 20. Then 6 + 4 + 2 processors are free.
    jobs = (job(0, 0, 20, 4, asked=50, **IN_A), job(1, 1, 100, 9))
    assert site_starts(SITE, *jobs) == [0, 20]


def test_a_starving_job_takes_its_pool_from_the_reservation(site_starts: Starts) -> None:
    # Job 2 has reservations at 50 in all three pools, with 1 processor of c. So job 3, which needs
    # all of c, has its reservation at 150. Job 3 starves from 31 onwards, and job 2 may then no
    # longer use c. Job 3 starts as soon as job 1 ends; at 50, a and b have 10 processors for job 2,
    # which needs 9.
    jobs = (
        job(0, 0, 50, 4, **IN_A),
        job(1, 0, 40, 1, **IN_C),
        job(2, 1, 100, 9),
        job(3, 1, 100, 2, **IN_C),
    )
    assert site_starts(SITE, *jobs) == [0, 0, 50, 40]


def test_a_wide_job_that_needs_the_starving_pool_waits_for_it(site_starts: Starts) -> None:
    # Job 2, on 12 processors, needs c, and its reservation is at 40. From 31 onwards, job 3 starves
    # and claims c, so job 2 has no reservation until job 3 has started at 40. From 140 onwards, c
    # is free.
    jobs = (
        job(0, 0, 10, 4, **IN_A),
        job(1, 0, 40, 1, **IN_C),
        job(2, 1, 100, 12),
        job(3, 1, 100, 2, **IN_C),
    )
    assert site_starts(SITE, *jobs) == [0, 0, 140, 40]


def test_the_next_wide_job_is_handled_once_the_head_has_started(site_starts: Starts) -> None:
    # Jobs 0 and 1 do not fit together; job 1 is the head from 0 onwards, with its reservation at
    # 100. Job 0 takes 9·4/12 = 3 processors of b, and job 1 takes 8·4/12 = 2.67, rounded up to 3.
    # So job 2 finds 2 free processors in b only at 110.
    jobs = (job(0, 0, 100, 9), job(1, 0, 10, 8), job(2, 0, 101, 2, **IN_B))
    assert site_starts(SITE, *jobs) == [0, 100, 110]


COURSE = Reservation("course", start=100, duration=100, processors=4, users=(7,))


def test_a_reservation_keeps_others_out_and_its_user_inside(site_starts: Starts) -> None:
    # Job 1 (5 processors for 100 s) finds 8 free from 50 onwards, but only 4 from 100 onwards.
    site = Site(8, EASY, reservations=(COURSE,))
    jobs = (job(0, 0, 50, 8), job(1, 10, 100, 5), job(2, 100, 100, 4, user=7))
    assert site_starts(site, *jobs) == [0, 200, 100]


def test_a_users_job_that_would_outlast_the_reservation_is_treated_as_any_other(
    site_outcomes: Outcomes,
) -> None:
    # Job 0 would end at 201, so it takes the 4 processors that are not reserved. Job 1 runs inside
    # the reservation until 150. Its processors remain reserved, so job 2 waits for the end of the
    # reservation.
    site = Site(8, EASY, reservations=(COURSE,))
    jobs = (job(0, 100, 101, 4, user=7), job(1, 100, 50, 4, user=7), job(2, 100, 10, 1, user=1))
    outcomes = site_outcomes(site, *jobs)
    assert [o.start for o in outcomes] == [100, 100, 200]


def test_a_reservation_by_group_recurs(site_starts: Starts) -> None:
    weekly = Reservation("w", start=10, duration=10, processors=4, every=50, groups=(3,))
    site = Site(4, Policy(backfill="first-fit"), reservations=(weekly,))
    # Job 0 ends at 10; job 1 (11 s) fits from 20 onwards; job 2 starts inside the window at 60. Job
    # 3 would run into that window, so it waits until 70.
    jobs = (
        job(0, 0, 10, 4),
        job(1, 1, 11, 4),
        job(2, 55, 10, 2, group=3),
        job(3, 55, 6, 1),
    )
    assert site_starts(site, *jobs) == [0, 20, 60, 70]


def test_two_wide_queues_that_are_due_wait_for_their_pools_to_be_freed(
    site_starts: Starts,
) -> None:
    # Pool a is reserved for group 1 in [200, 280). Job 1 (3 of 6 processors) has its reservation at
    # 280. Jobs 2 and 3 need 2 processors each: job 2 fits beside job 1, and job 3 starts when job 2
    # ends, at 400.
    site = Site(
        6,
        Policy(order="saf", estimates="exact", kill_at_limit=False),
        (Pool("a", 4), Pool("b", 2)),
        (
            Queue("small", walltime=(0, 80), pools=(1,)),
            Queue("one", trace_queues=(2,), priority=2, pools=(1, 0), spanning=True),
            Queue("two", trace_queues=(3,), priority=1, pools=(0, 1), spanning=True),
        ),
        reservations=(Reservation("r", 200, 80, 4, 0, groups=(1,)),),
    )
    assert site_starts(
        site,
        job(0, 5, 0, 2),
        job(1, 205, 240, 3, trace_queue=2, group=2),
        job(2, 245, 120, 2, trace_queue=3, group=2),
        job(3, 245, 120, 2, trace_queue=3, group=2),
    ) == [5, 280, 280, 400]


@pytest.mark.parametrize(("passes", "expected"), [("per-instant", 60), ("10s", 50)])
def test_a_wide_job_is_tried_again_in_the_pass_after_a_starving_one_started(
    passes: str, expected: int, site_starts: Starts
) -> None:
    # From 30 onwards job 1 starves and claims c; pool a alone is too small for job 2. The pass at
    # 40 tries the wide jobs first, and then starts job 1 in c. 4 + 1 processors are left for job 2.
    # It starts in the next pass: at 50 with a pass every 10 s, otherwise at 60, when job 1 ends.
    site = Site(
        6,
        Policy(passes=passes),
        (Pool("a", 4), Pool("c", 2)),
        (
            Queue("wide", processors=(5, None), spanning=True),
            Queue("c", pools=(1,), starvation=30),
        ),
    )
    jobs = (job(0, 0, 40, 2), job(1, 0, 20, 1), job(2, 5, 10, 5))
    assert site_starts(site, *jobs) == [0, 40, expected]


def wide_queues(**of_the_second: Any) -> Site:
    """Return a site with two shortest-job-first queues, both spanning two pools of 4 processors."""
    values = {"pools": (0, 1), "spanning": True, "order": "sjf"}
    queues = (Queue("x", trace_queues=(1,), **values), Queue("y", trace_queues=(2,), **values))
    queues = (queues[0], replace(queues[1], **of_the_second))
    return Site(8, EASY, (Pool("a", 4), Pool("b", 4)), queues)


X, Y = {"trace_queue": 1}, {"trace_queue": 2}


def test_a_starving_wide_job_is_the_head_of_its_queue_whatever_the_order(
    site_starts: Starts,
) -> None:
    # At 100, the queue contains a job of 50 s submitted at 1, one of 10 s submitted at 90, and one
    # of 60 s submitted at 2. From 62 onwards, two of them starve: these go first, oldest first.
    jobs = (
        job(0, 0, 100, 8, **Y), job(1, 1, 50, 8, **Y), job(2, 2, 60, 8, **Y),
        job(3, 90, 10, 8, **Y),
    )  # fmt: skip
    assert site_starts(wide_queues(), *jobs) == [0, 110, 160, 100]
    assert site_starts(wide_queues(starvation=60), *jobs) == [0, 100, 150, 210]


def test_a_starving_wide_job_displaces_one_of_another_queue(site_starts: Starts) -> None:
    # Job 1 (queue x) has its reservation at 100, and job 2 (queue y) at 110. From 52 onwards job 2
    # starves. Its reservation moves to 100, and that of job 1 moves to 120.
    jobs = (job(0, 0, 100, 8, **X), job(1, 1, 10, 8, **X), job(2, 2, 20, 8, **Y))
    assert site_starts(wide_queues(), *jobs) == [0, 100, 110]
    assert site_starts(wide_queues(starvation=50), *jobs) == [0, 120, 100]


def test_of_two_starving_wide_jobs_the_older_precedes(site_starts: Starts) -> None:
    # Job 2 starves from 42 onwards and has the reservation at 100. Job 1, submitted earlier,
    # starves from 51 onwards and takes that reservation back.
    site = wide_queues(starvation=40)
    site = replace(site, queues=(replace(site.queues[0], starvation=50), site.queues[1]))
    jobs = (job(0, 0, 100, 8, **X), job(1, 1, 10, 8, **X), job(2, 2, 20, 8, **Y))
    assert site_starts(site, *jobs) == [0, 100, 110]


def test_a_starving_wide_job_leaves_a_pool_to_the_starving_job_of_its_own_queue(
    site_starts: Starts,
) -> None:
    # Both waiting jobs starve by 100. Job 1 is older, but job 2 claims pool a and starts there; job
    # 1 starts when job 2 ends.
    site = wide_queues(starvation=50)
    site = replace(site, queues=(*site.queues, Queue("a", pools=(0,), starvation=50)))
    jobs = (job(0, 0, 100, 8, **Y), job(1, 1, 10, 8, **Y), job(2, 2, 20, 4))
    assert site_starts(site, *jobs) == [0, 120, 100]
