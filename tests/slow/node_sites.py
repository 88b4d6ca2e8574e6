"""One random site with many jobs on nodes: the core agrees with the oracle and keeps every rule."""

from __future__ import annotations

import random

from reference.node_sites.comparison import differences
from reference.node_sites.drawing import FEATURES, draw_case


def case(seed: int) -> str:
    """Replay the case drawn from a seed; return its backfill policy, or raise AssertionError."""
    chance = random.Random(seed)
    features = [feature for feature in FEATURES if chance.random() < 0.6]
    drawn = draw_case(chance, *features)
    found = differences(drawn)
    if found:
        raise AssertionError("; ".join(found[:2]))
    return drawn.site.policy.backfill
