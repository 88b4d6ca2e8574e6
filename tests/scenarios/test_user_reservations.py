"""Processors reserved for certain users: 6 of 10 for user 7 and group 3, on [20, 40)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from reference import Policy
from reference.sites import Outage, Pool, Queue, Reservation, Site
from reference.sites.by_hand import EASY, job

ReplaySite = Callable[..., Any]

KEPT = Reservation("course", 20, 20, 6, users=(7,), groups=(3,))
SITE = Site(10, EASY, reservations=(KEPT,))


def starts(replay_site: ReplaySite, where: Site, *jobs: Any) -> list[int]:
    return [outcome.start for outcome in replay_site(where, *jobs)[0]]


def test_others_plan_around_reserved_processors(replay_site: ReplaySite) -> None:
    # Job 0 (5 processors for 16 s) would run into the window, so it waits until 40. Job 1 needs
    # only the 4 processors that are not reserved, and job 2 (15 s) ends in time.
    jobs = [job(0, 5, 16, 5), job(1, 5, 30, 4), job(2, 5, 15, 6)]
    assert starts(replay_site, SITE, *jobs) == [40, 5, 5]


@pytest.mark.parametrize("member", [{"user": 7}, {"user": 1, "group": 3}])
def test_users_and_groups_start_inside_as_the_window_opens(
    replay_site: ReplaySite, member: dict[str, int]
) -> None:
    # If it started at 5, the job would run into the window. So it waits until the window opens at
    # 20, and ends at 38.
    assert starts(replay_site, SITE, job(0, 5, 18, 6, **member)) == [20]


def test_a_job_inside_leaves_the_pool_alone(replay_site: ReplaySite) -> None:
    # At 20, job 0 takes the 6 reserved processors, and job 1 the other 4.
    jobs = [job(0, 10, 15, 6, user=7), job(1, 20, 50, 4, user=1)]
    assert starts(replay_site, SITE, *jobs) == [20, 20]


def test_a_reservation_holds_several_jobs_and_the_others_wait_for_the_pool(
    replay_site: ReplaySite,
) -> None:
    # Two jobs of 3 processors fill the reservation. The third job takes 3 of the
    # other 4 processors.
    jobs = [job(at, 21, 10, 3, user=7) for at in range(3)]
    assert starts(replay_site, SITE, *jobs, job(3, 21, 10, 3, user=1)) == [21, 21, 21, 31]


def test_a_job_that_requests_more_time_than_is_left_stays_outside(replay_site: ReplaySite) -> None:
    # At 25, 15 s of the window are left; the job requests 16 s and is too wide for the other 4
    # processors.
    assert starts(replay_site, SITE, job(0, 25, 15, 5, user=7)) == [25]
    assert starts(replay_site, SITE, job(0, 25, 10, 5, user=7, asked=16)) == [40]


def test_no_other_user_starts_inside(replay_site: ReplaySite) -> None:
    assert starts(replay_site, SITE, job(0, 25, 5, 5, user=8)) == [40]


def test_a_periodic_reservation_recurs(replay_site: ReplaySite) -> None:
    # The windows are [20, 40), [70, 90), …. In the 30 s between two windows, other users may run a
    # job on 5 processors.
    where = replace(SITE, reservations=(replace(KEPT, every=50),))
    jobs = [job(0, 41, 60, 6, asked=20, user=7), job(1, 41, 30, 5), job(2, 41, 31, 5)]
    outcomes, _ = replay_site(where, *jobs)
    # Job 0 runs outside its reservation from 41 to 61. Job 1 needs 5 processors and does not fit
    # beside it, so it waits until 90.
    assert [outcome.start for outcome in outcomes] == [41, 90, -1]


def test_a_reservation_lies_in_its_pool(replay_site: ReplaySite) -> None:
    pools = (Pool("a", 6), Pool("b", 4))
    queues = (Queue("in b", trace_queues=(1,), pools=(1,)), Queue("in a", pools=(0,)))
    where = replace(SITE, pools=pools, queues=queues)
    # The user's job in queue "in b" may not use the processors reserved in pool a.
    jobs = [job(0, 21, 5, 4, user=1, trace_queue=1), job(1, 21, 5, 4, user=7, trace_queue=1)]
    assert starts(replay_site, where, *jobs) == [21, 26]


def test_an_outage_kills_jobs_inside_as_any_other(replay_site: ReplaySite) -> None:
    # At 25, 7 of the 10 processors are lost, so the job on the 6 reserved processors is killed. At
    # 30, the window has 10 s left, but the job requests 12 s and must wait until 40.
    where = replace(SITE, outages=(Outage(25, 5, 7, mode="sudden"),))
    outcomes, attempts = replay_site(where, job(0, 20, 12, 6, user=7))
    assert [outcome.start for outcome in outcomes] == [40]
    assert [(row.start, row.end) for row in attempts] == [(20, 25), (40, 52)]


def test_a_job_inside_that_is_known_to_outlast_the_window_is_planned_for_beyond_it(
    replay_site: ReplaySite,
) -> None:
    # Job 0 requests 20 s, the whole window, but is known to run for 100 s, until 120. Job 1 needs
    # all 10 processors, so its reservation is at 120. Job 2 may therefore run on the 4 unreserved
    # processors until 111.
    policy = Policy(backfill="easy", estimates="exact", kill_at_limit=False)
    jobs = [job(0, 20, 100, 6, user=7, asked=20), job(1, 30, 10, 10), job(2, 31, 80, 4)]
    assert starts(replay_site, replace(SITE, policy=policy), *jobs) == [20, 120, 31]


def test_a_job_that_fits_only_inside_does_not_block_the_pool(replay_site: ReplaySite) -> None:
    # The machine is reserved for user 7 on [0, 60), [100, 160), …. Job 0 requests 50 s, and the
    # gaps of 40 s are too short for it. It waits from 65 until the window at 100, and job 1
    # overtakes it. Job 2, of another user, would wait forever.
    kept = Reservation("course", 0, 60, 10, every=100, users=(7,))
    jobs = [job(0, 65, 50, 10, user=7), job(1, 66, 20, 10), job(2, 66, 50, 10)]
    outcomes = replay_site(Site(10, EASY, reservations=(kept,)), *jobs)[0]
    assert [outcome.start for outcome in outcomes] == [100, 66, -1]
    assert outcomes[2].reject_reason == "maintenance"
