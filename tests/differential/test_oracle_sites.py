"""Worked examples of the oracle's rules for queues, pools and limits."""

from __future__ import annotations

from hypothesis import given, settings

from reference import Outcome, Policy, simulate
from reference.sites import Limits, Pool, Queue, Site, simulate_site
from reference.sites.by_hand import EASY, job, pools, starts
from reference.sites.drawing import SiteCase, site_cases


@settings(max_examples=150, derandomize=True, database=None, deadline=None)
@given(case=site_cases())
def test_a_site_with_nothing_in_it_is_the_plain_machine(case: SiteCase) -> None:
    outcomes, _ = simulate_site(case.jobs, case.site)
    assert simulate(case.jobs, case.site.processors, case.site.policy) == [
        Outcome(o.start, o.end, o.state, o.backfilled) for o in outcomes
    ]


def test_a_job_goes_to_its_queue_in_the_trace_else_to_the_first_that_holds_it() -> None:
    mapped = Queue("mapped", trace_queues=(7,))
    short = Queue("short", processors=(1, 2), walltime=(0, 10))
    wide = Queue("wide", processors=(2, 4), walltime=(5, 20))
    jobs = [
        job(0, 0, 50, 4, trace_queue=7),  # Job 0 goes to `mapped`, whatever it requests.
        job(1, 0, 10, 2),  # Job 1 fits two queues; the first one takes it.
        job(2, 0, 20, 2),  # Job 2 fits `wide`: 20 is not above 20.
        job(3, 0, 5, 3),  # Job 3 is too wide for `short`, and too short for `wide`.
        job(4, 0, 0, 1, asked=0),  # Job 4 counts as 1 s, and fits `short`.
        job(5, 0, 21, 1, trace_queue=8),  # Job 5 fits none: queue 8 is unmapped, 21 s is too long.
    ]
    outcomes, _ = simulate_site(jobs, Site(4, EASY, queues=(mapped, short, wide)))
    assert [o.queue for o in outcomes] == [0, 1, 2, -1, 1, -1]
    assert [o.reject_reason for o in outcomes] == ["none"] * 3 + ["no_queue", "none", "no_queue"]


def test_jobs_that_can_never_start_are_rejected_with_the_reason() -> None:
    site = Site(
        8,
        EASY,
        pools=(Pool("a", 4), Pool("b", 3)),
        queues=(Queue("q", pools=(0, 1)),),
        limits=Limits(processors_in_use=6, processors_per_user=3),
    )
    jobs = [job(0, 0, 1, 4), job(1, 0, 1, 5), job(2, 0, 1, 4, user=1), job(3, 0, 1, 9)]
    outcomes, _ = simulate_site(jobs, site)
    assert [o.reject_reason for o in outcomes] == ["none", "too_large", "limit", "too_large"]


def test_a_full_first_choice_leaves_a_reservation_there_and_the_job_starts_in_the_second() -> None:
    # Job 1 does not fit in a, where it gets a reservation at 10, and starts in b at 0. In the next
    # sweep only job 2 waits. It may only use pool a, and starts at 0 beside job 0.
    own = Queue("own", processors=(1, 1), pools=(0,))
    both = Queue("both", priority=1, pools=(0, 1))
    site = Site(8, EASY, (Pool("a", 4), Pool("b", 4)), (own, both))
    jobs = (job(0, 0, 10, 3), job(1, 0, 10, 3), job(2, 0, 99, 1))
    assert starts(site, *jobs) == [0, 0, 0]
    assert pools(site, *jobs) == [0, 1, 0]


def test_each_pool_keeps_its_own_reservation() -> None:
    # Both heads wait until 10. Job 4 may not delay the head of its pool; job 5 ends at 10.
    queues = (Queue("a", trace_queues=(1,), pools=(0,)), Queue("b", trace_queues=(2,), pools=(1,)))
    site = Site(8, EASY, (Pool("a", 4), Pool("b", 4)), queues)
    in_a, in_b = {"trace_queue": 1}, {"trace_queue": 2}
    jobs = (
        job(0, 0, 10, 3, **in_a), job(1, 0, 10, 3, **in_b),
        job(2, 1, 5, 4, **in_a), job(3, 1, 5, 4, **in_b),
        job(4, 2, 9, 1, **in_a), job(5, 2, 8, 1, **in_b),
    )  # fmt: skip
    assert starts(site, *jobs) == [0, 0, 10, 10, 15, 2]


def test_a_queue_of_higher_priority_goes_first_then_equal_queues_as_they_are_written() -> None:
    queues = (
        Queue("low", trace_queues=(1,)),
        Queue("equal, shortest first", trace_queues=(2,), order="sjf"),
        Queue("high", trace_queues=(3,), priority=1.0),
    )
    jobs = (
        job(0, 0, 1, 1, trace_queue=2),
        *(job(at, 0, length, 1, trace_queue=queue)
          for at, length, queue in [(1, 4, 2), (2, 2, 2), (3, 5, 1), (4, 3, 3), (5, 1, 1)]),
    )  # fmt: skip
    # Job 4 has priority. Jobs 3 and 5 of queue `low` follow, by submit time and position. Then come
    # jobs 0, 2 and 1, by length.
    assert starts(Site(1, Policy(backfill="none"), queues=queues), *jobs) == [9, 12, 10, 3, 0, 8]


