"""Cost per job at several depths of the queue, as ``benchmarks/growth.py`` measures it."""

from __future__ import annotations

import pytest

import growth
import slotwise as sw


def test_most_jobs_of_a_burst_wait_when_the_last_one_arrives() -> None:
    some = growth.burst(growth.year(), 5000)
    result = sw.simulate(some, sw.Site(sw.Processors(growth.site_costs.PROCESSORS)))
    assert (result.start > some.submit[-1]).mean() > 0.8


@pytest.mark.parametrize("name", growth.names())
def test_every_site_is_measured(name: str) -> None:
    found = growth.measured(name, (20, 40), limit=60)
    assert all(each is not None and each > 0 for each in found)


def test_a_replay_beyond_the_limit_is_left_out() -> None:
    found = growth.measured("plain easy", (20, 40), limit=0)
    assert found[1] is None
    assert growth.line("plain easy", found).endswith("| – | – |")


def test_growth_is_the_ratio_of_the_last_two_depths() -> None:
    assert growth.line("site", [1.0, 2.0, 6.0]) == "| site | 1.00 | 2.00 | 6.00 | 3.0 |"
