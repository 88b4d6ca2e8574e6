"""Conversion of a site for the core: names become positions, and dates become trace seconds."""

from __future__ import annotations

from datetime import datetime

import pytest

import slotwise as sw
from slotwise import _core
from slotwise.replay.to_core import core_site

# 2010-10-11 00:00:00 UTC, a Monday.
MONDAY = 1_286_755_200
DAY = 86400
WEDNESDAY_8 = "2010-10-13T08:00:00"


def trace_of(first_submit: int = 0, unix: int | None = None, zone: str = "") -> sw.Trace:
    lines = [f"; TimeZone: {zone}"] if zone else None
    return sw.Trace.from_columns(
        [first_submit], [10], [1], max_processors=8, unix_start_time=unix, header_lines=lines
    )


def starts_of(site: sw.Site, trace: sw.Trace) -> list[int]:
    return [outage.start for outage in core_site(site, trace, 8).outages]


@pytest.mark.parametrize(
    ("trace", "expected"),
    [
        # Time 0 is Monday midnight UTC: Wednesday 8:00 is two days and eight hours later.
        (trace_of(unix=MONDAY), 2 * DAY + 8 * 3600),
        # Five hours west of UTC, 8:00 comes five hours later.
        (trace_of(unix=MONDAY, zone="-18000"), 2 * DAY + 13 * 3600),
        # If the first submit time is at or after UnixStartTime, times are already Unix seconds.
        (trace_of(first_submit=MONDAY + 60, unix=MONDAY), MONDAY + 2 * DAY + 8 * 3600),
    ],
)
def test_a_date_is_the_second_at_which_the_machines_clock_shows_it(
    trace: sw.Trace, expected: int
) -> None:
    site = sw.Site(8, maintenance=[sw.Maintenance(WEDNESDAY_8, "8h", every="7d")])
    assert starts_of(site, trace) == [expected]


def test_a_site_may_give_the_date_of_time_0() -> None:
    site = sw.Site(8, maintenance=[sw.Maintenance(WEDNESDAY_8, "8h")])
    for clock in (
        sw.Clock("2010-10-11", "-05:00"),  # midnight there
        sw.Clock("2010-10-11T05:00:00+00:00", "-05:00"),
        sw.Clock("2010-10-11T00:00:00-05:00"),
    ):
        assert starts_of(site.replace(clock=clock), trace_of()) == [2 * DAY + 8 * 3600]


def test_the_header_gives_the_date_of_time_0_if_it_can() -> None:
    site = sw.Site(8, maintenance=[sw.Maintenance(WEDNESDAY_8, "8h")], clock=sw.Clock("1999-01-01"))
    assert starts_of(site, trace_of(unix=MONDAY)) == [2 * DAY + 8 * 3600]
    there = site.replace(clock=sw.Clock(utc_offset="-05:00"))
    assert starts_of(there, trace_of(unix=MONDAY)) == [2 * DAY + 13 * 3600]


def test_a_date_with_a_zone_needs_no_offset_and_one_before_the_trace_is_negative() -> None:
    aware = datetime.fromisoformat("2010-10-10T23:00:00-01:00")  # Monday midnight UTC
    site = sw.Site(8, maintenance=[sw.Maintenance(aware, 60), sw.Maintenance("2010-10-10", 60)])
    assert starts_of(site, trace_of(unix=MONDAY)) == [0, -DAY]


def test_midnight_is_that_of_the_machines_clock() -> None:
    site = sw.Site(8, queues=[sw.Queue("q", hours="20:00-08:00")])
    core = core_site(site, trace_of(unix=MONDAY + 3600), 8)  # 1:00, 23 h before midnight
    assert core.midnight == 23 * 3600
    assert [(h.open, h.close) for h in core.queues[0].hours] == [(20 * 3600, 8 * 3600)]
    west = site.replace(clock=sw.Clock(utc_offset="-05:00"))
    assert core_site(west, trace_of(unix=MONDAY), 8).midnight == 5 * 3600


def test_a_calendar_without_any_date_names_every_place_and_the_remedy() -> None:
    site = sw.Site(
        8,
        queues=[sw.Queue("q", hours="20:00-08:00")],
        maintenance=[sw.Maintenance(WEDNESDAY_8, "8h"), sw.Maintenance(500, "8h")],
        crashes=sw.Crashes(times=["2010-10-20"]),
    )
    with pytest.raises(sw.SiteError) as caught:
        sw.simulate(trace_of(), site)
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == [
        "crashes.times[0]",
        "maintenance[0].start",
        "queue[0].hours",
    ]
    assert all("no UnixStartTime" in line and "[clock] start" in line for line in lines)


