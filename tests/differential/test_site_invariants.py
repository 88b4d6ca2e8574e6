"""Checks of site invariants accept the oracle's schedules, and detect schedules that break one."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from reference.invariants import (
    Stays,
    assert_hours_kept,
    assert_limits_kept,
    assert_pools_hold,
    assert_reservations_kept,
    assert_starving_heads_undelayed,
    assert_wide_heads_undelayed,
)
from reference.sites import Limits, Outage, Pool, Queue, Reservation, Site, simulate_site
from reference.sites.by_hand import EASY, job
from reference.sites.calendar import drained_shares, windows
from reference.sites.drawing import SiteCase, site_cases

if TYPE_CHECKING:
    from reference.sites import SiteJob

FOREVER = 10**7
SOME = settings(
    max_examples=60,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
COLUMNS = ("submit", "requested_time", "processors", "user", "group")


def stays_of(jobs: tuple[SiteJob, ...], site: Site, **moved: int) -> Stays:
    """Replay with the oracle; then, for each `start_N` in `moved`, move job N to that start."""
    outcomes, attempts = simulate_site(jobs, site)
    trace = SimpleNamespace(**{name: [getattr(j, name) for j in jobs] for name in COLUMNS})
    rows: list[Any] = []
    for one in attempts:
        start = moved.get(f"start_{one.job}", one.start)
        rows.append(one._replace(start=start, end=start + one.end - one.start))
    columns = {name: [getattr(r, name) for r in rows] for name in ("job", "start", "end", "pool")}
    return Stays.of_attempts(trace, [o.queue for o in outcomes], **columns)


def check(stays: Stays, site: Site) -> None:
    sizes = [pool.processors for pool in site.all_pools]
    away: dict[int, list[tuple[int, int, int]]] = {}
    for outage in site.outages:
        for pool, share in drained_shares(site, outage).items():
            spans = [(*window, share) for window in windows(outage, 0, 500 * outage.duration)]
            away.setdefault(pool, []).extend(spans)
    assert_pools_hold(stays, sizes, away)
    assert_reservations_kept(stays, sizes, site.reservations, FOREVER)
    assert_limits_kept(stays, site)
    assert_hours_kept(stays, site)


@SOME
@given(
    case=site_cases(
        "queues", "limits", "pools", "hours", "thresholds", "spanning", kill_at_limit=True
    )
)
def test_pools_limits_and_hours_hold_on_the_oracle(case: SiteCase) -> None:
    check(stays_of(case.jobs, case.site), case.site)


@SOME
@given(
    case=site_cases(
        "pools", "starvation", kill_at_limit=True, estimates="requested", backfill="easy"
    )
)
def test_starving_heads_are_not_delayed_on_the_oracle(case: SiteCase) -> None:
    assert_starving_heads_undelayed(stays_of(case.jobs, case.site), case.site)


@pytest.mark.parametrize(
    ("site", "message"),
    [
        (Site(4, EASY), "pool 0: 6 > 4 at 2"),
        (Site(4, EASY, outages=(Outage(4, 3, 2),)), "pool 0: 6 > 4 at 2"),
        (Site(9, EASY, limits=Limits(running=1)), "site: running 0: 2 > 1 at 2"),
        (
            Site(9, EASY, queues=(Queue("q", limits=Limits(processors_per_user=5)),)),
            "queue q: processors of user 1: 6 > 5 at 2",
        ),
        (Site(9, EASY, limits=Limits(queued_per_user=1)), "job 2 starts at 2 past 1"),
        (
            Site(8, EASY, reservations=(Reservation("r", 2, 5, 4, users=(7,)),)),
            "reservation r in pool 0: 10 > 8 at 2",
        ),
        (Site(9, EASY, queues=(Queue("q", hours=((0, 2),)),)), "queue q is shut at second 20"),
    ],
)
def test_a_start_that_breaks_a_rule_is_noticed(site: Site, message: str) -> None:
    jobs = (job(0, 0, 10, 3, user=1), job(1, 1, 10, 2, user=1), job(2, 1, 9, 3, user=1))
    unbounded = replace(site, limits=Limits(), queues=(Queue("q"),))
    stays = stays_of(jobs, unbounded, start_0=0, start_1=20, start_2=2)
    with pytest.raises(AssertionError, match=message):
        check(stays, site)


def test_a_start_that_delays_a_starving_head_is_noticed() -> None:
    site = Site(4, EASY, (Pool("a", 4),), (Queue("q", starvation=1),))
    jobs = (job(0, 0, 10, 3), job(1, 1, 5, 4), job(2, 2, 9, 1))
    stays = stays_of(jobs, site)
    assert assert_starving_heads_undelayed(stays, site) == 1  # job 2 waits when job 1 starts at 10
    early = stays_of(jobs, site, start_2=3)
    with pytest.raises(AssertionError, match="at 3 starts in pool 0 delay job 1 from 10 to 12"):
        assert_starving_heads_undelayed(early, site)


def test_a_start_that_delays_a_wide_head_is_noticed() -> None:
    # At 10, job 0 ends. Job 1 needs 6 of the 8 processors. If only job 2 still runs, in pool b, 7
    # processors are free, and job 1 starts. If job 3 also runs in b, only 5 are free, and job 1
    # waits until 22.
    queues = (Queue("narrow", (1, 3)), Queue("wide", (4, None), spanning=True))
    site = Site(8, EASY, (Pool("a", 4), Pool("b", 4)), queues)
    jobs = (job(0, 0, 10, 3), job(1, 1, 5, 6), job(2, 2, 20, 1), job(3, 3, 20, 2))
    trace = SimpleNamespace(**{name: [getattr(j, name) for j in jobs] for name in COLUMNS})

    def starting(*starts: int) -> Stays:
        start = np.array(starts)
        end = start + [each.run_time for each in jobs]
        stays = Stays.of_attempts(trace, [0, 1, 0, 0], range(4), start, end, [0, -1, 1, 1])
        spans = {"job": [1, 1], "start": [starts[1]] * 2, "pool": [0, 1], "processors": [3, 3]}
        return stays.in_pools({name: np.array(column) for name, column in spans.items()})

    assert assert_wide_heads_undelayed(starting(0, 10, 2, 15), site) == 1  # job 1 waits at 2
    with pytest.raises(AssertionError, match="at 3 starts delay job 1 from 10 to 22"):
        assert_wide_heads_undelayed(starting(0, 22, 2, 3), site)
