"""The choice of a job's queue, the order of queues, and their opening hours, on small cases."""

from __future__ import annotations

from collections.abc import Callable

from reference import Policy
from reference.sites import Pool, Queue, Site, SiteOutcome
from reference.sites.by_hand import EASY, job

Starts = Callable[..., list[int]]
Outcomes = Callable[..., list[SiteOutcome]]
HOUR = 3600


def test_the_queue_of_the_trace_wins_then_the_first_range_that_holds_the_job(
    site_outcomes: Outcomes,
) -> None:
    queues = (
        Queue("narrow", processors=(1, 2), walltime=(0, 10)),
        Queue("any", processors=(1, 4), walltime=(0, 20)),
        Queue("mapped", trace_queues=(7, 8)),
    )
    jobs = (
        job(0, 0, 10, 2),  # within the ranges of `narrow` and `any`; the first takes it
        job(1, 0, 11, 2),  # walltime above 10: queue `any`
        job(2, 0, 5, 3),  # more than 2 processors: queue `any`
        job(3, 0, 99, 4, trace_queue=8),  # queue `mapped`, which lists the trace's queue 8
        job(4, 0, 21, 1),  # rejected: too long for `any`, and `mapped` has no ranges
        job(5, 0, 10, 2, trace_queue=9),  # no queue lists 9, so the ranges decide
    )
    outcomes = site_outcomes(Site(4, EASY, queues=queues), *jobs)
    assert [o.queue for o in outcomes] == [0, 1, 1, 2, -1, 0]
    assert outcomes[4].reject_reason == "no_queue"
    assert outcomes[4].start == -1


def test_queues_of_equal_priority_and_order_are_one_queue(site_starts: Starts) -> None:
    # Jobs start on the only processor in order of submit time, whichever queue they are in.
    queues = (Queue("a", trace_queues=(1,)), Queue("b", trace_queues=(2,)))
    jobs = [job(at, at, 10, 1, trace_queue=2 - at % 2) for at in range(4)]
    assert site_starts(Site(1, Policy(backfill="none"), queues=queues), *jobs) == [0, 10, 20, 30]


def test_queues_of_equal_priority_and_other_orders_stand_as_they_are_written(
    site_starts: Starts,
) -> None:
    # After job 0, the jobs of queue `first` run in order of length (3, 1), then those of `second`
    # in order of submit time (2, 4).
    queues = (
        Queue("first", trace_queues=(1,), order="sjf"),
        Queue("second", trace_queues=(2,)),
    )
    lengths = [(10, 1), (9, 1), (2, 2), (4, 1), (1, 2)]
    jobs = [job(at, at, length, 1, trace_queue=queue) for at, (length, queue) in enumerate(lengths)]
    site = Site(1, Policy(backfill="none"), queues=queues)
    assert site_starts(site, *jobs) == [0, 14, 23, 10, 25]


def test_priority_precedes_submit_time_and_file_order(site_starts: Starts) -> None:
    queues = (Queue("low", trace_queues=(1,)), Queue("high", trace_queues=(2,), priority=0.5))
    jobs = (
        job(0, 0, 10, 1, trace_queue=1),
        job(1, 1, 10, 1, trace_queue=1),
        job(2, 2, 10, 1, trace_queue=2),
    )
    assert site_starts(Site(1, EASY, queues=queues), *jobs) == [0, 20, 10]


def test_an_order_that_weighs_queue_priority_mixes_the_queues(site_starts: Starts) -> None:
    # The score under `priority` is 5 per minute of wait + 100·(1 + wait/request) + processors + 100
    # per point of the queue's priority. At 600, job 1 has waited for 10 minutes, as long as it
    # requests: 50 + 200 + 1 = 251. Job 2 has not waited: 100 + 1 + 100·1 = 201. If the queue's
    # priority were compared before the score, job 2 would go first.
    queues = (Queue("low", trace_queues=(1,)), Queue("high", trace_queues=(2,), priority=1.0))
    jobs = (
        job(0, 0, 600, 1, trace_queue=1),
        job(1, 0, 600, 1, trace_queue=1),
        job(2, 600, 600, 1, trace_queue=2),
    )
    site = Site(1, Policy(order="priority", backfill="none"), queues=queues)
    assert site_starts(site, *jobs) == [0, 600, 1200]


