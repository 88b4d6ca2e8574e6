"""Places between the windows a calendar announces."""

from __future__ import annotations

from slotwise import _core


def announced() -> _core.PoolPlan:
    """4 processors, none of them in [10, 15), [20, 25), …"""
    plan = _core.PoolPlan(4)
    plan.announce(start=10, duration=5, every=10, processors=4)
    return plan


def test_a_place_is_found_between_two_windows() -> None:
    assert announced().earliest(duration=10, processors=4, start=0) == 0
    assert announced().earliest(duration=5, processors=4, start=1) == 1
    assert announced().earliest(duration=5, processors=4, start=6) == 15


def test_a_search_for_a_place_that_never_comes_ends() -> None:
    assert announced().earliest(duration=6, processors=4, start=5) == _core.NEVER
