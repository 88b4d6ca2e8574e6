"""Consecutive nodes of a torus under queues, limits and a calendar, on small cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import slotwise as sw


def replayed(rows: list[tuple[int, ...]], nodes: int = 10, **parts: Any) -> sw.Result:
    """Replay jobs of (submit, run time, nodes, user), each requesting exactly its run time."""
    submit, run, processors, user = zip(*rows, strict=True)
    policy = {"allocation": "contiguous", **parts.pop("policy", {})}
    per_node = parts.pop("per_node", 1)
    columns = parts.pop("columns", {})
    site = sw.Site(
        sw.Torus((nodes,), order="row", processors_per_node=per_node),
        policy=sw.Policy(**policy),
        **parts,
    )
    log = sw.Trace.from_columns(submit, run, processors, run, user=user, **columns)
    return sw.simulate(log, site)


def placed(result: sw.Result) -> list[tuple[int, list[list[int]]]]:
    return [(int(start), result.nodes(row).tolist()) for row, start in enumerate(result.start)]


def test_a_drain_of_named_nodes_is_avoided_by_jobs_that_would_overlap_it() -> None:
    # Nodes 0 to 3 are down on [50, 60). Job 0 (4 nodes until 100) would still be running there at
    # 50, so it gets [4, 8). Job 1 (4 nodes for 50 s) has ended by 50 and gets [0, 4). Job 2 (3
    # nodes for 60 s) fits neither beside them nor on [0, 3) before 60.
    drain = sw.Outage(50, 10, nodes="[0-3]", mode="drain")
    result = replayed([(0, 100, 4, 1), (0, 50, 4, 1), (0, 60, 3, 1)], outages=[drain])
    assert placed(result) == [(0, [[4, 8]]), (0, [[0, 4]]), (60, [[0, 3]])]


def test_processors_that_are_away_are_those_of_the_last_nodes() -> None:
    # There are 10 nodes of 4 processors, and a drain of 6 processors at 10 takes the last two
    # nodes. A job on 36 processors (9 nodes) for 20 s cannot end by 10, so it starts at 15, after
    # the drain. A job on 8 nodes does not need these two.
    drain = sw.Outage(10, 5, processors=6, mode="drain")
    result = replayed([(0, 20, 36, 1), (0, 15, 32, 1)], per_node=4, outages=[drain])
    assert placed(result) == [(15, [[0, 9]]), (0, [[0, 8]])]


def test_an_outage_that_kills_stops_the_jobs_on_its_nodes_alone() -> None:
    # Node 5 fails at 10. Job 1 on [4, 8) is killed, and starts again on [6, 10), the only slot of 4
    # nodes. Job 0 on [0, 4) continues to run.
    sudden = sw.Outage(10, 20, nodes="5", mode="sudden")
    result = replayed([(0, 100, 4, 1), (0, 40, 4, 1)], outages=[sudden])
    assert placed(result) == [(0, [[0, 4]]), (10, [[6, 10]])]
    assert result.attempts["start"].tolist() == [0, 0, 10]


def test_a_crash_of_one_node_stops_the_job_on_it() -> None:
    crashes = sw.Crashes(law="exponential", mean=300, seed=1, repair=10, per_node=True)
    rows = [(at, 100, 3, 1) for at in range(0, 600, 20)]
    result = replayed(rows, crashes=crashes)
    attempts = result.attempts
    killed = np.flatnonzero(attempts["reason"] == int(sw.EndReason.CRASH))
    assert len(killed) > 3
    # A node crash kills only the job on that node, so no two crashed attempts end at the same
    # instant.
    assert len(set(attempts["end"][killed].tolist())) == len(killed)


def test_nodes_kept_for_a_user_hold_its_jobs_and_no_other() -> None:
    # Nodes 2 to 5 are reserved for user 7 on [10, 110). Job 0 (user 1, 5 nodes for 100 s) finds
    # only 4 other nodes in a row, so it waits until 110. Job 1 (user 7, 3 nodes for 90 s, submitted
    # at 20) starts inside on [2, 5). Job 2 (user 7, 2 nodes for 90 s) finds only node 5 inside, and
    # [0, 2) outside. Job 3 (user 1, 1 node) starts outside on node 6.
    kept = sw.Reservation("r", 10, 100, nodes="[2-5]", users=[7])
    result = replayed(
        [(5, 100, 5, 1), (20, 90, 3, 7), (20, 90, 2, 7), (21, 10, 1, 1)],
        reservations=[kept],
        policy={"backfill": "first-fit"},
    )
    assert placed(result) == [(110, [[0, 5]]), (20, [[2, 5]]), (20, [[0, 2]]), (21, [[6, 7]])]


def test_a_limit_skips_a_job_and_its_nodes_stay_free() -> None:
    # User 1 may run only one job, so job 1 is skipped and gets no reservation. Job 2 takes [4, 9).
    result = replayed(
        [(0, 50, 4, 1), (0, 50, 4, 1), (0, 100, 5, 2)], limits=sw.Limits(running_per_user=1)
    )
    assert placed(result) == [(0, [[0, 4]]), (50, [[0, 4]]), (0, [[4, 9]])]


def test_queues_share_the_torus_in_the_order_of_their_priority() -> None:
    # Jobs 1 and 2 wait until 10. Then job 2 of queue "high" comes first, and gets [0, 6); job 1 (6
    # nodes) follows at 30.
    result = replayed(
        [(0, 10, 10, 1), (1, 20, 6, 1), (2, 20, 6, 1)],
        queues=[sw.Queue("low", trace_queues=[0]), sw.Queue("high", trace_queues=[1], priority=1)],
        columns={"queue": [0, 0, 1]},
    )
    assert placed(result) == [(0, [[0, 10]]), (30, [[0, 6]]), (10, [[0, 6]])]


def test_a_job_waits_for_the_one_it_depends_on() -> None:
    # Job 1 waits until job 0 has ended and 5 s of think time have passed.
    result = replayed(
        [(0, 10, 2, 1), (0, 10, 2, 1)],
        dependencies=True,
        columns={"job_id": [1, 2], "preceding_job": [-1, 1], "think_time": [-1, 5]},
    )
    assert placed(result) == [(0, [[0, 2]]), (15, [[0, 2]])]


@pytest.mark.parametrize("backfill", ["depth", "replan", "conservative"])
def test_several_reservations_are_intervals(backfill: str) -> None:
    # On 10 nodes, job 0 holds [0, 4) until 100, and job 1 holds [4, 8) until 50. Job 2 (5 nodes for
    # 50 s) reserves [4, 9) from 50 to 100. Job 3 (8 nodes for 10 s) reserves [0, 8) from 100 to
    # 110. Job 4 (1 node) fits beside both on node 9, whatever its length.
    rows = [(0, 100, 4, 1), (0, 50, 4, 1), (1, 50, 5, 1), (2, 10, 8, 1), (5, 500, 1, 1)]
    policy = {"backfill": backfill} | ({"depth": 2} if backfill == "depth" else {})
    result = replayed(rows, policy=policy)
    assert placed(result) == [
        (0, [[0, 4]]), (0, [[4, 8]]), (50, [[4, 9]]), (100, [[0, 8]]), (5, [[9, 10]]),
    ]  # fmt: skip


def test_a_job_that_no_gap_holds_is_rejected_with_the_reason() -> None:
    # Nodes 3 to 6 are down for 10 s in every 100 s. A job on 4 nodes for 95 s fits on neither side
    # of them, and no gap of 90 s is long enough. A job on 3 nodes fits on [0, 3), and a job of 90 s
    # fits in a gap.
    drain = sw.Outage(50, 10, nodes="[3-6]", mode="drain", every=100)
    result = replayed([(0, 95, 4, 1), (0, 95, 3, 1), (0, 90, 4, 1)], outages=[drain])
    assert placed(result) == [(-1, []), (0, [[0, 3]]), (60, [[3, 7]])]
    assert result.reject_reason.tolist() == [int(sw.RejectReason.MAINTENANCE), 0, 0]
