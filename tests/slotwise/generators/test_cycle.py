"""Cycles of arrival rates over days and weeks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from slotwise.generators.cycle import Cycle, daily_rates

FLAT = (1.0,) * 48


def test_the_daily_rates_are_the_papers_gamma_distribution() -> None:
    # The batch rates follow gamma(6.1271, 5.2740) over the 48 half hours from 5:00 onwards.
    rates = daily_rates(6.1271, 5.2740)
    assert len(rates) == 48
    assert sum(rates) == pytest.approx(48)
    # The mode, (6.1271 - 1) · 5.2740 = 27.04, lies in bucket 27 (the first is bucket 1), which ends
    # at 13:30.
    assert rates.index(max(rates)) == 26
    assert rates.index(min(rates)) == 9  # the rate is lowest from 4:30 to 5:00
    assert min(rates) > 0.1


def test_a_weekend_factor_keeps_the_mean_of_the_week() -> None:
    cycle = Cycle.build(FLAT, 0.25, datetime(2024, 1, 1, tzinfo=UTC))  # a Monday
    hours = [(b - a) / 1800 for a, b in zip(cycle.passed[:-1], cycle.passed[1:], strict=True)]
    assert len(hours) == 7 * 48
    # 5 + 2 · 0.25 days at the weekday rate equal 7 average days, so the rate is 7 / 5.5.
    assert hours[0] == pytest.approx(7 / 5.5)
    assert hours[5 * 48] == hours[-1] == pytest.approx(0.25 * 7 / 5.5)
    assert cycle.passed[-1] == pytest.approx(7 * 86400)


@pytest.mark.parametrize(
    ("weekend", "offset"), [(1.0, 9 * 3600 + 61), (0.5, 2 * 86400 + 9 * 3600 + 61)]
)
def test_the_offset_is_the_time_of_day_or_of_the_week(weekend: float, offset: int) -> None:
    start = datetime(2024, 1, 3, 9, 1, 1, tzinfo=UTC)  # a Wednesday
    assert Cycle.build(FLAT, weekend, start).offset == offset


def test_working_time_adds_whole_cycles_buckets_and_parts() -> None:
    day = (0.5, 1.5) * 24
    cycle = Cycle.build(day, 1.0, datetime(2024, 1, 1, tzinfo=UTC))
    assert cycle.working_time(0) == 0
    assert cycle.working_time(900) == pytest.approx(450)
    assert cycle.working_time(2700) == pytest.approx(900 + 1350)
    assert cycle.working_time(3 * 86400 + 900) == pytest.approx(3 * 86400 + 450)
