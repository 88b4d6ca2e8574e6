"""Worked examples of the oracle's rules for calendars, attempts and advance reservations."""

from __future__ import annotations

import math

import pytest

from reference import Policy
from reference.sites import (
    Attempt,
    Crashes,
    Interruption,
    Outage,
    Pool,
    Queue,
    Reservation,
    Site,
    simulate_site,
)
from reference.sites.by_hand import EASY, attempts, job, pools, starts
from reference.sites.draws import crash_times, splitmix64

SPANNING = Queue("spanning", trace_queues=(9,), spanning=True)


def test_shares_of_a_spanning_job_are_in_proportion_with_the_largest_remainder() -> None:
    # According to the estimates, pool b (3 processors) is free from 4 onwards, and pool a (4) from
    # 6 onwards. One of the 3 processors of pool c is always free. So 8 are free from 6 onwards, and
    # the shares of a, b and c are 6 × 4/8 = 3, 6 × 3/8 = 2.25 and 6 × 1/8 = 0.75. The sixth
    # processor comes from c.
    queues = (
        SPANNING,
        *(Queue(name, trace_queues=(at,), pools=(at,)) for at, name in enumerate("abc")),
    )
    site = Site(10, EASY, (Pool("a", 4), Pool("b", 3), Pool("c", 3)), queues)
    jobs = (
        job(0, 0, 6, 4, trace_queue=0), job(1, 0, 4, 3, trace_queue=1),
        job(2, 0, 30, 2, trace_queue=2), job(3, 1, 5, 6, trace_queue=9),
        job(4, 6, 5, 2, trace_queue=0),  # pool a has only 1 free processor until 11
        job(5, 6, 5, 1, trace_queue=0),
        job(6, 6, 5, 1, trace_queue=1), job(7, 6, 1, 1, trace_queue=2),
    )  # fmt: skip
    assert starts(site, *jobs) == [0, 0, 0, 6, 11, 6, 6, 11]
    assert pools(site, *jobs)[3] == -1


def test_equal_remainders_go_to_pools_by_name() -> None:
    queues = (SPANNING, Queue("rest", pools=(0, 1), priority=1.0, processors=(1, None)))
    site = Site(4, EASY, (Pool("z", 2), Pool("a", 2)), queues)
    # The share of each pool is 3 × 2/4 = 1.5 processors: pool a gives 2, and pool z gives 1. Job 1
    # finds a processor in z, its first choice.
    jobs = (job(0, 0, 5, 3, trace_queue=9), job(1, 0, 5, 1))
    assert pools(site, *jobs) == [-1, 0]


def test_a_fence_keeps_its_instant_until_an_earlier_one_is_possible() -> None:
    queues = (SPANNING, Queue("in a", trace_queues=(1,), pools=(0,)))
    site = Site(4, EASY, (Pool("a", 2), Pool("b", 2)), queues)
    jobs = (
        job(0, 0, 6, 2, asked=10, trace_queue=1),  # Job 0 ends at 6 instead of 10.
        job(1, 1, 5, 4, trace_queue=9),  # Job 1 has an advance reservation at 10, and starts at 6.
    )
    assert starts(site, *jobs) == [0, 6]
    # Both pools are reserved at 10, so a job in b must end by then.
    fills = (job(2, 2, 8, 1, trace_queue=2), job(3, 2, 9, 1, trace_queue=2))
    in_b = Queue("in b", trace_queues=(2,), pools=(1,))
    on_time = (job(0, 0, 10, 2, trace_queue=1), jobs[1], *fills)
    assert starts(Site(4, EASY, site.pools, (*queues, in_b)), *on_time) == [0, 10, 2, 15]


def test_a_starving_job_takes_its_pool_out_of_an_advance_reservation() -> None:
    # Job 1 has an advance reservation at 10. Job 2 starves in pool a from 4 onwards, so the
    # reservation is dropped. Pools b and c together are too small, so job 1 has no reservation
    # until job 2 has run.
    queues = (SPANNING, Queue("in a", trace_queues=(1,), pools=(0,), starvation=3))
    pools = (Pool("a", 4), Pool("b", 1), Pool("c", 1))
    jobs = (
        job(0, 0, 10, 4, trace_queue=1),
        job(1, 1, 5, 5, trace_queue=9),
        job(2, 1, 7, 4, trace_queue=1),
    )
    assert starts(Site(6, EASY, pools, queues), *jobs) == [0, 17, 10]
    # If job 2 did not starve, the reservation would keep pool a free from 10 to 15.
    queues = (SPANNING, Queue("in a", trace_queues=(1,), pools=(0,)))
    assert starts(Site(6, EASY, pools, queues), *jobs) == [0, 10, 15]


