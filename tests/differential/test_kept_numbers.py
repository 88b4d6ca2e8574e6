"""Reservations of a node count, not of specific nodes, hold jobs back only while they exist.

Comments derive every start; each schedule is also checked against the rules of the oracle.
"""

from __future__ import annotations

import slotwise as sw

NODES = sw.Nodes([sw.NodeType(count=2, cores=4)])


def starts(backfill: str, jobs: list[tuple[int, int, int, int, int]]) -> list[int]:
    """Replay (submit, run time, request, units, cores per unit) rows on two nodes of 4 cores."""
    submit, run_time, request, units, cores = zip(*jobs, strict=True)
    trace = sw.Trace.from_columns(
        submit, run_time, [u * c for u, c in zip(units, cores, strict=True)], request
    ).with_demands(sw.Demands(list(units), cores=list(cores)))
    result = sw.simulate(trace, sw.Site(machine=NODES, policy=sw.Policy(backfill=backfill)))
    return [int(start) for start in result.start]


def test_a_unit_refused_behind_a_kept_number_starts_when_that_is_gone() -> None:
    # The second job reserves both nodes at 100. A job on two cores for 200 s or 300 s would still
    # occupy one node at 100; a job of 50 s ends earlier. The first job ends at 10. The reservation
    # moves to 53, because two cores are busy until 53, and the jobs of 200 s and 300 s are still
    # refused. They start at 103.
    jobs = [
        (0, 10, 100, 1, 4),
        (1, 50, 50, 2, 4),
        (2, 200, 200, 1, 2),
        (3, 50, 50, 1, 2),
        (4, 300, 300, 1, 2),
    ]
    assert starts("easy", jobs) == [0, 53, 103, 3, 103]


def test_a_shorter_unit_is_tried_after_a_longer_one_was_refused() -> None:
    # Both nodes are reserved at 100. The job of 200 s is refused at 2, and so is the job of 98 s at
    # 3, because it would end at 101. The job of 96 s starts at 4, because it would end at 100. The
    # two refused jobs start at 150.
    jobs = [
        (0, 100, 100, 1, 4),
        (1, 50, 50, 2, 4),
        (2, 200, 200, 1, 2),
        (3, 98, 98, 1, 2),
        (4, 96, 96, 1, 2),
    ]
    assert starts("easy", jobs) == [0, 100, 150, 150, 4]


def test_promises_of_nodes_and_of_cores_move_as_room_opens() -> None:
    # The first promises are: two nodes at 100, one node at 150, and two cores for 130 s at 150. At
    # 20, the first job ends early. Two cores are busy until 62, so the two nodes are now promised
    # from 62 to 112. The time before 62 is too short for the other two jobs. Each is promised a
    # start at 112, on a node of its own.
    jobs = [
        (0, 20, 100, 1, 4),
        (1, 50, 50, 2, 4),
        (2, 60, 60, 1, 2),
        (3, 120, 120, 1, 4),
        (4, 130, 130, 1, 2),
    ]
    assert starts("conservative", jobs) == [0, 62, 2, 112, 112]


def test_promises_move_only_as_far_as_a_running_job_lets_them() -> None:
    # Two nodes are promised at 100, and one node for 110 s at 150, because a node is free for only
    # 98 s before 100. A node is free on [3, 63), so the job of 60 s starts. At 60, the first job
    # ends early. The two nodes are now promised from 63, when the job of 60 s ends. The other job
    # is promised a start at 113.
    jobs = [
        (0, 60, 100, 1, 4),
        (1, 50, 50, 2, 4),
        (2, 110, 110, 1, 4),
        (3, 60, 60, 1, 4),
    ]
    assert starts("conservative", jobs) == [0, 63, 113, 3]


def test_a_unit_may_use_the_node_that_the_kept_number_cannot() -> None:
    # Two cores of the first node are busy until 100, and three cores of the second until 200. The
    # third job, on a whole node, reserves one at 100; only the first node can be idle then. The
    # fourth job, on two cores, fits only on the first node, and would still occupy it at 100. So it
    # starts at 150, after the third job. The last job, on one core, fits on the second node, which
    # is not idle at 100 anyway, and starts at 4.
    jobs = [
        (0, 100, 100, 1, 2),
        (0, 200, 200, 1, 3),
        (1, 50, 50, 1, 4),
        (3, 300, 300, 1, 2),
        (4, 300, 300, 1, 1),
    ]
    for backfill in ("easy", "conservative"):
        assert starts(backfill, jobs) == [0, 0, 100, 150, 4]
