"""Crashes, the remaining work of interrupted jobs, and refunds to users, by example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference import Policy
from reference.sites import Attempt, Crashes, Interruption, Outage, Site
from reference.sites.by_hand import EASY, job
from reference.sites.values import COMPLETED, INTERRUPTED, KILLED

ReplaySite = Callable[..., Any]
HOUR = 3600


def site(crashes: Crashes, interruption: Interruption | None = None) -> Site:
    return Site(10, EASY, crashes=crashes, interruption=interruption or Interruption())


def test_a_crash_ends_every_job_and_all_wait_again_in_their_order(
    replay_site: ReplaySite,
) -> None:
    # Jobs 0 and 1 are running, and job 2 is waiting for 8 processors. When the machine crashes at
    # 10, jobs 0 and 1 return to the queue with their old submit times. So they precede job 2 and
    # start again immediately.
    jobs = [job(0, 0, 20, 4), job(1, 1, 20, 3), job(2, 2, 5, 8)]
    outcomes, attempts = replay_site(site(Crashes((10,))), *jobs)
    assert [outcome.start for outcome in outcomes] == [10, 10, 30]
    assert [outcome.wait for outcome in outcomes] == [0, 0, 28]
    assert [(row.job, row.reason, row.lost) for row in attempts] == [
        (0, "crash", 40),
        (0, "completed", 0),
        (1, "crash", 27),
        (1, "completed", 0),
        (2, "completed", 0),
    ]


def test_nothing_runs_until_the_repair_is_over(replay_site: ReplaySite) -> None:
    # The machine crashes at 10 and its repair takes 7 s; a job that arrives at 12 waits too.
    outcomes, _ = replay_site(site(Crashes((10,), repair=7)), job(0, 0, 20, 4), job(1, 12, 1, 1))
    assert [outcome.start for outcome in outcomes] == [17, 17]


def test_no_plan_knows_of_a_crash_beforehand(replay_site: ReplaySite) -> None:
    outcomes, _ = replay_site(site(Crashes((10,), repair=7)), job(0, 9, 5, 1))
    assert outcomes[0][:3] == (17, 22, 17 - 9 - 1)


def test_a_crash_during_a_repair_makes_it_longer(replay_site: ReplaySite) -> None:
    outcomes, _ = replay_site(site(Crashes((10, 15), repair=7)), job(0, 11, 5, 1))
    assert outcomes[0].start == 22


def test_an_interrupted_job_stays_so_if_it_is_not_queued_again(replay_site: ReplaySite) -> None:
    outcomes, attempts = replay_site(
        site(Crashes((10,)), Interruption("never")), job(0, 3, 20, 2), job(1, 11, 1, 10)
    )
    assert outcomes[0][:4] == (3, 10, 0, INTERRUPTED)
    assert outcomes[1].start == 11
    assert attempts[0] == Attempt(0, 1, 0, 3, 10, "crash", 14, 0)


def test_a_job_goes_on_from_its_last_checkpoint(replay_site: ReplaySite) -> None:
    # 25 s of work with a checkpoint of 2 s every 10 s takes 29 s. The checkpoint completed at 12
    # has saved 10 s when the machine crashes at 13. The remaining 15 + 2 = 17 s run from 13 to 30.
    # The crash loses 13 - 10 = 3 s on 2 processors.
    rule = Interruption("from-checkpoint", checkpoint_every=10, checkpoint_cost=2)
    outcomes, attempts = replay_site(site(Crashes((13,)), rule), job(0, 0, 25, 2, asked=40))
    assert outcomes[0][:4] == (13, 30, 0, COMPLETED)
    assert [(row.start, row.end, row.lost) for row in attempts] == [(0, 13, 6), (13, 30, 0)]


def test_what_two_checkpoints_saved_adds_up(replay_site: ReplaySite) -> None:
    # The job has 30 s of work, and writes a checkpoint every 10 s, which takes no time. By 15, it
    # has saved 10 s. The second attempt starts at 15 with 20 s left, saves 10 s more by 25 and is
    # killed at 29; the last attempt runs 10 s.
    rule = Interruption("from-checkpoint", checkpoint_every=10)
    _, attempts = replay_site(site(Crashes((15, 29)), rule), job(0, 0, 30, 1))
    assert [(row.start, row.end, row.lost) for row in attempts] == [
        (0, 15, 5),
        (15, 29, 4),
        (29, 39, 0),
    ]


def test_the_one_checkpoint_is_written_once(replay_site: ReplaySite) -> None:
    # A job of 30 s writes one checkpoint, after 12 s of work; this takes 3 s. The checkpoint is
    # complete before the machine crashes at 20. The job then runs its remaining 18 s without
    # another checkpoint. After the crash at 30, it repeats these 18 s.
    rule = Interruption("from-checkpoint", checkpoint_at=12, checkpoint_cost=3)
    _, attempts = replay_site(site(Crashes((20, 30)), rule), job(0, 0, 30, 1, asked=50))
    assert [(row.start, row.end, row.lost) for row in attempts] == [
        (0, 20, 8),
        (20, 30, 10),
        (30, 48, 0),
    ]


def test_checkpoints_count_on_the_requested_time(replay_site: ReplaySite) -> None:
    # With or without a crash, the job would need 25 + 2 · 2 = 29 s, but it requests only 27 s.
    rule = Interruption("from-checkpoint", checkpoint_every=10, checkpoint_cost=2)
    outcomes, _ = replay_site(site(Crashes((90,)), rule), job(0, 0, 25, 1, asked=27))
    assert outcomes[0][:4] == (0, 27, 0, KILLED)


@pytest.mark.parametrize(
    ("refund", "given_back"),
    [(0, 0), (4, 12), (10, 30), (15, 30)],
)
def test_a_refund_is_at_most_what_the_attempt_took(
    replay_site: ReplaySite, refund: int, given_back: int
) -> None:
    # The first attempt uses 3 processors for 10 s.
    rule = Interruption(refund=refund)
    _, attempts = replay_site(site(Crashes((10,)), rule), job(0, 0, 20, 3))
    assert [(row.lost, row.refunded) for row in attempts] == [(30, given_back), (0, 0)]


# An example from the thesis on Kraken's priority formula, "Investigation of Refund Policy": a job
# of t_end = 10 h is charged for the time of both attempts, less a refund of up to six hours. A
# checkpoint takes half an hour.
@pytest.mark.parametrize(
    ("crash", "checkpoint_ends", "charged"),
    [
        pytest.param(4, None, 10, id="before six hours: t_end"),
        pytest.param(8, None, 12, id="equation 7: t_end + (8 - 6)"),
        pytest.param(4, 6, 10.5, id="before the checkpoint: t_end + t_check"),
        pytest.param(8, 6, 6.5, id="equation 8: 8 + t_end + t_check - 12"),
        pytest.param(7, 7.5, 11.5, id="before a later checkpoint: 7 - 6 + t_end + t_check"),
        pytest.param(9, 7.5, 6, id="equation 9: 9 + t_end + t_check - (6 + 7.5)"),
        pytest.param(11, 7.5, 10.5, id="after the end: t_end + t_check"),
    ],
)
def test_refunds_are_those_of_the_thesis(
    replay_site: ReplaySite, crash: float, checkpoint_ends: float | None, charged: float
) -> None:
    rule = Interruption(refund=6 * HOUR)
    if checkpoint_ends is not None:
        half = HOUR // 2
        at = int(checkpoint_ends * HOUR) - half
        rule = Interruption("from-checkpoint", None, at, half, 6 * HOUR)
    crashes = Crashes((int(crash * HOUR),))
    _, attempts = replay_site(site(crashes, rule), job(0, 0, 10 * HOUR, 1, asked=20 * HOUR))
    assert sum(row.end - row.start - row.refunded for row in attempts) == charged * HOUR


def test_exact_estimates_are_of_the_work_left(replay_site: ReplaySite) -> None:
    # Job 0 has 20 s of work and writes a checkpoint every 10 s. After the crash at 12, it has 10 s
    # left and runs until 22. Job 1 (10 processors) has its reservation at 22, not 32, so job 2
    # (10 s) starts at 12 and job 3 (11 s) does not.
    rule = Interruption("from-checkpoint", checkpoint_every=10)
    where = Site(
        10,
        Policy(backfill="easy", estimates="exact"),
        crashes=Crashes((12,)),
        interruption=rule,
    )
    jobs = [job(0, 0, 20, 4, asked=90), job(1, 12, 5, 10), job(2, 12, 10, 6), job(3, 12, 11, 6)]
    assert [outcome.start for outcome in replay_site(where, *jobs)[0]] == [12, 22, 12, 27]


def test_exact_estimates_are_of_the_work_left_after_a_checkpoint(
    replay_site: ReplaySite,
) -> None:
    # Job 1 runs from 1 and is killed at 10: 5 of its 12 s are saved. The head (job 2, the largest)
    # has its reservation at 20, when job 0 ends. Job 1 starts again at 11, and its remaining 7 s
    # end before 20.
    where = Site(
        10,
        Policy(order="largest", backfill="easy", estimates="exact"),
        outages=(Outage(10, 1, processors=4, mode="kill"),),
        interruption=Interruption("from-checkpoint", checkpoint_every=5),
    )
    jobs = [job(0, 0, 20, 6), job(1, 1, 12, 4), job(2, 2, 5, 10)]
    outcomes, _ = replay_site(where, *jobs)
    assert [(o.start, o.end) for o in outcomes] == [(0, 20), (11, 18), (20, 25)]


def test_with_a_pass_per_event_the_calendar_comes_after_the_last_completion(
    replay_site: ReplaySite,
) -> None:
    # At 10, job 0 ends, and an outage of the whole machine begins. With a pass after each event,
    # job 1 starts between these two events, and the outage kills it. With one pass per instant, it
    # starts once, at 15.
    jobs = [job(0, 0, 10, 10), job(1, 5, 20, 10)]
    away = (Outage(10, 5, mode="kill"),)
    for passes, tried in (("per-event", [(10, 10, "outage")]), ("per-instant", [])):
        outcomes, attempts = replay_site(Site(10, Policy(passes=passes), outages=away), *jobs)
        assert outcomes[1].start == 15
        rows = [(row.start, row.end, row.reason) for row in attempts if row.job == 1]
        assert rows == [*tried, (15, 35, "completed")]
