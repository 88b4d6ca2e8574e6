"""Sites whose torus gives jobs consecutive nodes: the core against the oracle, job by job."""

from __future__ import annotations

from random import Random

import pytest

from reference.node_sites.comparison import differences
from reference.node_sites.drawing import BACKFILLS, draw_case

FEATURES = ("queues", "limits", "hours", "dependencies", "outages", "reservations")
ALLOCATIONS = ("contiguous", "contiguous-best", "contiguous-worst")


@pytest.mark.parametrize("backfill", BACKFILLS)
def test_the_core_agrees_on_a_torus_under_sites(backfill: str) -> None:
    for seed in range(40):
        draw = Random(seed)
        features = [feature for feature in FEATURES if draw.random() < 0.5]
        case = draw_case(draw, *features, backfill=backfill, allocation=draw.choice(ALLOCATIONS))
        assert not differences(case), (seed, case)
