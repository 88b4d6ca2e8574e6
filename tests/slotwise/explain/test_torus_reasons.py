"""Free nodes that are not consecutive, as a reason for waiting on a torus."""

from __future__ import annotations

import pytest

import slotwise as sw


@pytest.mark.parametrize("backfill", ["none", "easy", "conservative"])
def test_free_nodes_apart_are_a_reason_of_their_own(backfill: str) -> None:
    """Jobs on nodes 1, 3 and 5 in a row of 6 leave nodes 0, 2 and 4 free from 10 to 50."""
    trace = sw.Trace.from_columns(
        [0, 0, 0, 0, 0, 0, 1], [10, 50, 10, 50, 10, 50, 5], [1, 1, 1, 1, 1, 1, 3]
    )
    policy = sw.Policy(backfill=backfill, allocation="contiguous")
    result = sw.simulate(trace, sw.Site(machine=sw.Torus((6,), order="row"), policy=policy))
    assert result.start.tolist() == [0, 0, 0, 0, 0, 0, 50]
    assert result.explain(7).seconds == {"processors": 9, "apart": 40}


def test_a_job_with_an_interval_waits_for_the_job_before_it() -> None:
    """Without backfill, job 3, on one node, waits for job 2, although node 1 is free."""
    trace = sw.Trace.from_columns([0, 1, 2], [10, 5, 5], [1, 2, 1])
    policy = sw.Policy(backfill="none", allocation="contiguous")
    result = sw.simulate(trace, sw.Site(machine=sw.Torus((2,), order="row"), policy=policy))
    # Job 2 takes both nodes from 10 to 15.
    assert result.explain(3).seconds == {"order": 8, "processors": 5}


def test_processors_per_node_round_up() -> None:
    """A job on 3 processors needs two 2-processor nodes; nodes 0 and 2 are free from 10 to 50."""
    trace = sw.Trace.from_columns([0, 0, 0, 1], [10, 50, 10, 5], [2, 2, 2, 3])
    site = sw.Site(
        machine=sw.Torus((3,), order="row", processors_per_node=2),
        policy=sw.Policy(allocation="contiguous"),
    )
    assert sw.simulate(trace, site).explain(4).seconds == {"processors": 9, "apart": 40}
