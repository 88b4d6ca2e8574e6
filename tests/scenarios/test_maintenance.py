"""Maintenance and outages, by example, on 10 processors unless stated otherwise.

Jobs are job(position, submit, length, processors). They request their length, unless `asked` is
given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference import Policy
from reference.sites import Attempt, Interruption, Outage, Pool, Queue, Site
from reference.sites.by_hand import EASY, job
from reference.sites.values import COMPLETED, INTERRUPTED, MAINTENANCE, REJECT_REASONS, REJECTED

ReplaySite = Callable[..., Any]


def site(*outages: Outage, **values: Any) -> Site:
    return Site(10, **{"policy": EASY, "outages": outages, **values})


def starts(replay_site: ReplaySite, where: Site, *jobs: Any) -> list[int]:
    return [outcome.start for outcome in replay_site(where, *jobs)[0]]


def test_nothing_starts_that_by_its_estimate_would_overlap_a_drain(
    replay_site: ReplaySite,
) -> None:
    # All processors are down on [20, 30). Job 1 would end at 1 + 20 = 21; job 2 ends at 2 + 18 =
    # 20, just in time.
    drain = Outage(20, 10)
    jobs = [job(0, 0, 15, 4), job(1, 1, 20, 2), job(2, 2, 18, 2)]
    assert starts(replay_site, site(drain), *jobs) == [0, 30, 2]


def test_a_drain_looks_at_the_estimate_and_not_at_the_run(replay_site: ReplaySite) -> None:
    # The job would end at 3, but its requested time lasts until 21, beyond the start of the drain.
    assert starts(replay_site, site(Outage(20, 10)), job(0, 1, 2, 1, asked=20)) == [30]


def test_a_job_that_outlives_its_estimate_finishes_in_the_maintenance(
    replay_site: ReplaySite,
) -> None:
    # Job 0 runs until 25, although all processors are down from 20. At 22, no job may start; at 30
    # all processors are available again.
    policy = Policy(backfill="easy", kill_at_limit=False)
    jobs = [job(0, 0, 25, 4, asked=15), job(1, 22, 1, 1)]
    outcomes, attempts = replay_site(site(Outage(20, 10), policy=policy), *jobs)
    assert [outcome.start for outcome in outcomes] == [0, 30]
    assert attempts[0] == Attempt(0, 1, 0, 0, 25, "completed", 0, 0)


def test_what_a_drain_leaves_may_run_through_it(replay_site: ReplaySite) -> None:
    # 4 of 10 processors are down on [20, 30): a job on 6 processors runs from 1 to 51, and a job on
    # 7 waits until that job ends.
    drain = Outage(20, 10, processors=4)
    assert starts(replay_site, site(drain), job(0, 1, 50, 6), job(1, 2, 20, 7)) == [1, 51]


def test_the_reservation_of_the_head_is_behind_the_drain(replay_site: ReplaySite) -> None:
    # Job 1 (10 processors) does not fit before 20, so its reservation is at 30. Job 2 would end by
    # 20, so it starts; job 3 would not, so it waits until job 1 ends at 45.
    jobs = [job(0, 0, 12, 6), job(1, 1, 15, 10), job(2, 2, 18, 4), job(3, 3, 18, 1)]
    assert starts(replay_site, site(Outage(20, 10)), *jobs) == [0, 30, 2, 45]


def test_outages_at_the_same_time_add_up(replay_site: ReplaySite) -> None:
    # Processors in service: 10 - 4 - 4 = 2 on [20, 25), 6 on [25, 30), and 10 from 30 onwards.
    drains = (Outage(10, 15, processors=4), Outage(20, 10, processors=4))
    jobs = [job(0, 21, 3, 2), job(1, 21, 3, 3), job(2, 21, 3, 6)]
    # Two processors are free at 21, so job 0 runs until 24. Job 1 fits at 25, when 6 are free, and
    # job 2 once job 1 has ended.
    assert starts(replay_site, site(*drains), *jobs) == [21, 25, 28]


def test_a_periodic_drain_comes_back(replay_site: ReplaySite) -> None:
    # All processors are down on [10, 15), [30, 35), [50, 55), …, which leaves gaps of 15 s. Job 0
    # just fits from 15 to 30, and job 1 from 35 to 50. Job 2 waits for the next gap.
    drain = Outage(10, 5, every=20)
    jobs = [job(0, 11, 15, 10), job(1, 12, 15, 10), job(2, 13, 14, 10)]
    assert starts(replay_site, site(drain), *jobs) == [15, 35, 55]


def test_a_job_longer_than_the_gap_between_two_is_rejected(replay_site: ReplaySite) -> None:
    # The gaps between drains last 15 s. Job 2 would fit before the first drain at 10,000, but never
    # between two.
    drain = Outage(10_000, 5, every=20)
    jobs = [job(0, 0, 1, 1, asked=15), job(1, 0, 1, 1, asked=16), job(2, 0, 500, 1)]
    outcomes, attempts = replay_site(site(drain), *jobs)
    assert [outcome.state for outcome in outcomes] == [COMPLETED, REJECTED, REJECTED]
    assert [outcome.start for outcome in outcomes] == [0, -1, -1]
    assert outcomes[1].reject_reason == REJECT_REASONS[MAINTENANCE] == "maintenance"
    assert len(attempts) == 1


def test_gaps_are_those_of_all_drains_for_a_job_of_its_size(
    replay_site: ReplaySite,
) -> None:
    # 6 of 10 processors are down on [0, 5) and [10, 12) of every 20 s. Jobs on 5 processors may
    # last at most 8 s (12 to 20); jobs on 4 may have any length.
    drains = (Outage(0, 5, 6, every=20), Outage(10, 2, 6, every=20))
    jobs = [job(0, 0, 8, 5), job(1, 0, 9, 5), job(2, 0, 1000, 4)]
    outcomes, _ = replay_site(site(*drains), *jobs)
    assert [outcome.start for outcome in outcomes] == [12, -1, 0]


def test_a_window_that_occurs_once_rejects_no_job(replay_site: ReplaySite) -> None:
    assert starts(replay_site, site(Outage(20, 10)), job(0, 5, 1000, 10)) == [30]


def test_a_pool_in_maintenance_leaves_the_others_alone(replay_site: ReplaySite) -> None:
    where = Site(
        10,
        EASY,
        (Pool("a", 4), Pool("b", 6)),
        (Queue("in a", trace_queues=(1,), pools=(0,)), Queue("in b", pools=(1,))),
        outages=(Outage(5, 10, pool=0),),
    )
    jobs = [job(0, 0, 9, 4, trace_queue=1), job(1, 0, 9, 4)]
    assert starts(replay_site, where, *jobs) == [15, 0]


def test_a_job_too_long_for_one_pool_takes_another(replay_site: ReplaySite) -> None:
    # Pool a is down on [0, 5), [20, 25), …: a job of 16 s cannot use it, and one of 14 s runs there
    # from 6 to 20.
    pools = (Pool("a", 5), Pool("b", 5))
    where = site(Outage(0, 5, every=20, pool=0), pools=pools)
    outcomes, _ = replay_site(where, job(0, 6, 16, 5), job(1, 6, 14, 5), job(2, 6, 16, 5))
    assert [(outcome.start, outcome.pool) for outcome in outcomes] == [(6, 1), (6, 0), (22, 1)]


def test_processors_of_the_machine_are_drained_from_the_pools_in_order(
    replay_site: ReplaySite,
) -> None:
    # The drain of 6 processors on [10, 20) takes all 4 of a and 2 of b, so 4 of b remain. Job 0
    # does not end by 10, so it takes b; job 1 follows it there at 15. Job 2 ends by 10 and runs in
    # a.
    pools = (Pool("a", 4), Pool("b", 6))
    where = site(Outage(10, 10, processors=6), pools=pools)
    outcomes, _ = replay_site(where, job(0, 0, 15, 4), job(1, 0, 15, 4), job(2, 0, 10, 4))
    assert [(outcome.start, outcome.pool) for outcome in outcomes] == [(0, 1), (15, 1), (0, 0)]


def test_a_kill_stops_jobs_that_may_start_before_it_and_queues_them_again(
    replay_site: ReplaySite,
) -> None:
    # Job 0 runs from 5 to 20, is killed, and runs again from 30 to 50. It waited 30 - 5 - 15 = 10
    # s. The first attempt lost 15 s on 4 processors.
    outcomes, attempts = replay_site(site(Outage(20, 10, mode="kill")), job(0, 5, 20, 4))
    assert outcomes[0][:4] == (30, 50, 10, COMPLETED)
    assert attempts == [
        Attempt(0, 1, 0, 5, 20, "outage", 60, 0),
        Attempt(0, 2, 0, 30, 50, "completed", 0, 0),
    ]


@pytest.mark.parametrize("mode", ["kill", "sudden"])
def test_the_last_started_dies_first_until_the_rest_fits(
    replay_site: ReplaySite, mode: str
) -> None:
    # At 10, all jobs are running (on 4, 3 and 3 processors), and the outage leaves 6 processors.
    # Killing job 2 leaves 7 in use, so job 1 is killed too. Both start again at 20.
    jobs = [job(0, 0, 99, 4), job(1, 1, 50, 3), job(2, 2, 50, 3)]
    outcomes, attempts = replay_site(site(Outage(10, 10, 4, mode=mode)), *jobs)
    assert [outcome.start for outcome in outcomes] == [0, 20, 20]
    assert [(row.job, row.number, row.end, row.lost) for row in attempts] == [
        (0, 1, 99, 0),
        (1, 1, 10, 27),
        (1, 2, 70, 0),
        (2, 1, 10, 24),
        (2, 2, 70, 0),
    ]


def test_of_jobs_started_together_the_later_in_the_trace_dies(replay_site: ReplaySite) -> None:
    jobs = [job(0, 0, 50, 5), job(1, 0, 50, 5)]
    outcomes, _ = replay_site(site(Outage(10, 10, 1, mode="sudden")), *jobs)
    assert [outcome.start for outcome in outcomes] == [0, 20]


def test_killing_counts_all_absences(replay_site: ReplaySite) -> None:
    # 3 processors are drained on [10, 20); job 0 (4 processors) overruns into the drain while job 1
    # (3) is running. At 12, two more are lost. 5 are left and 7 are in use, so job 1, which started
    # last, is killed.
    policy = Policy(backfill="easy", kill_at_limit=False)
    outages = (Outage(10, 10, 3), Outage(12, 4, 2, mode="sudden"))
    jobs = [job(0, 0, 30, 4, asked=9), job(1, 1, 30, 3)]
    _, attempts = replay_site(site(*outages, policy=policy), *jobs)
    assert [(row.job, row.end, row.reason) for row in attempts][:2] == [
        (0, 30, "completed"),
        (1, 12, "outage"),
    ]


def test_a_sudden_outage_of_the_machine_takes_free_processors_first(
    replay_site: ReplaySite,
) -> None:
    # Pool a (4 processors) is full, and pool b (6) has two free. The outage of 3 takes these two,
    # and kills the job in pool a to take one more.
    pools = (Pool("a", 4), Pool("b", 6))
    jobs = [job(0, 0, 50, 4), job(1, 0, 50, 4)]
    outcomes, attempts = replay_site(site(Outage(10, 5, 3, mode="sudden"), pools=pools), *jobs)
    assert [(row.job, row.pool, row.end) for row in attempts] == [
        (0, 0, 10),
        (0, 0, 65),
        (1, 1, 50),
    ]
    assert outcomes[0].wait == 5


def test_calendar_changes_come_before_the_arrivals_of_the_instant(
    replay_site: ReplaySite,
) -> None:
    # At 10, job 0 is killed and queued again; its submit time of 0 puts it before job 1.
    outage = Outage(10, 5, mode="kill")
    outcomes, _ = replay_site(site(outage), job(0, 0, 20, 10), job(1, 10, 20, 10))
    assert [outcome.start for outcome in outcomes] == [15, 35]


def test_a_job_that_ends_as_the_outage_begins_is_not_killed(replay_site: ReplaySite) -> None:
    _, attempts = replay_site(site(Outage(10, 5, mode="kill")), job(0, 0, 10, 10))
    assert attempts == [Attempt(0, 1, 0, 0, 10, "completed", 0, 0)]


def test_an_outage_may_end_as_the_next_begins(replay_site: ReplaySite) -> None:
    # 4 processors are down on [10, 20) and 4 on [20, 30), but never 8 at once, so the job on 6
    # continues.
    outages = (Outage(10, 10, 4, mode="sudden"), Outage(20, 10, 4, mode="sudden"))
    _, attempts = replay_site(site(*outages), job(0, 0, 50, 6))
    assert attempts == [Attempt(0, 1, 0, 0, 50, "completed", 0, 0)]


def test_an_outage_begun_before_the_first_submit_counts(replay_site: ReplaySite) -> None:
    outage = Outage(5, 20, 10, mode="sudden")
    assert starts(replay_site, site(outage), job(0, 8, 5, 1)) == [25]


def test_a_killed_job_that_is_not_queued_again_is_interrupted(replay_site: ReplaySite) -> None:
    where = site(Outage(10, 5, mode="kill"), interruption=Interruption("never"))
    outcomes, attempts = replay_site(where, job(0, 4, 20, 3))
    assert outcomes[0][:4] == (4, 10, 0, INTERRUPTED)
    assert attempts == [Attempt(0, 1, 0, 4, 10, "outage", 18, 0)]


def test_a_job_may_be_killed_repeatedly(replay_site: ReplaySite) -> None:
    # An outage of one second begins every 30 s from 10 onwards. The job of 25 s runs from 0 to 10
    # and is killed; then its 25 s fit into the 29 s between two outages, from 11 to 36.
    _, attempts = replay_site(site(Outage(10, 1, every=30, mode="kill")), job(0, 0, 25, 10))
    assert [(row.start, row.end) for row in attempts] == [(0, 10), (11, 36)]


def test_periodic_passes_do_not_delay_calendar_changes(replay_site: ReplaySite) -> None:
    # Passes run at 0, 20, 40, …. Job 0 is killed at 30, between two passes, and starts again at 40.
    policy = Policy(backfill="easy", passes="20s")
    where = site(Outage(30, 5, 10, mode="sudden"), policy=policy)
    _, attempts = replay_site(where, job(0, 0, 50, 10))
    assert [(row.start, row.end) for row in attempts] == [(0, 30), (40, 90)]


def test_gaps_begin_at_a_pass_where_passes_are_periodic(replay_site: ReplaySite) -> None:
    # All processors are down on [10, 15), [30, 35), [50, 55), …; passes run at 0, 7, 14, 21, 28, ….
    # After each window, the first pass is at 21, 35, 56, 77, 98, 119 and 140. The next window
    # begins 9, 15, 14, 13, 12, 11 and 10 s after that pass; then the pattern repeats.
    policy = Policy(backfill="easy", passes="7s")
    jobs = [job(0, 0, 15, 10), job(1, 0, 16, 10)]
    outcomes, _ = replay_site(site(Outage(10, 5, every=20), policy=policy), *jobs)
    assert [outcome.start for outcome in outcomes] == [35, -1]
    # With passes at 0, 20, 40, …, only the last 10 s of each gap of 15 s can be used.
    policy = Policy(backfill="easy", passes="20s")
    jobs = [job(0, 0, 10, 10), job(1, 0, 11, 10)]
    outcomes, _ = replay_site(site(Outage(10, 5, every=20), policy=policy), *jobs)
    assert [outcome.start for outcome in outcomes] == [0, -1]
    assert outcomes[1].reject_reason == "maintenance"


def test_gaps_begin_when_the_queue_is_open(replay_site: ReplaySite) -> None:
    # All processors are down from midnight to 01:00 every day; the queue is open from 20:00 to
    # 21:00.
    hour = 3600
    queues = (Queue("evening", hours=((20 * hour, 21 * hour),)),)
    where = site(Outage(0, hour, every=24 * hour), queues=queues)
    jobs = [job(0, 0, 4 * hour, 1), job(1, 0, 4 * hour + 1, 1)]
    outcomes, _ = replay_site(where, *jobs)
    assert [outcome.start for outcome in outcomes] == [20 * hour, -1]


def test_a_queue_never_open_in_a_pass_rejects_its_jobs(replay_site: ReplaySite) -> None:
    # A pass runs once a day, at noon.
    noon, hour = 43_200, 3600
    policy = Policy(backfill="easy", passes="86400s")
    queues = (Queue("evening", (1, 4), hours=((20 * hour, 21 * hour),)), Queue("rest"))
    jobs = [job(0, noon, 1, 1), job(1, noon, 1, 5)]
    outcomes, _ = replay_site(Site(10, policy, queues=queues), *jobs)
    assert [(o.start, o.reject_reason) for o in outcomes] == [(-1, "maintenance"), (noon, "none")]


def test_a_run_known_to_outlive_its_request_needs_a_gap_of_its_own_length(
    replay_site: ReplaySite,
) -> None:
    # There are 15 s between two windows. Job 0 requests 5 s and runs for 16 s, which `exact` takes
    # into account.
    policy = Policy(backfill="easy", estimates="exact", kill_at_limit=False)
    jobs = [job(0, 0, 16, 1, asked=5), job(1, 0, 15, 1, asked=5)]
    outcomes, _ = replay_site(site(Outage(10, 5, every=20), policy=policy), *jobs)
    assert [outcome.start for outcome in outcomes] == [-1, 15]


def test_an_outage_kills_in_its_own_pools_only(replay_site: ReplaySite) -> None:
    # Pool a is drained from 10 onwards, and job 0, which outlives its request, runs there until 18.
    # The outage of pool b at 10 does not kill it.
    where = Site(
        8,
        Policy(backfill="easy", kill_at_limit=False),
        (Pool("a", 4), Pool("b", 4)),
        outages=(Outage(10, 5, pool=0), Outage(10, 5, mode="kill", pool=1)),
    )
    outcomes, _ = replay_site(where, job(0, 0, 18, 4, asked=10))
    assert [(o.start, o.end, o.state) for o in outcomes] == [(0, 18, COMPLETED)]


def test_windows_before_the_first_submission_begin_in_order_of_time(
    replay_site: ReplaySite,
) -> None:
    # The outage takes all of a, which is free at 0. The drain of a at 5 takes no more, so b is
    # available to the job submitted at 5.
    outages = (Outage(5, 95, pool=0), Outage(0, 100, 4, mode="sudden"))
    pools = (Pool("a", 4), Pool("b", 6))
    outcomes, _ = replay_site(site(*outages, pools=pools), job(0, 5, 10, 6))
    assert [(outcome.start, outcome.pool) for outcome in outcomes] == [(5, 1)]