def test_nothing_starts_that_would_overlap_a_drain_but_an_overrun_finishes() -> None:
    site = Site(4, Policy(kill_at_limit=False), outages=(Outage(10, 5),))
    jobs = (
        job(0, 0, 10, 1),  # Job 0 ends as the drain begins.
        job(1, 0, 11, 1),  # Job 1 waits until 15.
        job(2, 0, 12, 1, asked=10),  # Job 2 overruns into the drain.
        job(3, 11, 0, 1),  # Job 3, of length 0, may not start in the drain either.
    )
    assert starts(site, *jobs) == [0, 15, 0, 15]


def test_a_partial_drain_leaves_the_rest_and_drains_add_up() -> None:
    drains = (Outage(10, 10, processors=2), Outage(15, 10, processors=1))
    jobs = (job(0, 0, 12, 2), job(1, 0, 12, 1), job(2, 0, 16, 1))
    # From 10 onwards 2 processors are up, from 15 onwards 1, from 20 onwards 3, from 25 onwards 4.
    # Job 0 has the 2 processors until 12, and job 1 starts then. From 15 to 20, job 1 has the only
    # processor. Job 2, of 16 s, would need it too if it started before 20.
    assert starts(Site(4, EASY, outages=drains), *jobs) == [0, 12, 20]


def test_a_job_longer_than_the_time_between_two_drains_is_rejected() -> None:
    site = Site(4, EASY, outages=(Outage(100, 4, every=10),))
    outcomes, _ = simulate_site([job(0, 0, 6, 1), job(1, 0, 7, 1)], site)
    assert [o.reject_reason for o in outcomes] == ["none", "maintenance"]


def test_a_drain_of_the_machine_takes_pools_in_their_order() -> None:
    queues = (Queue("a", trace_queues=(1,), pools=(0,)), Queue("b", trace_queues=(2,), pools=(1,)))
    site = Site(6, EASY, (Pool("a", 2), Pool("b", 4)), queues, outages=(Outage(5, 5, 3),))
    jobs = (job(0, 0, 6, 1, trace_queue=1), job(1, 0, 6, 3, trace_queue=2))
    assert starts(site, *jobs) == [10, 0]


def test_a_kill_is_not_planned_and_ends_the_last_started_first() -> None:
    site = Site(
        4, EASY, outages=(Outage(10, 5, 2, mode="kill"),), interruption=Interruption(refund=3)
    )
    jobs = (job(0, 0, 20, 1), job(1, 0, 20, 1), job(2, 4, 20, 1), job(3, 11, 1, 1))
    # At 10, three jobs are running and 2 processors remain, so job 2 is killed after 6 s. It keeps
    # its submit time of 4, so it waits ahead of job 3.
    assert starts(site, *jobs) == [0, 0, 15, 15]
    assert attempts(site, *jobs)[2:4] == [
        Attempt(2, 1, 0, 4, 10, "outage", 6, 3),
        Attempt(2, 2, 0, 15, 35, "completed", 0, 0),
    ]


def test_a_sudden_outage_of_the_machine_takes_free_processors_first() -> None:
    queues = (Queue("a", trace_queues=(1,), pools=(0,)), Queue("b", trace_queues=(2,), pools=(1,)))
    site = Site(
        6, EASY, (Pool("a", 3), Pool("b", 3)), queues, outages=(Outage(5, 5, 4, mode="sudden"),)
    )
    jobs = (job(0, 0, 9, 1, trace_queue=1), job(1, 0, 9, 2, trace_queue=2))
    # The outage of 4 processors takes 2 free ones in a and 1 in b. To take one more, it kills the
    # job in a.
    assert [(a.job, a.end, a.reason) for a in attempts(site, *jobs)] == [
        (0, 5, "outage"), (0, 19, "completed"), (1, 9, "completed"),
    ]  # fmt: skip


def test_a_crash_kills_all_and_repair_keeps_the_machine_away() -> None:
    site = Site(4, EASY, crashes=Crashes(times=(6,), repair=4))
    jobs = (job(0, 0, 10, 2), job(1, 3, 10, 2), job(2, 7, 1, 4))
    assert starts(site, *jobs) == [10, 10, 20]
    assert [a[3:7] for a in attempts(site, *jobs) if a.reason == "crash"] == [
        (0, 6, "crash", 12), (3, 6, "crash", 6),
    ]  # fmt: skip
    never = Site(4, EASY, crashes=site.crashes, interruption=Interruption("never"))
    outcomes, _ = simulate_site(jobs, never)
    assert [(o.start, o.end, o.state) for o in outcomes] == [(0, 6, 4), (3, 6, 4), (10, 11, 0)]