def test_seconds_of_the_trace_need_no_date() -> None:
    site = sw.Site(8, maintenance=[sw.Maintenance(500, "8h")], crashes=sw.Crashes(times=[9, 4]))
    core = core_site(site, trace_of(), 8)
    assert core.outages[0].start == 500
    assert core.crashes.times == [4, 9]


def test_every_field_of_a_site_reaches_the_core() -> None:
    site = sw.Site(
        8,
        pools=[sw.Pool("a", 4), sw.Pool("c", 3, threshold=1.5)],
        queues=[
            sw.Queue(
                "s", (1, 2), ("1m", "1h"), priority=2, order="sjf", running=3, pools=["c", "a"]
            ),
            sw.Queue("t", trace_queues=[7, 9], starvation="1d", pools=["a"], spanning=True),
        ],
        limits=sw.Limits(processors_in_use=6, lifted_when_idle=True),
        outages=[sw.Outage(5, 6, 2, every=9, mode="kill", pool="c")],
        crashes=sw.Crashes(law="weibull", mean="1d", shape=0.7, seed=5, repair="1h"),
        interruption=sw.Interruption("from-checkpoint", "1h", checkpoint_cost=9, refund="6h"),
        reservations=[sw.Reservation("r", 1, 2, 3, "c", every=4, users=[1], groups=[2, 3])],
        dependencies=True,
    )
    core = core_site(site, trace_of(), 8)
    assert [(p.name, p.processors, p.has_threshold, p.threshold) for p in core.pools] == [
        ("a", 4, False, 0),
        ("c", 3, True, 1.5),
    ]
    first, second = core.queues
    assert (first.min_processors, first.max_processors) == (1, 2)
    assert (first.above_requested_time, first.max_requested_time) == (60, 3600)
    assert (first.priority, first.has_order, first.limits.running) == (2, True, 3)
    assert (first.pools, first.has_ranges, first.starvation) == ([1, 0], True, _core.NEVER)
    assert (second.trace_queues, second.has_ranges, second.starvation) == ([7, 9], False, DAY)
    assert (second.spanning, second.max_processors) == (True, _core.NEVER)
    assert (core.limits.processors, core.limits.running) == (6, _core.NO_LIMIT)
    assert core.limits.lifted_when_idle
    (outage,) = core.outages
    assert (outage.start, outage.duration, outage.every) == (5, 6, 9)
    assert (outage.mode, outage.pool, outage.processors) == (_core.Outage.Mode.kill, 1, 2)
    assert (core.crashes.law, core.crashes.mean) == (_core.Crashes.Law.weibull, DAY)
    assert (core.crashes.shape, core.crashes.seed, core.crashes.repair) == (0.7, 5, 3600)
    assert core.interruption.requeue == _core.Requeue.from_checkpoint
    assert core.interruption.checkpoint_every == 3600
    assert (core.interruption.checkpoint_cost, core.interruption.refund) == (9, 6 * 3600)
    (kept,) = core.reservations
    assert (kept.start, kept.duration, kept.every, kept.pool) == (1, 2, 4, 1)
    assert (kept.processors, kept.owners.users, kept.owners.groups) == (3, [1], [2, 3])
    assert core.dependencies
    assert not core.is_plain


def test_a_queue_without_pools_may_use_all_and_maintenance_takes_all() -> None:
    site = sw.Site(
        8,
        pools=[sw.Pool("a", 4), sw.Pool("b", 4)],
        queues=[sw.Queue("q")],
        maintenance=[sw.Maintenance(5, 6), sw.Maintenance(5, 6, pool="b")],
    )
    core = core_site(site, trace_of(), 8)
    assert core.queues[0].pools == [0, 1]
    assert [(o.name, o.pool, o.processors) for o in core.outages] == [
        ("maintenance[0]", _core.ANY_POOL, 0),
        ("maintenance[1]", 1, 0),
    ]


def test_pools_are_checked_against_the_machine_of_the_header() -> None:
    site = sw.Site(pools=[sw.Pool("a", 9)])
    with pytest.raises(
        sw.SiteError, match="the pools together have 9 processors, but the machine has 8"
    ):
        sw.simulate(trace_of(), site)
