"""The search for starts that fit between the announced windows of a calendar."""

from __future__ import annotations

import pytest

import slotwise as sw
from slotwise import _core


def announced() -> _core.PoolPlan:
    """Make a plan of 4 processors, all of them unavailable on [10, 15), [20, 25), …"""
    plan = _core.PoolPlan(4)
    plan.announce(start=10, duration=5, every=10, processors=4)
    return plan


def test_a_place_is_found_between_two_windows() -> None:
    assert announced().earliest(duration=10, processors=4, start=0) == 0
    assert announced().earliest(duration=5, processors=4, start=1) == 1
    assert announced().earliest(duration=5, processors=4, start=6) == 15


def test_a_search_for_a_place_that_never_comes_ends() -> None:
    assert announced().earliest(duration=6, processors=4, start=5) == _core.NEVER


def test_a_place_past_millions_of_windows_is_refused() -> None:
    # A window begins every 10 s, so a job of 40,000,021 s spans over 4,000,000 of them.
    plan = _core.PoolPlan(8)
    plan.announce(start=10, duration=5, every=10, processors=4)
    with pytest.raises(
        sw.ReplayError, match="as far ahead as second 40000021, but more than 4000000"
    ):
        plan.earliest(duration=40_000_021, processors=4, start=0)
    assert plan.earliest(duration=100, processors=4, start=0) == 0
