"""Random sites of one pool, with and without a rule that the fast planner does not support."""

from __future__ import annotations

from collections import Counter

from reference.sites.one_pool_checks import check

DRAWS = 120


def test_drawn_sites_of_one_pool_have_one_schedule_in_every_way() -> None:
    """Compare the one-pool planner with the oracle, the pools planner, and a replay in steps."""
    kinds = Counter(check(seed) for seed in range(DRAWS))
    assert kinds["nothing"] >= DRAWS / 4
    assert len(kinds) > 15
