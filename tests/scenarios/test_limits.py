"""Limits, the jobs that they hold back, and dependencies, by example."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reference import Policy
from reference.sites import Limits, Pool, Queue, Site, SiteOutcome
from reference.sites.by_hand import EASY, job

Starts = Callable[..., list[int]]
Outcomes = Callable[..., list[SiteOutcome]]


@pytest.mark.parametrize(
    ("limits", "expected"),
    # Four jobs of 10 s on 2 of 8 processors each, of users 1, 1, 2, 2 and groups 5, 5, 5, 6.
    [
        (Limits(running=3), [0, 0, 0, 10]),
        (Limits(processors_in_use=5), [0, 0, 10, 10]),
        (Limits(running_per_user=1), [0, 10, 0, 10]),
        (Limits(processors_per_user=3), [0, 10, 0, 10]),
        (Limits(running_per_group=2), [0, 0, 10, 0]),
        (Limits(processors_per_group=2), [0, 10, 20, 0]),
    ],
)
@pytest.mark.parametrize("whose", ["site", "queue"])
def test_each_limit_counts_what_runs(
    whose: str, limits: Limits, expected: list[int], site_starts: Starts
) -> None:
    owners = [(1, 5), (1, 5), (2, 5), (2, 6)]
    jobs = [job(at, 0, 10, 2, user=user, group=group) for at, (user, group) in enumerate(owners)]
    queue = Queue("q", limits=limits if whose == "queue" else Limits())
    site = Site(8, EASY, queues=(queue,), limits=limits if whose == "site" else Limits())
    assert site_starts(site, *jobs) == expected


def test_a_job_held_by_a_limit_has_no_reservation_and_blocks_no_job(
    site_outcomes: Outcomes,
) -> None:
    # Without the limit, job 1 would be the head, and reserve all 4 processors at 10. With it, job 2
    # may start, and runs until 31.
    jobs = (job(0, 0, 10, 1, user=1), job(1, 0, 10, 4, user=1), job(2, 1, 30, 1, user=2))
    outcomes = site_outcomes(Site(4, EASY, limits=Limits(running_per_user=1)), *jobs)
    assert [o.start for o in outcomes] == [0, 31, 1]
    assert not outcomes[2].backfilled


def test_jobs_of_unknown_users_are_not_limited_by_user_or_group(site_starts: Starts) -> None:
    jobs = [job(at, 0, 10, 1) for at in range(4)]
    limits = Limits(running_per_user=1, processors_per_group=1, queued_per_user=1)
    assert site_starts(Site(4, EASY, limits=limits), *jobs) == [0, 0, 0, 0]


def test_a_pass_looks_at_the_first_waiting_jobs_of_a_user_by_submit(site_starts: Starts) -> None:
    # Shortest job first on 1 processor. At 10, user 1 has jobs 1, 2 and 3 waiting, and only job 1
    # may be tried. The job of user 2 is longer than jobs 2 and 3, and shorter than job 1.
    limits = Limits(queued_per_user=1)
    jobs = (
        job(0, 0, 10, 1, user=2),
        job(1, 1, 9, 1, user=1),
        job(2, 2, 1, 1, user=1),
        job(3, 3, 2, 1, user=1),
        job(4, 4, 5, 1, user=2),
    )
    site = Site(1, Policy(order="sjf"), limits=limits)
    assert site_starts(site, *jobs) == [0, 15, 24, 25, 10]


def test_limits_of_users_are_lifted_when_no_eligible_job_waits(site_starts: Starts) -> None:
    # User 1 has six jobs, of which five may run. The sixth starts too, because no other job waits.
    # If a job of user 2 waits for the whole machine, the sixth job waits until the five end.
    site = Site(8, EASY, limits=Limits(running_per_user=5, lifted_when_idle=True))
    jobs = [job(at, 0, 100, 1, user=1) for at in range(6)]
    assert site_starts(site, *jobs) == [0] * 6
    wide = job(6, 0, 50, 8, user=2)
    assert site_starts(site, *jobs, wide) == [0, 0, 0, 0, 0, 100, 200]


def test_lifting_stops_at_the_first_that_does_not_fit_and_spares_other_limits(
    site_starts: Starts,
) -> None:
    site = Site(8, EASY, limits=Limits(running_per_user=1, running=3, lifted_when_idle=True))
    widths = [2, 2, 5, 1]  # the third does not fit beside the first two; the fourth waits
    jobs = [job(at, 0, 10, width, user=1) for at, width in enumerate(widths)]
    assert site_starts(site, *jobs) == [0, 0, 10, 10]
    narrow = [job(at, 0, 10, 1, user=1) for at in range(5)]
    assert site_starts(site, *narrow) == [0, 0, 0, 10, 10]  # at most three jobs run at once


def test_limits_hold_across_pools(site_starts: Starts) -> None:
    pools = (Pool("a", 4), Pool("b", 4))
    queues = (
        Queue("a", trace_queues=(1,), pools=(0,)),
        Queue("b", trace_queues=(2,), pools=(1,)),
    )
    jobs = (
        job(0, 0, 10, 1, user=1, trace_queue=1),
        job(1, 0, 10, 1, user=1, trace_queue=2),
    )
    site = Site(8, EASY, pools, queues, limits=Limits(running_per_user=1))
    assert site_starts(site, *jobs) == [0, 10]


def test_a_job_above_a_limit_by_itself_is_rejected(site_outcomes: Outcomes) -> None:
    limits = Limits(processors_per_user=3)
    jobs = (job(0, 0, 1, 4, user=1), job(1, 0, 1, 4))
    assert [o.reject_reason for o in site_outcomes(Site(8, EASY, limits=limits), *jobs)] == [
        "limit",
        "none",
    ]
    lifted = Limits(processors_per_user=3, lifted_when_idle=True)
    assert [o.start for o in site_outcomes(Site(8, EASY, limits=lifted), *jobs)] == [0, 0]


def test_a_dependent_job_waits_for_the_end_and_the_think_time(site_starts: Starts) -> None:
    # Job 1 starts 3 s after job 0 ends, and job 2 as soon as job 1 ends. Job 3 depends on job 5,
    # which is later in the trace and is rejected; job 4 depends on itself. Neither has to wait.
    jobs = (
        job(0, 0, 10, 1),
        job(1, 0, 5, 1, preceding=0, think_time=3),
        job(2, 0, 5, 1, preceding=1),
        job(3, 0, 5, 1, preceding=5),
        job(4, 0, 5, 1, preceding=4, think_time=9),
        job(5, 0, 5, 9),
    )
    assert site_starts(Site(4, EASY, dependencies=True), *jobs) == [0, 13, 18, 0, 0, -1]


def test_limits_that_are_lifted_reject_jobs_of_spanning_queues_all_the_same(
    site_outcomes: Outcomes,
) -> None:
    # Limits are lifted only for jobs in a single pool. Job 0 spans both pools and would wait
    # forever, so it is rejected.
    pools = (Pool("a", 4), Pool("b", 4))
    queues = (Queue("wide", (5, None), spanning=True), Queue("rest"))
    limits = Limits(processors_per_user=3, lifted_when_idle=True)
    site = Site(8, EASY, pools, queues, limits)
    outcomes = site_outcomes(site, job(0, 0, 1, 6, user=1), job(1, 0, 1, 4, user=1))
    assert [(o.start, o.reject_reason) for o in outcomes] == [(-1, "limit"), (0, "none")]


def test_a_start_that_lets_a_further_job_of_its_user_in_is_followed_by_another_sweep(
    site_starts: Starts,
) -> None:
    # A pass considers only the first waiting job of the user. Shortest job first would try job 1
    # before job 0, but job 1 is not considered yet. Once job 0 has started, job 1 is the first, and
    # starts at the same instant.
    site = Site(8, Policy(order="sjf", backfill="easy"), limits=Limits(queued_per_user=1))
    assert site_starts(site, job(0, 0, 10, 1, user=1), job(1, 0, 5, 1, user=1)) == [0, 0]


def test_a_job_let_in_by_a_start_is_backfilled_past_those_alone_that_precede_it(
    site_outcomes: Outcomes,
) -> None:
    # A pass considers two waiting jobs of user 1, and the smallest area goes first. Job 0 has the
    # machine until 10. Then job 3 (area 2) is not among the first two, job 1 (area 4) starts, and
    # job 2 (area 12) does not fit and has its reservation at 14. The next sweep begins with job 3,
    # which is now considered: no waiting job precedes it, so it is not backfilled.
    order = {"name": "expression", "key": "wait * 0 - area"}
    site = Site(4, Policy(order=order, backfill="easy"), limits=Limits(queued_per_user=2))
    jobs = (
        job(0, 0, 10, 4),
        job(1, 1, 4, 1, user=1),
        job(2, 2, 3, 4, user=1),
        job(3, 3, 2, 1, user=1),
    )
    outcomes = site_outcomes(site, *jobs)
    assert [(o.start, o.backfilled) for o in outcomes] == [
        (0, False), (10, False), (14, False), (10, False)
    ]  # fmt: skip


def test_a_lifted_start_lets_in_the_next_job_of_its_user(site_starts: Starts) -> None:
    # A pass considers one waiting job per user, and one job per group may run. While job 0 is
    # running, no waiting job is eligible. Only the group's limit holds job 1 back, so this limit is
    # lifted, and job 1 starts. Then job 2, which has no group, is first in the queue, and also
    # starts.
    limits = Limits(queued_per_user=1, running_per_group=1, lifted_when_idle=True)
    jobs = (
        job(0, 0, 10, 1, user=1, group=1),
        job(1, 0, 10, 1, user=1, group=1),
        job(2, 0, 10, 1, user=1),
    )
    assert site_starts(Site(4, EASY, limits=limits), *jobs) == [0, 0, 0]


@pytest.mark.parametrize("backfill", ["easy", "relaxed", "depth", "replan"])
def test_a_start_that_fills_the_limit_of_the_reserved_job_frees_others_at_once(
    backfill: str, site_starts: Starts
) -> None:
    # Job 1 has all 4 processors reserved from 10, when job 0 ends, or under `relaxed` from 14,
    # which is 10 plus half of its wait of 9 s. So job 2 may not start at 2. Job 3 arrives at 3 and
    # starts. Jobs 0 and 3 now reach the limit of their queue. Job 1, of the same queue, loses its
    # reservation, and job 2 runs until 23.
    queues = (
        Queue("two", trace_queues=(1,), limits=Limits(running=2)),
        Queue("any", trace_queues=(2,)),
    )
    jobs = (
        job(0, 0, 10, 2, trace_queue=1),
        job(1, 1, 10, 4, trace_queue=1),
        job(2, 2, 20, 1, trace_queue=2),
        job(3, 3, 5, 1, trace_queue=1),
    )
    site = Site(4, Policy(backfill=backfill), queues=queues)
    assert site_starts(site, *jobs) == [0, 23, 3, 3]
