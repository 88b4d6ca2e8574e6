"""Jobs that share their nodes only with jobs of the same user: ``exclusive="user"``."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw

TWO = sw.Nodes([sw.NodeType(count=2, cores=4)], "first-fit")


def replay(jobs: list[tuple[int, int, int, str]], cores: list[int], **policy: Any) -> sw.Result:
    """Replay jobs of (submit, run time, user, exclusive), each with `cores` cores on one node."""
    submit, run_time, user, exclusive = (list(column) for column in zip(*jobs, strict=True))
    demands = sw.Demands([1] * len(jobs), cores=cores, exclusive=exclusive)
    trace = sw.Trace.from_columns(submit, run_time, demands.processors, run_time, user=user)
    site = sw.Site(machine=TWO, policy=sw.Policy(**({"backfill": "easy"} | policy)))
    return sw.simulate(trace.with_demands(demands), site)


def nodes(result: sw.Result) -> list[list[int]]:
    return [result.places(row)[0].tolist() for row in range(len(result))]


def test_jobs_of_the_user_share_and_others_do_not() -> None:
    # Job 0 keeps node 0 for user 1, so only job 1, of the same user, joins it there. Jobs 2 and 3,
    # both of user 2, share node 1.
    jobs = [(0, 10, 1, "user"), (0, 10, 1, "user"), (0, 10, 2, "no"), (0, 10, 2, "user")]
    result = replay(jobs, [1, 1, 1, 1])
    assert result.start.tolist() == [0, 0, 0, 0]
    assert nodes(result) == [[0], [0], [1], [1]]


def test_a_job_that_shares_with_any_may_join_its_user_only() -> None:
    # Job 0 keeps node 0 for user 1. Job 1 would share a node with any user: if it belongs to
    # user 1, it joins node 0; if it belongs to user 2, it takes node 1.
    assert nodes(replay([(0, 10, 1, "user"), (0, 10, 1, "no")], [1, 1])) == [[0], [0]]
    assert nodes(replay([(0, 10, 1, "user"), (0, 10, 2, "no")], [1, 1])) == [[0], [1]]


def test_an_exclusive_job_waits_for_the_jobs_of_others() -> None:
    # User 2 has cores on node 0 until 10, user 3 on node 1 until 20. Job 2, which shares nodes only
    # with user 1, starts at 10.
    jobs = [(0, 10, 2, "no"), (0, 20, 3, "no"), (1, 5, 1, "user")]
    result = replay(jobs, [3, 3, 1])
    assert result.start.tolist() == [0, 0, 10]
    assert nodes(result)[2] == [0]


def test_an_unknown_user_shares_with_no_other_job() -> None:
    jobs = [(0, 10, -1, "user"), (0, 10, -1, "user"), (0, 10, -1, "no")]
    result = replay(jobs, [1, 1, 1])
    assert result.start.tolist() == [0, 0, 10]
    assert nodes(result) == [[0], [1], [0]]


@pytest.mark.parametrize("backfill", ["easy", "depth", "replan", "conservative"])
def test_a_reservation_keeps_its_node_from_other_users(backfill: str) -> None:
    # User 2 fills node 0 until 10, user 3 node 1 until 30. Job 2 (2 cores) shares nodes only with
    # user 1, and reserves node 0 at 10. Job 3 of user 2 requests one core for 40 s. Node 0 has
    # enough cores for both, but job 3 waits until job 2 ends at 20. If job 3 belongs to user 1, it
    # starts beside job 2 at 10.
    for user, start in ((2, 20), (1, 10)):
        jobs = [(0, 10, 2, "no"), (0, 30, 3, "no"), (1, 10, 1, "user"), (2, 40, user, "no")]
        assert replay(jobs, [4, 4, 2, 1], backfill=backfill).start.tolist() == [0, 0, 10, start]


def test_stepping_and_snapshots_take_users_alone() -> None:
    jobs = [(0, 10, 2, "no"), (0, 20, 3, "no"), (1, 5, 1, "user"), (2, 5, 1, "user")]
    whole = replay(jobs, [3, 3, 1, 1])
    sim = sw.Simulation(whole.trace, whole.site)
    sim.run(until=5)
    assert sim.queue.exclusive.tolist() == [2, 2]
    again = sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))
    for each in (sim, again):
        each.run()
        assert each.result().start.tolist() == whole.start.tolist()
