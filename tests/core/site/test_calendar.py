"""The calendar yields its changes in order of time, and refuses invalid values."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from slotwise import _core

WEEK = 7 * 86400


def make_site(processors: int = 100) -> _core.Site:
    return _core.Site(processors, _core.Policy())


def make_outage(**values: Any) -> _core.Outage:
    outage = _core.Outage()
    for name, value in values.items():
        setattr(outage, name, value)
    return outage


def make_pool(name: str, processors: int) -> _core.Pool:
    pool = _core.Pool()
    pool.name, pool.processors = name, processors
    return pool


def make_reservation(**values: Any) -> _core.UserReservation:
    reservation = _core.UserReservation()
    reservation.owners.users = values.pop("users", [1])
    for name, value in {"name": "r", "processors": 10, **values}.items():
        setattr(reservation, name, value)
    return reservation


def changes(calendar: _core.Calendar, before: int) -> list[tuple[int, str, int]]:
    taken = []
    while calendar.next() < before:
        taken.append(calendar.pop())
    return taken


def test_a_window_that_comes_once_begins_and_ends_once() -> None:
    site = make_site()
    site.outages = [make_outage(start=50, duration=10)]
    calendar = _core.Calendar(site, 0)
    assert changes(calendar, _core.NEVER) == [(50, "outage_begin", 0), (60, "outage_end", 0)]
    assert calendar.next() == _core.NEVER
    with pytest.raises(IndexError, match="no further change"):
        calendar.pop()


def test_a_periodic_window_recurs_without_end_from_its_start() -> None:
    # Windows of 10 s begin at 100, 130, 160, …
    site = make_site()
    site.outages = [make_outage(start=100, duration=10, every=30)]
    calendar = _core.Calendar(site, 0)
    assert changes(calendar, 170) == [
        (100, "outage_begin", 0),
        (110, "outage_end", 0),
        (130, "outage_begin", 0),
        (140, "outage_end", 0),
        (160, "outage_begin", 0),
    ]
    changes(calendar, 10**6)
    # The 33,330th window after the first begins at 100 + 30 · 33,330 = 1,000,000.
    assert calendar.pop() == (1_000_000, "outage_begin", 0)


@pytest.mark.parametrize(
    ("first_submit", "first"),
    [
        (100, (100, "outage_begin", 0)),
        (109, (100, "outage_begin", 0)),  # At 109, the window has one second left.
        (110, (130, "outage_begin", 0)),  # At 110, the window is over.
        (130, (130, "outage_begin", 0)),
        (145, (160, "outage_begin", 0)),
    ],
)
def test_windows_over_by_the_first_submit_are_left_out(
    first_submit: int, first: tuple[int, str, int]
) -> None:
    site = make_site()
    site.outages = [make_outage(start=100, duration=10, every=30)]
    assert _core.Calendar(site, first_submit).pop() == first


def test_past_absences_count_in_the_shares_of_a_later_outage() -> None:
    # The outage on [8, 20) takes processors that are free at 8. Pool a is unavailable on [5, 9).
    # The window on [0, 4) and the crash at 7 are left out, because they have ended by 8.
    site = make_site()
    site.pools = [make_pool("a", 40), make_pool("b", 60)]
    site.outages = [
        make_outage(start=0, duration=4, every=5, pool=0),
        make_outage(start=8, duration=12, processors=9, mode=_core.Outage.Mode.sudden),
    ]
    site.crashes.times = [7]
    site.crashes.repair = 1
    assert changes(_core.Calendar(site, 15), 10) == [
        (5, "outage_begin", 0),
        (8, "outage_begin", 1),
        (9, "outage_end", 0),
    ]


def test_at_one_instant_ends_come_before_begins_and_crashes_last() -> None:
    site = make_site()
    site.outages = [make_outage(start=40, duration=10), make_outage(start=50, duration=10)]
    site.reservations = [
        make_reservation(start=50, duration=10),
        make_reservation(start=45, duration=5),
    ]
    site.crashes.times = [30, 50]
    site.crashes.repair = 20
    calendar = _core.Calendar(site, 0)
    changes(calendar, 50)
    assert changes(calendar, 51) == [
        (50, "outage_end", 0),
        (50, "repair_end", 0),
        (50, "reservation_end", 1),
        (50, "outage_begin", 1),
        (50, "reservation_begin", 0),
        (50, "crash", 0),
    ]


def test_an_outage_as_long_as_its_period_ends_and_begins_at_one_instant() -> None:
    site = make_site()
    site.outages = [make_outage(start=0, duration=10, every=10)]
    assert changes(_core.Calendar(site, 0), 20) == [
        (0, "outage_begin", 0),
        (10, "outage_end", 0),
        (10, "outage_begin", 0),
    ]


def test_a_copy_continues_independently() -> None:
    site = make_site()
    site.outages = [make_outage(start=5, duration=1, every=2)]
    site.crashes.law = _core.Crashes.Law.exponential
    site.crashes.mean = 3.0
    calendar = _core.Calendar(site, 0)
    changes(calendar, 100)
    other = copy.copy(calendar)
    ahead = changes(calendar, 1000)
    assert len(ahead) > 900  # the outage alone adds 900: it begins and ends every 2 s
    assert changes(other, 1000) == ahead


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"duration": 0}, "outage 'o': duration must be at least 1 s"),
        ({"duration": -1}, "outage 'o': duration must be at least 1 s"),
        (
            {"duration": WEEK + 1, "every": WEEK},
            "outage 'o': duration must not exceed the value of every",
        ),
        ({"every": -5}, "the value of every must be at least 0 s"),
        ({"processors": 101}, "processors must not exceed those of its pool or the machine"),
        ({"processors": -1}, "processors must not exceed those of its pool or the machine"),
        ({"pool": 3}, "its pool must be a pool of the site"),
        ({"start": 2**54}, "start must lie between -2\\^53 and 2\\^53 s"),
    ],
)
def test_impossible_outages_are_refused(values: dict[str, Any], message: str) -> None:
    site = make_site()
    site.outages = [make_outage(**{"name": "o", "start": 0, "duration": 10, **values})]
    with pytest.raises(ValueError, match=message):
        _core.check_calendar(site)


def test_an_outage_larger_than_its_pool_is_refused() -> None:
    site = make_site()
    pool = _core.Pool()
    pool.name, pool.processors = "thin", 40
    site.pools = [pool]
    site.outages = [make_outage(duration=10, pool=0, processors=41)]
    with pytest.raises(ValueError, match="processors must not exceed those of its pool"):
        _core.check_calendar(site)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"processors": 0}, "reservation 'r': processors must be at least 1"),
        ({"users": []}, "it must list users, groups, accounts or qualities of service"),
        ({"duration": 0}, "duration must be at least 1 s"),
        ({"processors": 101}, "processors must not exceed those of its pool or the machine"),
    ],
)
def test_impossible_reservations_are_refused(values: dict[str, Any], message: str) -> None:
    site = make_site()
    site.reservations = [make_reservation(**{"start": 0, "duration": 10, **values})]
    with pytest.raises(ValueError, match=message):
        _core.check_calendar(site)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"times": [1], "law": "exponential", "mean": 5.0}, "times and law must not both be set"),
        ({"law": "exponential", "mean": 0.0}, "mean must be above 0 s"),
        ({"law": "weibull", "mean": float("nan")}, "mean must be above 0 s"),
        ({"law": "weibull", "mean": 5.0, "shape": 0.0}, "shape must be above 0"),
        ({"times": [1], "repair": -1}, "repair must be at least 0 s"),
    ],
)
def test_impossible_crashes_are_refused(values: dict[str, Any], message: str) -> None:
    site = make_site()
    for name, value in values.items():
        given = getattr(_core.Crashes.Law, value) if name == "law" else value
        setattr(site.crashes, name, given)
    with pytest.raises(ValueError, match=message):
        _core.check_calendar(site)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"checkpoint_every": 5, "checkpoint_at": 5}, "must not both be set"),
        ({"checkpoint_every": 5, "requeue": "never"}, "must be used together"),
        ({}, "must be used together"),
        (
            {"requeue": "from_start", "checkpoint_cost": 5},
            "checkpoint_cost must not be set without checkpoints",
        ),
        ({"requeue": "from_start", "refund": -1}, "a duration must lie between 0"),
    ],
)
def test_interruptions_that_contradict_themselves_are_refused(
    values: dict[str, Any], message: str
) -> None:
    site = make_site()
    site.interruption.requeue = _core.Requeue.from_checkpoint
    for name, value in values.items():
        given = getattr(_core.Requeue, value) if name == "requeue" else value
        setattr(site.interruption, name, given)
    with pytest.raises(ValueError, match=message):
        _core.check_calendar(site)
