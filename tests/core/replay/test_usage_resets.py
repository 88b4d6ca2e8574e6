"""Usage for the fair share of ``multifactor``: resets on certain dates, and usage without decay."""

from __future__ import annotations

import calendar
from typing import Any

import pytest

import slotwise as sw

PERIODS = ["none", "daily", "weekly", "monthly", "quarterly", "yearly"]


def starts(
    date: tuple[int, int, int] | None, clock: sw.Clock | None = None, **order: Any
) -> list[int]:
    """Replay four jobs of users 1 and 2 on one processor; the day `date` begins at 1000 s."""
    trace = sw.Trace.from_columns(
        submit=[0, 1, 2, 2],
        run_time=[900, 200, 50, 50],
        processors=[1, 1, 1, 1],
        user=[1, 2, 1, 2],
        unix_start_time=calendar.timegm((*date, 0, 0, 0)) - 1000 if date else None,
    )
    policy = sw.Policy(order={"name": "multifactor", "fairshare": 1000, **order}, backfill="easy")
    parts = {"clock": clock} if clock else {}
    return [int(start) for start in sw.simulate(trace, sw.Site(1, policy, **parts)).start]


# User 1 uses 900 s, and then user 2 uses 200 s, from 900 to 1100. Without a reset, user 2 has used
# less at 1100, and job 3 precedes job 2. If the usage until 1000 is cleared, user 1 has used
# nothing, and user 2 has used 100 s.
KEPT, CLEARED = [0, 900, 1150, 1100], [0, 900, 1100, 1150]


@pytest.mark.parametrize(
    ("date", "resets"),
    [
        # The dates with a weekly reset are Sundays.
        ((2023, 1, 3), {"daily"}),
        ((2023, 1, 8), {"daily", "weekly"}),
        ((2023, 2, 1), {"daily", "monthly"}),
        ((2023, 7, 1), {"daily", "monthly", "quarterly"}),
        ((2023, 1, 1), {*PERIODS} - {"none"}),
        ((2024, 2, 29), {"daily"}),
        ((1969, 12, 28), {"daily", "weekly"}),
    ],
)
def test_usage_is_cleared_on_the_first_day_of_a_period(
    date: tuple[int, int, int], resets: set[str]
) -> None:
    if date[0] < 1970:  # a trace cannot start before 1970, but the clock of a site can
        clock = sw.Clock(start="1969-12-27T23:43:20Z")  # 1000 s before midnight
        found = {period: starts(None, clock, usage_reset=period) for period in PERIODS}
    else:
        found = {period: starts(date, usage_reset=period) for period in PERIODS}
    assert found == {period: CLEARED if period in resets else KEPT for period in PERIODS}


def test_the_day_begins_on_the_machines_clock() -> None:
    # One hour east of UTC, the day began 3600 s earlier, before the first job, so no usage is
    # cleared.
    clock = sw.Clock(utc_offset="+01:00")
    assert starts((2023, 1, 3), clock, usage_reset="daily") == KEPT
    assert starts((2023, 1, 3), sw.Clock(utc_offset="+00:00"), usage_reset="daily") == CLEARED


def test_usage_that_does_not_decay_counts_in_full() -> None:
    # With a half-life of 100 s, user 1's 900 s, used until 900, count as 144 · 2^-2 = 36 s at 1100,
    # and user 2's 200 s as 144 · (1 - 2^-2) = 108 s. Without decay they count as 900 and 200 s.
    assert starts(None, half_life=100) == CLEARED
    assert starts(None, half_life=0) == KEPT


def test_a_log_without_a_date_is_refused() -> None:
    with pytest.raises(sw.SiteError) as raised:
        starts(None, usage_reset="weekly")
    told = str(raised.value)
    assert told.startswith("policy.order.usage_reset: clears usage on certain dates, but")
    assert "set [clock] start to the date of its time 0" in told
