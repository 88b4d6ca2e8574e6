"""One random site with a pool per queue and a common pool, compared with the oracle."""

from __future__ import annotations

from reference.sites.common_pools import common_pool_case
from reference.sites.comparison import assert_core_agrees


def case(seed: int) -> str:
    """Compare every job's outcome with the oracle's; return the site's backfill policy."""
    drawn = common_pool_case(seed)
    assert_core_agrees(drawn)
    return drawn.site.policy.backfill
