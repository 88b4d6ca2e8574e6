"""Limits per account, quality of service and resource, and limits on submitted jobs."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw


def test_submitted_jobs_above_the_limit_are_rejected() -> None:
    # At 2, the user has one job running and one waiting, so the third job is rejected. At 11, the
    # first job has ended, so the fourth is accepted and starts after the second, at 20.
    trace = sw.Trace.from_columns([0, 1, 2, 11], [10] * 4, [1] * 4, user=[7] * 4)
    result = sw.simulate(trace, sw.Site(1, limits=sw.Limits(submitted_per_user=2)))
    assert result.start.tolist() == [0, 10, -1, 20]
    assert result.reject_reason[2] == sw.RejectReason.OVER_SUBMITTED
    assert result.state[2] == sw.State.REJECTED


def test_submitted_jobs_above_the_limit_wait_outside() -> None:
    # The third job is accepted when the first ends at 10, and the fourth when the second ends at
    # 20.
    trace = sw.Trace.from_columns([0, 1, 2, 3], [10] * 4, [1] * 4, user=[7] * 4)
    limits = sw.Limits(submitted_per_user=2, over_submitted="hold")
    result = sw.simulate(trace, sw.Site(1, limits=limits))
    assert result.start.tolist() == [0, 10, 20, 30]
    assert result.wait.tolist() == [0, 9, 18, 27]


def test_a_job_outside_holds_nobody_back() -> None:
    # The machine has 2 processors. User 7 has one job running and one held outside the queue; the
    # job of user 8 starts immediately.
    trace = sw.Trace.from_columns([0, 1, 2], [10] * 3, [1] * 3, user=[7, 7, 8])
    limits = sw.Limits(submitted_per_user=1, over_submitted="hold")
    assert sw.simulate(trace, sw.Site(2, limits=limits)).start.tolist() == [0, 10, 2]


def test_who_depends_on_a_job_turned_away_waits_for_nobody() -> None:
    trace = sw.Trace.from_columns(
        [0, 1, 2], [10] * 3, [1] * 3, user=[7, 7, 8], job_id=[1, 2, 3], preceding_job=[-1, -1, 2]
    )
    site = sw.Site(2, limits=sw.Limits(submitted_per_user=1), dependencies=True)
    assert sw.simulate(trace, site).start.tolist() == [0, -1, 2]


@pytest.mark.parametrize("owner", ["account", "qos"])
def test_running_jobs_of_one_owner_are_limited(owner: str) -> None:
    # Owner 3 runs one job at a time; jobs of unknown owners are not limited.
    columns = {owner: np.array([3, 3, -1, -1], dtype=np.int32)}
    trace = sw.Trace.from_columns([0] * 4, [10] * 4, [1] * 4, **columns)
    limits = sw.Limits(**{f"running_per_{owner}": 1})
    assert sw.simulate(trace, sw.Site(4, limits=limits)).start.tolist() == [0, 10, 0, 0]


def test_a_resource_of_one_user_is_limited() -> None:
    # Each job requests 1 of 4 GPUs. User 1 may have 2 at a time, so the third job starts at 10.
    machine = sw.Nodes([sw.NodeType(count=2, cores=8, gpus=2)])
    demands = sw.Demands([1] * 4, cores=[1] * 4, gpus=[1] * 4)
    trace = sw.Trace.from_columns([0] * 4, [10] * 4, [1] * 4, user=[1, 1, 1, 2])
    site = sw.Site(machine, limits=sw.Limits(per_user={"gpus": 2}))
    assert sw.simulate(trace.with_demands(demands), site).start.tolist() == [0, 0, 10, 0]


def test_nodes_of_one_user_are_limited() -> None:
    # The first job holds both nodes that user 1 may have. The second job would need a third node.
    machine = sw.Nodes([sw.NodeType(count=4, cores=2)])
    demands = sw.Demands([2, 1, 1], cores=[1, 1, 1], per_node=[1, 1, 1])
    trace = sw.Trace.from_columns([0] * 3, [10] * 3, [2, 1, 1], user=[1, 1, 2])
    site = sw.Site(machine, limits=sw.Limits(per_user={"nodes": 2}))
    result = sw.simulate(trace.with_demands(demands), site)
    assert result.start.tolist() == [0, 10, 0]


def test_a_node_fails_alone() -> None:
    # Four nodes run one job each. Each crash interrupts one attempt; at the first crash, the other
    # three jobs continue.
    machine = sw.Nodes([sw.NodeType(count=4, cores=1)])
    trace = sw.Trace.from_columns([0] * 4, [1000] * 4, [1] * 4)
    crashes = sw.Crashes(law="exponential", mean=900, seed=3, repair=5, per_node=True)
    result = sw.simulate(trace, sw.Site(machine, crashes=crashes))
    attempts = result.attempts
    ends = attempts["end"][attempts["reason"] == sw.EndReason.CRASH]
    assert len(ends) > 0
    assert len(np.unique(ends)) == len(ends)
    first = ends.min()
    assert ((attempts["start"] < first) & (attempts["end"] > first)).sum() == 3
