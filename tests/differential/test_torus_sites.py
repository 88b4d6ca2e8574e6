"""Sites with a torus, on which jobs get consecutive nodes: the core against the oracle."""

from __future__ import annotations

from random import Random

import pytest

from reference.node_sites import NodeJob, NodeQueue, NodeSite, NodeType
from reference.node_sites.comparison import agreed_outcomes, differences
from reference.node_sites.drawing import BACKFILLS, draw_case
from reference.policy import Policy

FEATURES = (
    "queues",
    "limits",
    "hours",
    "dependencies",
    "outages",
    "reservations",
    "recurring",
)
ALLOCATIONS = ("contiguous", "contiguous-best", "contiguous-worst")


@pytest.mark.parametrize("backfill", BACKFILLS)
def test_the_core_agrees_on_a_torus_under_sites(backfill: str) -> None:
    for seed in range(40):
        draw = Random(seed)
        features = [feature for feature in FEATURES if draw.random() < 0.5]
        case = draw_case(draw, *features, backfill=backfill, allocation=draw.choice(ALLOCATIONS))
        assert not differences(case), (seed, case)


@pytest.mark.parametrize("queues", [(), (NodeQueue("all"),)], ids=["plain", "one queue"])
def test_a_reservation_keeps_its_nodes_until_the_pass_ends(queues: tuple[NodeQueue, ...]) -> None:
    # Jobs 0, 2 and 4 have nodes [0, 2), [5, 7) and [9, 18) until 10; jobs 1 and 3 leave [2, 5) and
    # [7, 9) at 1. Job 5 requests five nodes. All nodes are free at 10, so it reserves the first
    # five, [0, 5). Job 6 would be on [2, 5) until 21, so it waits. Job 7 takes node 7 until 21.
    # This makes [8, 18) the largest slot at 10, so job 5 starts there. Job 6 could therefore start
    # at 1 after all, but the pass does not try it again.
    lasting = [(0, 10, 2), (0, 1, 3), (0, 10, 2), (0, 1, 2), (0, 10, 9)]
    jobs = [
        NodeJob(position, submit, run, run, nodes, units=nodes, exclusive="job")
        for position, (submit, run, nodes) in enumerate(
            [*lasting, (1, 50, 5), (1, 20, 3), (1, 20, 1)]
        )
    ]
    policy = Policy(backfill="easy")
    site = NodeSite(
        (NodeType(18, (1,)),), policy=policy, allocation="contiguous-worst", queues=queues
    )
    outcomes = agreed_outcomes(site, *jobs)
    assert [(start, min(nodes)) for start, nodes in outcomes[5:]] == [(10, 8), (10, 0), (1, 7)]