def test_limits_count_as_jobs_start_and_hold_without_a_reservation() -> None:
    site = Site(4, EASY, limits=Limits(running_per_user=1))
    jobs = (
        job(0, 0, 10, 1, user=1),
        job(1, 0, 10, 1, user=1),  # Job 1 is held until 10.
        job(2, 0, 10, 1, user=2),  # Job 2 passes job 1, but is not backfilled.
        job(3, 0, 10, 1),  # Job 3 has no known user, so no limit applies.
        job(4, 0, 10, 1),
    )
    outcomes, _ = simulate_site(jobs, site)
    assert [o.start for o in outcomes] == [0, 10, 0, 0, 0]
    assert not any(o.backfilled for o in outcomes)


def test_processors_in_use_are_limited_by_queue_and_by_group() -> None:
    queue = Queue("q", limits=Limits(processors_in_use=3))
    site = Site(8, EASY, queues=(queue,), limits=Limits(processors_per_group=2))
    jobs = (job(0, 0, 5, 2, group=1), job(1, 0, 5, 1, group=1), job(2, 0, 5, 1, group=2))
    # Job 1 would exceed the two processors of its group. Job 2 takes the queue's third processor.
    assert starts(site, *jobs) == [0, 5, 0]


def test_only_the_first_queued_jobs_of_a_user_are_looked_at() -> None:
    site = Site(4, Policy(order="sjf"), limits=Limits(queued_per_user=1))
    # Job 1 is the shortest, but it is the second job of its user. Once job 0 has started, job 1 is
    # its user's first waiting job.
    jobs = (job(0, 0, 10, 3, user=1), job(1, 0, 5, 3, user=1), job(2, 0, 7, 3, user=2))
    assert starts(site, *jobs) == [7, 17, 0]


def test_when_no_eligible_job_waits_the_sites_limits_on_users_are_lifted() -> None:
    site = Site(4, EASY, limits=Limits(running_per_user=1, lifted_when_idle=True))
    jobs = (
        job(0, 0, 10, 1, user=1),
        job(1, 0, 10, 1, user=1),  # The limit is lifted, so job 1 starts.
        job(2, 0, 10, 3, user=1),  # Job 2 does not fit.
        job(3, 0, 10, 1, user=1),  # Job 3 waits behind job 2.
    )
    assert starts(site, *jobs) == [0, 0, 10, 10]
    # While an eligible job waits, no limit is lifted: the user's jobs run one after the other.
    assert starts(site, *jobs, job(4, 0, 10, 4, user=2)) == [0, 10, 20, 30, 40]


def test_a_starving_job_precedes_all_others_and_holds_the_reservation() -> None:
    queues = (
        Queue("urgent", trace_queues=(1,), priority=9.0),
        Queue("patient", trace_queues=(2,), starvation=5),
    )
    site = Site(4, EASY, queues=queues)
    jobs = (
        job(0, 0, 10, 3, trace_queue=1),
        job(1, 1, 10, 4, trace_queue=2),
        job(2, 3, 10, 2, trace_queue=1),  # Job 2 is the head until 6, when job 1 starves.
        job(3, 6, 5, 1, trace_queue=1),  # Job 3 would run beyond 10, and delay job 1.
        job(4, 6, 4, 1, trace_queue=1),  # Job 4 ends at 10.
    )
    assert starts(site, *jobs) == [0, 10, 20, 20, 6]


def test_hours_hold_jobs_and_their_opening_is_an_instant() -> None:
    night = Queue("night", hours=((20 * 3600, 8 * 3600),))
    site = Site(4, EASY, queues=(night,), midnight=-12 * 3600)  # Time 0 is noon.
    # The queue opens 8 h after noon, closes 20 h after noon, and opens again 12 h later.
    jobs = (job(0, 0, 10, 1), job(1, 20 * 3600 - 1, 5, 4), job(2, 20 * 3600, 5, 4))
    assert starts(site, *jobs) == [8 * 3600, 20 * 3600 - 1, 32 * 3600]


def test_a_threshold_opens_the_common_pool_by_falling_factor() -> None:
    # Each queue has a pool of 1 processor. A common pool of 2 takes jobs with a slowdown factor
    # above 1: job 2 (4 s, priority 2) from 3 onwards, job 3 (10 s, counted as 8 s, priority 1) from
    # 9 onwards.
    queues = (
        Queue("one", trace_queues=(1,), pools=(0, 2), priority=2.0),
        Queue("two", trace_queues=(2,), walltime=(0, 8), pools=(1, 2), priority=1.0),
    )
    site = Site(4, EASY, (Pool("a", 1), Pool("b", 1), Pool("common", 2, threshold=1.0)), queues)
    jobs = (
        job(0, 0, 90, 1, trace_queue=1),
        job(1, 0, 90, 1, trace_queue=2),
        job(2, 0, 4, 1, trace_queue=1),  # The factor of job 2 is 1 at 2, and 1.5 at 3.
        job(3, 0, 10, 1, trace_queue=2),  # The factor of job 3 is 1 at 8, and 9 / 8 at 9.
    )
    assert starts(site, *jobs) == [0, 0, 3, 9]
    assert pools(site, *jobs) == [0, 1, 2, 2]


def test_a_dependency_holds_until_its_job_and_the_think_time_are_over() -> None:
    site = Site(4, EASY, dependencies=True)
    jobs = (
        job(0, 0, 10, 1),
        job(1, 0, 5, 1, preceding=0, think_time=3),  # Job 1 starts at 10 + 3.
        job(2, 0, 5, 1, preceding=1, think_time=-1),  # Job 2 starts at 18.
        job(3, 0, 5, 9),  # Job 3 is rejected.
        job(4, 0, 5, 1, preceding=3, think_time=7),  # Job 4 has no job to wait for.
        job(5, 0, 5, 1, preceding=5),
    )
    assert starts(site, *jobs) == [0, 13, 18, -1, 0, 0]
    assert starts(Site(4, EASY), *jobs[:2]) == [0, 0]
