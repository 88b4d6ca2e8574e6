"""Bursts of many distinct requests, whose request classes the one-pool planner keeps in sections.

The planner uses sections if there are more than 512 classes of waiting jobs, or more than 48 under
an order that ranks users.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference.policy import Policy
from reference.sites import Limits, Site, SiteJob
from reference.sites.comparison import assert_core_agrees
from reference.sites.drawing import SiteCase

PROCESSORS, DAY = 256, 86_400
FORMULA = {"name": "priority", "queue_time": 5, "expansion": 100, "cores": 1}
ORDERS: tuple[Any, ...] = ("fcfs", "saf", FORMULA, "wfp3", "fairshare")
SITES: dict[str, dict[str, Any]] = {
    "none": {"maintenance": [sw.Maintenance(DAY, 28_800, every=7 * DAY)]},
    # One user submits half of the jobs and often reaches the limit (see section_gates.hpp).
    "users": {"limits": sw.Limits(running_per_user=2)},
    "sizes": {"limits": sw.Limits(processors_per_user=64, processors_per_group=160)},
    "lifted": {"limits": sw.Limits(running_per_user=1, lifted_when_idle=True)},
    "queues": {
        "queues": [
            sw.Queue("short", walltime=(0, "1h"), running_per_user=3),
            sw.Queue("long", hours="18:00-08:00", processors_per_user=100),
        ]
    },
}


def burst(n_jobs: int, n_users: int, seed: int, bursts: int = 1) -> sw.Trace:
    """Draw jobs of many sizes and lengths that arrive within minutes, or in bursts a day apart."""
    draw = np.random.default_rng(seed)
    asked = np.exp(draw.uniform(4, 10, n_jobs)).astype(int)
    user = np.where(draw.random(n_jobs) < 0.5, 0, draw.integers(0, n_users, n_jobs))
    position = np.arange(n_jobs)
    return sw.Trace.from_columns(
        position // 4 + position * bursts // n_jobs * DAY,
        (asked * draw.choice([0.1, 0.6, 1], n_jobs)).astype(int),
        np.exp(draw.uniform(0, 5, n_jobs)).astype(int),
        asked,
        user=user,
        group=user % 7,
        max_processors=PROCESSORS,
    )


def assert_planned_as_pools(trace: sw.Trace, site: sw.Site) -> None:
    """Compare the one-pool planner with the pools planner, which sites with dependencies use."""
    one, other = sw.simulate(trace, site), sw.simulate(trace, site.replace(dependencies=True))
    for name in ("start", "end", "state", "backfilled"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("rules", SITES)
@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_many_classes_are_planned_as_in_pools(order: Any, rules: str) -> None:
    site = sw.Site(
        sw.Processors(PROCESSORS),
        sw.Policy(order=order),
        clock=sw.Clock(start="2001-02-03T00:00:00"),
        **SITES[rules],
    )
    assert_planned_as_pools(burst(1200, 90, seed=len(rules)), site)


@pytest.mark.parametrize("half_life", [1, 60, 3600])
def test_users_are_ranked_anew_after_usage_has_decayed(half_life: int) -> None:
    """Usage decays between bursts, so the planner must not reuse bounds from the day before."""
    order = {"name": "fairshare", "half_life": half_life}
    site = sw.Site(sw.Processors(PROCESSORS), sw.Policy(order=order))
    assert_planned_as_pools(burst(1200, 90, seed=half_life, bursts=6), site)


@pytest.mark.parametrize("seed", range(4))
def test_many_classes_of_users_are_planned_as_by_the_oracle(seed: int) -> None:
    trace = burst(120, 60, seed, bursts=1 + seed % 2)
    columns = ("submit", "run_time", "requested_time", "processors", "user", "group")
    values = zip(*(getattr(trace, name).tolist() for name in columns), strict=True)
    jobs = tuple(SiteJob(position, *each) for position, each in enumerate(values))
    policy = Policy(order={"name": "fairshare", "half_life": 600})
    limits = Limits(running_per_user=3 if seed > 1 else None)
    assert_core_agrees(SiteCase(jobs, Site(PROCESSORS, policy, limits=limits)))
