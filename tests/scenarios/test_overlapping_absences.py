"""Simultaneous outages, repairs and drains, on small cases.

Jobs are written as job(position, submit, length, processors). A job requests its length, unless
`asked` is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference import Policy
from reference.sites import Crashes, Outage, Pool, Queue, Site
from reference.sites.by_hand import EASY, job

ReplaySite = Callable[..., Any]
SECOND = Outage(20, 60, 8, mode="sudden")  # [20, 80)


def starts(replay_site: ReplaySite, where: Site, *jobs: Any) -> list[int]:
    return [outcome.start for outcome in replay_site(where, *jobs)[0]]


@pytest.mark.parametrize("submit", [25, 40])
@pytest.mark.parametrize(
    "first",
    [
        {"outages": (Outage(10, 20, 8, mode="sudden"), SECOND)},
        {"outages": (Outage(10, 20, mode="kill"), SECOND)},  # maintenance
        {"outages": (Outage(10, 20, mode="drain"), SECOND)},
        {"outages": (SECOND,), "crashes": Crashes((10,), repair=20)},
        {"outages": (SECOND,), "crashes": Crashes((25,), repair=20)},
    ],
    ids=["outage", "killing maintenance", "drain", "repair", "repair in the midst"],
)
def test_an_outage_that_begins_while_all_are_absent_lasts_to_its_own_end(
    replay_site: ReplaySite, first: dict[str, Any], submit: int
) -> None:
    # All 8 processors are down on [10, 30) and on [20, 80): no job starts before 80.
    assert starts(replay_site, Site(8, EASY, **first), job(0, submit, 5, 1)) == [80]


def test_an_outage_keeps_its_share_of_absent_processors(replay_site: ReplaySite) -> None:
    # 6 of 10 processors are lost at 10. At 20, the second outage takes the 4 that are still up and
    # 4 of the 6 that are already down. When the first outage ends at 30, those 4 stay down, so 2
    # processors are up. All are up at 80.
    two = (Outage(10, 20, 6, mode="sudden"), Outage(20, 60, 8, mode="sudden"))
    jobs = (job(0, 25, 5, 4), job(1, 25, 5, 2), job(2, 25, 5, 1))
    assert starts(replay_site, Site(10, EASY, outages=two), *jobs) == [80, 30, 35]


def test_absent_processors_are_taken_after_busy_ones_in_the_order_of_pools(
    replay_site: ReplaySite,
) -> None:
    # Pool a (4 processors) is down on [10, 30). At 20, the second outage takes 6 processors: the
    # free one of b, the 3 in use there (job 0 is killed), and 2 of a. So a has 2 processors from 30
    # onwards and 4 from 60 onwards; b returns at 60.
    queues = (Queue("a", trace_queues=(1,), pools=(0,)), Queue("b", trace_queues=(2,), pools=(1,)))
    two = (Outage(10, 20, 4, mode="sudden", pool=0), Outage(20, 40, 6, mode="sudden"))
    site = Site(8, EASY, (Pool("a", 4), Pool("b", 4)), queues, outages=two)
    jobs = (
        job(0, 0, 30, 3, trace_queue=2),
        job(1, 25, 10, 3, trace_queue=1),
        job(2, 25, 10, 2, trace_queue=1),
    )
    outcomes, attempts = replay_site(site, *jobs)
    assert [outcome.start for outcome in outcomes] == [60, 60, 30]
    assert [(row.job, row.end, row.reason) for row in attempts][:2] == [
        (0, 20, "outage"),
        (0, 90, "completed"),
    ]


TWO_POOLS = {
    "pools": (Pool("a", 4), Pool("b", 4)),
    "queues": (
        Queue("a", trace_queues=(1,), pools=(0,)),
        Queue("b", trace_queues=(2,), pools=(1,)),
    ),
}


@pytest.mark.parametrize("mode", ["sudden", "kill", "drain"])
def test_an_outage_before_the_first_submission_takes_what_was_free_as_it_began(
    replay_site: ReplaySite, mode: str
) -> None:
    # Pool a (4 processors) is down on [0, 4). At 3, the outage of 4 processors finds 4 free in b,
    # and takes b until 20. The first submission is at 5, so the job in a starts immediately, and
    # the one in b at 20.
    outages = (Outage(0, 4, 4, mode=mode, pool=0), Outage(3, 17, 4, mode="sudden"))
    site = Site(8, EASY, outages=outages, **TWO_POOLS)
    jobs = (job(0, 5, 5, 4, trace_queue=1), job(1, 5, 5, 4, trace_queue=2))
    assert starts(replay_site, site, *jobs) == [5, 20]


def test_a_repair_before_the_first_submission_decides_what_an_outage_takes(
    replay_site: ReplaySite,
) -> None:
    # Because of a crash at 2 and a repair on [2, 4), both pools are down at 3. The outage then
    # takes the first 4 processors in the order of pools, all of a, and keeps them until 20.
    outages = (Outage(0, 4, 4, mode="sudden", pool=0), Outage(3, 17, 4, mode="sudden"))
    site = Site(8, EASY, outages=outages, crashes=Crashes((2,), repair=2), **TWO_POOLS)
    jobs = (job(0, 5, 5, 4, trace_queue=1), job(1, 5, 5, 4, trace_queue=2))
    assert starts(replay_site, site, *jobs) == [20, 5]


def test_a_past_repair_changes_the_absences_beside_a_drain(replay_site: ReplaySite) -> None:
    # The drain of 5 processors on [3, 8) takes all 4 of a and 1 of the 2 in b. The site file lists
    # this drain before the killing outage of 4 processors on [3, 9). During the repair on [2, 5),
    # no processor is free, so the killing outage takes the 4 of a until 9. Without the crash, it
    # takes the free processor of b first and then 3 of a, so 1 processor of a is up again at 8.
    outages = (Outage(3, 5, 5), Outage(3, 6, 4, mode="kill"))
    pools = {**TWO_POOLS, "pools": (Pool("a", 4), Pool("b", 2))}
    one = job(0, 5, 3, 1, trace_queue=1)
    assert starts(replay_site, Site(6, EASY, outages=outages, **pools), one) == [8]
    crashed = Site(6, EASY, outages=outages, crashes=Crashes((2,), repair=3), **pools)
    assert starts(replay_site, crashed, one) == [9]


@pytest.mark.parametrize(
    ("earlier", "expected"),
    [
        # The outage on [2, 5) takes a, so the one on [4, 20) takes b.
        ((), [6, 20]),
        # Pool a is down on [1, 3): the outage on [2, 5) takes b, and the one on [4, 20) takes a.
        ((Outage(1, 2, 4, mode="sudden", pool=0),), [20, 6]),
        # The outage on [0, 3) takes a, the one on [2, 5) takes b, and the one on [4, 20) takes a.
        ((Outage(0, 3, 4, mode="sudden"),), [20, 6]),
    ],
    ids=["two", "after an absence", "three"],
)
def test_outages_over_by_the_first_submit_decide_one_after_the_other(
    replay_site: ReplaySite, earlier: tuple[Outage, ...], expected: list[int]
) -> None:
    outages = (*earlier, Outage(2, 3, 4, mode="sudden"), Outage(4, 16, 4, mode="sudden"))
    site = Site(8, EASY, outages=outages, **TWO_POOLS)
    jobs = (job(0, 6, 5, 4, trace_queue=1), job(1, 6, 5, 4, trace_queue=2))
    assert starts(replay_site, site, *jobs) == expected


def test_a_periodic_outage_before_the_first_submit_counts_too(replay_site: ReplaySite) -> None:
    # Pool a is down on [0, 4), [10, 14), [20, 24). The outage of 4 processors occurs on [3, 9),
    # [13, 19), [23, 29) and takes b each time. The first submission is at 25: the job in b waits
    # until 29.
    outages = (
        Outage(0, 4, 4, every=10, mode="sudden", pool=0),
        Outage(3, 6, 4, every=10, mode="sudden"),
    )
    site = Site(8, EASY, outages=outages, **TWO_POOLS)
    jobs = (job(0, 25, 1, 4, trace_queue=1), job(1, 25, 1, 4, trace_queue=2))
    assert starts(replay_site, site, *jobs) == [25, 29]


@pytest.mark.parametrize("drain_first", [True, False])
def test_beside_a_kill_no_job_runs_on_what_a_drain_has_taken(
    replay_site: ReplaySite, drain_first: bool
) -> None:
    # Each job needs 3 processors, and both fit during either outage alone. From 20 to 30, the
    # outages overlap and 7 of 10 processors are down, which leaves room for one job. Job 1, which
    # started last, is killed at 20. It starts again at 30, when the earlier outage has ended and 6
    # or 7 processors are up.
    drain, sudden = Outage(10, 20, 4, mode="drain"), Outage(20, 20, 3, mode="sudden")
    if not drain_first:
        drain, sudden = Outage(20, 20, 4, mode="drain"), Outage(10, 20, 3, mode="sudden")
    site = Site(10, EASY, outages=(drain, sudden))
    outcomes, attempts = replay_site(site, job(0, 0, 100, 3), job(1, 5, 100, 3))
    assert [(row.job, row.start, row.end, row.reason) for row in attempts] == [
        (0, 0, 100, "completed"),
        (1, 5, 20, "outage"),
        (1, 30, 130, "completed"),
    ]
    assert [outcome.start for outcome in outcomes] == [0, 30]


def test_a_job_that_outlives_its_estimate_is_killed_where_a_kill_is_beside_the_drain(
    replay_site: ReplaySite,
) -> None:
    # Job 0 requests 15 s but runs on, into the drain of all 4 processors at 20. The drain alone
    # would let it continue. However, an outage of 1 processor from 10 to 40 has taken a free one,
    # so all 4 are down at 20 and job 0 is killed. It needs 2 processors and starts again at 30,
    # when 3 are up.
    policy = Policy(backfill="easy", kill_at_limit=False)
    drain, sudden = Outage(20, 10, 4, mode="drain"), Outage(10, 30, 1, mode="sudden")
    overrun = job(0, 0, 25, 2, asked=15)
    assert starts(replay_site, Site(4, policy, outages=(drain,)), overrun) == [0]
    _, attempts = replay_site(Site(4, policy, outages=(drain, sudden)), overrun)
    assert [(row.start, row.end, row.reason) for row in attempts] == [
        (0, 20, "outage"),
        (30, 55, "completed"),
    ]


def test_a_kill_in_another_pool_is_not_beside_a_drain(replay_site: ReplaySite) -> None:
    # The drain is in pool a and the sudden outage in b, so the job in a survives the drain.
    policy = Policy(backfill="easy", kill_at_limit=False)
    outages = (
        Outage(20, 10, 4, mode="drain", pool=0),
        Outage(10, 30, 1, mode="sudden", pool=1),
    )
    site = Site(8, policy, (Pool("a", 4), Pool("b", 4)), (Queue("q"),), outages=outages)
    _, attempts = replay_site(site, job(0, 0, 25, 2, asked=15))
    assert [(row.start, row.end, row.reason) for row in attempts] == [(0, 25, "completed")]