def test_a_closed_queue_holds_its_jobs_without_a_reservation(site_starts: Starts) -> None:
    # Time 0 is 19:00, and `night` opens at 20:00. Until then, job 0 (all 4 processors) blocks no
    # job. At the opening it becomes the head, and its reservation is at 2 h, when job 1 ends.
    queues = (
        Queue("night", trace_queues=(1,), hours=((20 * HOUR, 6 * HOUR),), priority=1.0),
        Queue("day", trace_queues=(2,)),
    )
    site = Site(4, EASY, queues=queues, midnight=-19 * HOUR)
    jobs = (
        job(0, 0, 10, 4, trace_queue=1),
        job(1, 0, 2 * HOUR, 1, trace_queue=2),
        job(2, HOUR, 2 * HOUR, 1, trace_queue=2),  # job 2 would end after 2 h and delay the head
    )
    assert site_starts(site, *jobs) == [2 * HOUR, 0, 2 * HOUR + 10]


def test_an_opening_right_after_a_closing_makes_no_instant(site_starts: Starts) -> None:
    # 08:00-12:00 and 12:00-13:00 count as one period; the job submitted at 13:00 waits for the next
    # 08:00.
    queue = Queue("q", hours=((8 * HOUR, 12 * HOUR), (12 * HOUR, 13 * HOUR)))
    site = Site(1, EASY, queues=(queue,))
    jobs = (job(0, 12 * HOUR - 1, 5, 1), job(1, 12 * HOUR, 5, 1), job(2, 13 * HOUR, 5, 1))
    assert site_starts(site, *jobs) == [12 * HOUR - 1, 12 * HOUR + 4, 32 * HOUR]


def test_a_starving_job_takes_the_reservation_from_a_queue_of_higher_priority(
    site_starts: Starts,
) -> None:
    # Job 1 (all 4 processors) is the head from 1 onwards, with a reservation at 20. At 2, job 2 (3
    # processors), of the queue with the higher priority, becomes the head, with the same
    # reservation. From 7 onwards job 1 starves and is the head again. Job 3 (1 processor for 13 s)
    # may run, because it ends at 20. Job 4 (1 processor for 14 s) may not, although job 2 would
    # leave it a processor.
    queues = (
        Queue("high", trace_queues=(1,), priority=1.0),
        Queue("low", trace_queues=(2,), starvation=6),
    )
    jobs = (
        job(0, 0, 20, 2, trace_queue=1),
        job(1, 1, 10, 4, trace_queue=2),
        job(2, 2, 10, 3, trace_queue=1),
        job(3, 7, 13, 1, trace_queue=1),
        job(4, 7, 14, 1, trace_queue=1),
    )
    assert site_starts(Site(4, EASY, queues=queues), *jobs) == [0, 20, 30, 7, 30]


def test_starving_jobs_go_oldest_first_whatever_their_order_says(site_starts: Starts) -> None:
    # By 10, jobs 1 and 2 starve, so job 1 precedes the shorter jobs 2 and 3. By 19, job 3 starves
    # too, so job 2 precedes it.
    queue = Queue("q", order="sjf", starvation=5)
    jobs = (job(0, 0, 10, 1), job(1, 1, 9, 1), job(2, 2, 3, 1), job(3, 8, 1, 1))
    assert site_starts(Site(1, EASY, queues=(queue,)), *jobs) == [0, 10, 19, 22]


def test_a_queue_that_closes_lets_other_jobs_pass(site_starts: Starts) -> None:
    # Job 1 (all 4 processors) of the day queue has its reservation at 5 h, and job 2 would run
    # beyond that. The day queue closes at 2 h. The next pass is at 3 h, when job 3 arrives for
    # another pool; job 2 then starts beside job 0.
    pools = (Pool("a", 4), Pool("b", 4))
    queues = (
        Queue("day", trace_queues=(1,), hours=((0, 2 * HOUR),), pools=(0,)),
        Queue("any", trace_queues=(2,), pools=(0,)),
        Queue("other", trace_queues=(3,), pools=(1,)),
    )
    jobs = (
        job(0, 0, 5 * HOUR, 2, trace_queue=2),
        job(1, 0, HOUR, 4, trace_queue=1),
        job(2, 0, 9 * HOUR, 2, trace_queue=2),
        job(3, 3 * HOUR, HOUR, 1, trace_queue=3),
    )
    site = Site(8, EASY, pools, queues)
    assert site_starts(site, *jobs) == [0, 24 * HOUR, 3 * HOUR, 3 * HOUR]
