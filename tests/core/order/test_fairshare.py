"""Decaying usage, compared with figures derived in the comments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import slotwise as sw


def starts(half_life: float, **policy: Any) -> list[int]:
    """Return the starts of three jobs that each need the whole machine, which is busy until 200.

    Users 1 and 2 have each used all 4 processors for 100 s: first user 1, then user 2.
    """
    trace = sw.Trace.from_columns(
        [0, 100, 150, 150, 150], [100, 100, 10, 10, 10], [4] * 5, user=[1, 2, 2, 1, 3]
    )
    order = {"name": "fairshare", "half_life": half_life}
    site = sw.Site(sw.Processors(4), sw.Policy(order=order, **policy))
    return sw.simulate(trace, site).start[2:].tolist()


@pytest.mark.parametrize("backfill", ["none", "easy", "conservative", "depth", "first-fit"])
def test_the_user_with_the_least_recent_usage_comes_first(backfill: str) -> None:
    # The half-life is 100 s, and 4 x 100/ln 2 = 577.1. At 200, user 1 has a usage of
    # 577.1 x (1/2 - 1/4) = 144.3 processor-seconds, user 2 has twice that, and user 3 has none.
    # Conservative backfilling makes its promises at 150, when user 1 has
    # 577.1 x 2^-0.5 x 1/2 = 204.0 and user 2 has 577.1 x (1 - 2^-0.5) = 169.0.
    expected = [210, 220, 200] if backfill == "conservative" else [220, 210, 200]
    assert starts(100, backfill=backfill) == expected


def test_usage_is_forgotten_by_halves() -> None:
    """User 1 held the machine for a day, a week ago; user 2 has just held it for an hour."""
    day, hour = 86400, 3600
    submit = [0, 8 * day, 8 * day + 60, 8 * day + 60]
    trace = sw.Trace.from_columns(
        submit, [day, hour, 60, 60], [8] * 4, user=[1, 2, 1, 2], max_processors=8
    )

    def first_user(half_life: float) -> int:
        order = {"name": "fairshare", "half_life": half_life}
        start = sw.simulate(trace, sw.Site(policy=sw.Policy(order=order))).start
        return 1 if start[2] < start[3] else 2

    # With a half-life of h, a day of usage a week ago counts as 24 hours x 2^(-7 days/h). That is
    # less than one hour if h < 7/log2(24) = 1.53 days.
    assert 7 / math.log2(24) == pytest.approx(1.527, abs=1e-3)
    assert first_user(1.4 * day) == 1
    assert first_user(1.7 * day) == 2


def test_usage_counts_as_long_as_a_double_holds_it() -> None:
    # User 1 held 4 processors for 100 s, 1,050 half-lives ago. This usage has decayed to
    # 4 x 10/ln 2 x 2^-1050, which is less than any normal double. User 2 has used nothing.
    trace = sw.Trace.from_columns([0, 10600, 10600], [100, 5, 5], [4] * 3, user=[1, 1, 2])
    order = {"name": "fairshare", "half_life": 10}
    site = sw.Site(sw.Processors(4), sw.Policy(order=order))
    assert sw.simulate(trace, site).start.tolist() == [0, 10605, 10600]


def test_jobs_of_unknown_users_count_as_one_users() -> None:
    trace = sw.Trace.from_columns([0, 10, 20], [100, 5, 5], [4] * 3, user=[-1, -1, 1])
    site = sw.Site(sw.Processors(4), sw.Policy(order="fairshare"))
    assert sw.simulate(trace, site).start.tolist() == [0, 105, 100]


def test_without_users_it_is_first_come_first_served() -> None:
    rng = np.random.default_rng(1)
    trace = sw.Trace.from_columns(
        np.cumsum(rng.integers(0, 30, 300)), rng.integers(1, 500, 300), rng.integers(1, 9, 300)
    )
    fair = sw.simulate(trace, sw.Site(sw.Processors(16), sw.Policy(order="fairshare")))
    assert np.array_equal(fair.start, sw.simulate(trace, sw.Site(sw.Processors(16))).start)


def test_a_half_life_is_at_least_a_second() -> None:
    words = "order.half_life: 0: the half-life of past usage in seconds must be a number"
    with pytest.raises(sw.SiteError, match=words):
        sw.Policy(order={"name": "fairshare", "half_life": 0})
