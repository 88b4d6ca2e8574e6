"""Crowded sites with a common pool, compared with the oracle and the planner's general path."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import slotwise as sw
from reference.sites.common_pools import common_pool_case, two_clusters_case
from reference.sites.comparison import assert_core_agrees, slotwise_site, trace_of

EXAMPLES = 40
HYBRID = Path(__file__).parents[2] / "examples" / "sites" / "hybrid.toml"
NEVER_FULL = 10**6


def general(site: sw.Site) -> sw.Site:
    """Add a limit that is never reached: each pool is then swept at every event."""
    return site.replace(limits=sw.Limits(running=NEVER_FULL))


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_core_agrees_with_the_oracle_on_a_common_pool(seed: int) -> None:
    assert_core_agrees(common_pool_case(seed))


def test_pools_that_are_not_due_have_the_schedule_of_the_general_path() -> None:
    compared = 0
    for seed in range(3 * EXAMPLES):
        case = common_pool_case(seed, n_jobs=200)
        site = slotwise_site(case.site)
        if site.limits != sw.Limits():
            continue
        fast, slow = (sw.simulate(trace_of(case), each) for each in (site, general(site)))
        np.testing.assert_array_equal(fast.start, slow.start, f"seed {seed}")
        np.testing.assert_array_equal(fast.pool, slow.pool, f"seed {seed}")
        compared += 1
    assert compared > EXAMPLES


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_core_agrees_with_the_oracle_on_two_groups_of_pools(seed: int) -> None:
    assert_core_agrees(two_clusters_case(seed))


def test_two_groups_of_pools_have_the_schedule_of_the_general_path() -> None:
    for seed in range(3 * EXAMPLES):
        case = two_clusters_case(seed, n_jobs=200)
        trace, site = trace_of(case), slotwise_site(case.site)
        fast, slow = (sw.simulate(trace, each) for each in (site, general(site)))
        np.testing.assert_array_equal(fast.start, slow.start, f"seed {seed}")
        np.testing.assert_array_equal(fast.pool, slow.pool, f"seed {seed}")
        np.testing.assert_array_equal(fast.backfilled, slow.backfilled, f"seed {seed}")


def test_the_hybrid_example_has_the_schedule_of_the_general_path() -> None:
    trace, site = sw.generate("serc", seed=2)[:6000], sw.Site.from_toml(HYBRID)
    fast, slow = (sw.simulate(trace, each) for each in (site, general(site)))
    np.testing.assert_array_equal(fast.start, slow.start)
    np.testing.assert_array_equal(fast.pool, slow.pool)
    assert np.unique(fast.pool[fast.pool >= 0]).size > 4


def test_a_fence_has_the_schedule_of_a_profile() -> None:
    """If a second spanning queue exists, even without jobs, the pools are planned with profiles."""
    log, site = sw.generate("serc", seed=1)[:3000], sw.Site.from_toml(HYBRID)
    crowd = sw.Trace.from_columns(
        log.submit // 2, 2 * log.run_time, log.processors, log.requested_time
    )
    wide = next(queue for queue in site.queues if queue.spanning)
    unused = sw.Queue("unused", pools=wide.pools, spanning=True, trace_queues=(99,))
    stepped = site.replace(queues=[*site.queues, unused])
    for policy in (sw.Policy(), sw.Policy(kill_at_limit=False)):
        one, other = (sw.simulate(crowd, each.replace(policy=policy)) for each in (site, stepped))
        np.testing.assert_array_equal(one.start, other.start)
        np.testing.assert_array_equal(one.pool, other.pool)