def test_checkpoints_cost_time_and_save_what_lies_before_them() -> None:
    # 10 s of work with a checkpoint of 1 s after every 3 s takes 10 + 3 = 13 s. By 9, two
    # checkpoints have been written, at 4 and at 8, so 6 s of work is saved. The remaining 4 s takes
    # 4 + 1 s. The crash loses 2 processors × (9 - 6) s.
    rule = Interruption("from-checkpoint", checkpoint_every=3, checkpoint_cost=1)
    site = Site(4, EASY, crashes=Crashes(times=(9,)), interruption=rule)
    assert attempts(site, job(0, 0, 10, 2, asked=20)) == [
        Attempt(0, 1, 0, 0, 9, "crash", 6, 0), Attempt(0, 2, 0, 9, 14, "completed", 0, 0),
    ]  # fmt: skip
    # With a request of 12 s, the job of 13 s is killed. After a crash, its second attempt is short
    # enough.
    whole = Site(4, EASY, interruption=rule)
    assert simulate_site([job(0, 0, 10, 2, asked=12)], whole)[0][0][1:4] == (12, 0, 1)
    assert attempts(site, job(0, 0, 10, 2, asked=12))[1].reason == "completed"


def test_a_single_checkpoint_counts_the_work_of_all_attempts() -> None:
    # The checkpoint is complete 4 + 2 s after the start. The first crash comes before that, the
    # second after it, when 6 s of work remains.
    rule = Interruption("from-checkpoint", checkpoint_at=4, checkpoint_cost=2)
    site = Site(4, EASY, crashes=Crashes(times=(5, 12, 15)), interruption=rule)
    assert [a[3:8] for a in attempts(site, job(0, 0, 10, 1, asked=20))] == [
        (0, 5, "crash", 5, 0), (5, 12, "crash", 3, 0), (12, 15, "crash", 3, 0),
        (15, 21, "completed", 0, 0),
    ]  # fmt: skip
    outcome = simulate_site([job(0, 0, 10, 1, asked=20)], site)[0][0]
    assert (outcome.start, outcome.wait) == (15, 0)


def test_a_user_starts_inside_a_reservation_and_others_plan_around_it() -> None:
    kept = Reservation("r", start=5, duration=10, processors=3, users=(1,))
    jobs = (
        job(0, 0, 6, 2),  # job 0 would leave only 2 processors free at 5
        job(1, 0, 5, 4),
        job(2, 5, 10, 2, user=1),  # Job 2 runs inside the reservation until 15.
        job(3, 5, 11, 1, user=1),  # Job 3 would end after 15, so it starts outside the reservation.
        job(4, 6, 9, 1, user=1),  # Job 4 starts inside the reservation.
        job(5, 6, 9, 1, user=1),  # Job 5 waits: both the reservation and the pool are full.
    )
    site = Site(4, EASY, reservations=(kept,))
    assert starts(site, *jobs) == [15, 0, 5, 5, 6, 15]


def test_crashes_are_drawn_by_inversion_from_splitmix64() -> None:
    # First outputs for seed 1234567, as published with the tests of the generator.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    draws = splitmix64(1234567)
    assert [next(draws) for _ in expected] == expected
    u = [(draw >> 11) / 2**53 for draw in expected]
    exponential = crash_times(Crashes((), "exponential", 100, 1.0, 1234567, repair=7), 50)
    first = 50 + math.ceil(-100 * math.log(1 - u[0]))
    second = first + 7 + math.ceil(-100 * math.log(1 - u[1]))
    assert [next(exponential), next(exponential)] == [first, second]
    weibull = crash_times(Crashes((), "weibull", 100, 2.0, 1234567), 0)
    assert next(weibull) == math.ceil(100 * math.sqrt(-math.log(1 - u[0])))


@pytest.mark.parametrize(("passes", "start"), [("per-instant", 7), ("5s", 10)])
def test_with_periodic_passes_what_the_calendar_frees_waits_for_the_next(
    passes: str, start: int
) -> None:
    site = Site(4, Policy(passes=passes), outages=(Outage(2, 5),))
    assert starts(site, job(0, 0, 1, 1), job(1, 1, 9, 4)) == [0, start]
