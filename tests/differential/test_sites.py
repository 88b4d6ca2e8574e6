"""The core against the reference simulator on sites: queues, pools, limits, calendar.

Examples are the same in every run. SLOTWISE_EXAMPLES=5000 draws 5,000 new ones per test.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference.examples import hurried
from reference.policy import Policy
from reference.sites import Pool
from reference.sites.comparison import assert_core_agrees
from reference.sites.crowds import crowd_on_a_site
from reference.sites.drawing import BACKFILLS, FEATURES, SiteCase, site_cases
from reference.workloads import crowd

HURRIED = hurried(40)
READ_NO_ESTIMATES = ("none", "first-fit")
TOGETHER = (
    ("pools", "queues"),
    ("queues", "limits"),
    ("limits", "dependencies"),
    ("pools", "starvation", "limits"),
    ("thresholds", "starvation"),
    ("spanning",),
    ("spanning", "starvation", "limits"),
    ("hours", "limits"),
    ("pools", "outages"),
    ("queues", "crashes"),
    ("spanning", "outages", "crashes"),
    ("pools", "reservations"),
    ("queues", "limits", "reservations", "outages"),
    ("named",),
    ("queues", "limits", "named", "dependencies"),
)


@pytest.mark.parametrize("features", TOGETHER, ids="-".join)
@HURRIED
@given(data=st.data())
def test_core_agrees_with_the_oracle(features: tuple[str, ...], data: st.DataObject) -> None:
    assert_core_agrees(data.draw(site_cases(*features)))


@settings(HURRIED, max_examples=3 * HURRIED.max_examples)
@given(data=st.data())
def test_core_agrees_on_any_site(data: st.DataObject) -> None:
    features = data.draw(st.lists(st.sampled_from(FEATURES), unique=True))
    assert_core_agrees(data.draw(site_cases(*features)))


@HURRIED
@given(case=site_cases(passes="per-instant"))
def test_one_pool_of_all_processors_is_the_plain_machine_on_the_oracle(case: SiteCase) -> None:
    pool = Pool("all", case.site.processors)
    assert_core_agrees(replace(case, site=replace(case.site, pools=(pool,))))


@pytest.mark.parametrize("passes", ["per-instant", "per-event", "30s"])
@pytest.mark.parametrize("order", ["fcfs", "saf", "wfp3", "priority"])
@pytest.mark.parametrize("backfill", BACKFILLS)
def test_one_pool_of_all_processors_is_the_plain_machine(
    backfill: str, order: str, passes: str
) -> None:
    """Compare two planners of the core: the one for sites and the one for plain machines."""
    names = ["requested", "user-history", "exact"]
    for seed, estimates in enumerate(names if backfill not in READ_NO_ESTIMATES else [None]):
        workload = crowd(seed)
        given = {"depth": 3 if backfill == "depth" else None, "estimates": estimates}
        read = {name: value for name, value in given.items() if value is not None}
        policy = sw.Policy(order=order, backfill=backfill, passes=passes, **read)
        plain = sw.Site(sw.Processors(workload.processors), policy)
        pooled = plain.replace(pools=[sw.Pool("all", workload.processors)])
        one, other = (sw.simulate(workload.trace(), site) for site in (plain, pooled))
        for name in ("start", "end", "state", "backfilled"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("order", ["fcfs", "sjf", "priority"])
def test_core_agrees_in_a_crowd(backfill: str, order: str) -> None:
    assert_core_agrees(crowd_on_a_site(5, Policy(order=order, backfill=backfill, depth=3)))
