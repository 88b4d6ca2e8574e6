"""Calendars on sites with nodes for which the core and the oracle once differed.

The comments derive every start.
"""

from __future__ import annotations

from typing import Any

import slotwise as sw
from reference.node_sites import NodeJob, NodeOutage, NodeQueue, NodeReservation, NodeSite, NodeType
from reference.node_sites.comparison import agreed_outcomes
from reference.policy import Policy

SIX = (NodeType(6, (1,)),)
FOUR_CORES = (NodeType(4, (4,)),)


def site(types: tuple[NodeType, ...], placement: str = "first-fit", **given: Any) -> NodeSite:
    return NodeSite(types, policy=Policy(backfill="easy"), placement=placement, **given)


def job(position: int, submit: int, run: int, units: int, cores: int = 1, **more: Any) -> NodeJob:
    """Make a job that requests its run time."""
    return NodeJob(position, submit, run, run, units * cores, units=units, each=(cores,), **more)


def queue_on(*nodes: int) -> NodeQueue:
    return NodeQueue("some", nodes=frozenset(nodes))


def kept_later(*nodes: int) -> NodeReservation:
    """Reserve nodes once all jobs have ended, from 50 onwards, only to make these nodes a class."""
    return NodeReservation(50, 10, frozenset(nodes), (9,))


def test_nodes_away_by_name_are_not_idle_for_an_outage_by_number() -> None:
    # Nodes 0 to 3 are down until 20. Jobs 0 and 1 have nodes 4 and 5 from 1 onwards. At 5, an
    # outage takes one node until 20. No node is idle, so it kills job 1, which is later in the
    # trace. Only one of nodes 4 and 5 is left; job 1 starts there after job 0, at 11.
    outages = (
        NodeOutage(0, 20, frozenset({0, 1, 2, 3}), "sudden"),
        NodeOutage(5, 15, None, "sudden", count=1, kind=0),
    )
    given = site(SIX, outages=outages)
    assert agreed_outcomes(given, job(0, 1, 10, 1), job(1, 1, 10, 1)) == [(1, {4: 1}), (11, {4: 1})]


def test_a_drain_by_name_beside_an_outage_by_number_ends_what_outlives_it() -> None:
    # Nodes 0 and 1, which drain from 5 onwards, form a node class. At 2, the outage takes an idle
    # node of this class. Job 0 requests 4 s on node 0 and runs for 9 s. At 5, the two outages leave
    # no node of the class, so job 0 is killed, and starts again on node 2.
    outages = (
        NodeOutage(5, 10, frozenset({0, 1}), "drain"),
        NodeOutage(2, 13, None, "sudden", count=1, kind=0),
    )
    policy = Policy(backfill="easy", kill_at_limit=False)
    given = NodeSite((NodeType(3, (1,)),), policy=policy, placement="first-fit", outages=outages)
    assert agreed_outcomes(given, NodeJob(0, 0, 9, 4, 1)) == [(5, {2: 1})]


def test_a_job_inside_lies_on_exactly_so_many_nodes() -> None:
    # Two nodes are reserved for user 1, by number or by name. Four one-core units fit on one node
    # of four cores; the job requests two nodes, and puts three units on the first.
    for kept in (
        NodeReservation(5, 20, None, (1,), count=2, kind=0),
        NodeReservation(5, 20, frozenset({0, 1}), (1,)),
    ):
        given = site((NodeType(2, (4,)),), reservations=(kept,))
        assert agreed_outcomes(given, job(0, 0, 10, 4, nodes=2, user=1)) == [(5, {0: 3, 1: 1})]


def test_a_job_inside_is_placed_by_the_rule() -> None:
    # Node 0 has 4 cores, node 1 has 3. By best fit, three cores go to node 1 and fill it.
    types = (NodeType(1, (4,)), NodeType(1, (3,)))
    kept = NodeReservation(5, 20, frozenset({0, 1}), (1,))
    given = site(types, "best-fit", reservations=(kept,))
    assert agreed_outcomes(given, job(0, 0, 10, 3, user=1)) == [(5, {1: 3})]


def test_other_windows_are_fences_to_a_job_inside() -> None:
    # Node 0 is reserved for user 1 on [5, 30) and drains on [12, 15). At 5, job 0 would run into
    # the drain, so it starts inside the reservation at 15. Job 1 ends before the drain.
    kept = NodeReservation(5, 25, frozenset({0}), (1,))
    drain = NodeOutage(12, 3, frozenset({0}), "drain")
    given = site((NodeType(1, (4,)),), reservations=(kept,), outages=(drain,))
    jobs = [job(0, 0, 10, 1, 4, user=1), job(1, 1, 7, 1, 4, user=1)]
    assert agreed_outcomes(given, *jobs) == [(15, {0: 1}), (5, {0: 1})]


def test_a_job_inside_a_reservation_by_number_keeps_off_nodes_with_a_window() -> None:
    # Two of four nodes are reserved for user 1 on [5, 30), one from each of the classes {0} and
    # {1, 2, 3}. Node 0 drains on [12, 15). Job 0 has nodes 1 and 2 until 30. Job 1, of user 1,
    # requests one node from 5 to 15. It gets node 3, because node 0 drains before 15.
    kept = NodeReservation(5, 25, None, (1,), count=2, kind=0)
    drain = NodeOutage(12, 3, frozenset({0}), "drain")
    filler = job(0, 0, 30, 2, 4, user=0)
    given = site(FOUR_CORES, reservations=(kept,), outages=(drain,))
    assert agreed_outcomes(given, filler, job(1, 5, 10, 1, 4, user=1)) == [
        (0, {1: 1, 2: 1}), (5, {3: 1})
    ]  # fmt: skip


def test_nodes_kept_for_users_count_as_capacity_while_others_are_away() -> None:
    # There are four nodes of one core. Node 0 is reserved on [0, 100), and node 3 is down on [20,
    # 40). Job 1 has a node until 100; job 2 requests three and waits until then. Three nodes are
    # idle, but only two on [20, 40): 80 * 3 + 20 * 2 = 280 of 4 * 110 node-seconds are lost.
    kept = sw.Reservation("r", 0, 100, nodes=["n1"], users=[7])
    away = sw.Outage(20, 20, nodes=["n4"])
    machine = sw.Nodes([sw.NodeType(count=4, cores=1, name="n")])
    log = sw.Trace.from_columns([0, 0], [100, 10], [1, 3])
    result = sw.simulate(log, sw.Site(machine, reservations=[kept], outages=[away]))
    assert result.start.tolist() == [0, 100]
    assert result.metrics()["loss_of_capacity"] == 280 / 440


def test_a_drain_over_by_the_first_submit_time_counts_in_a_later_outage() -> None:
    # The queue sets node 0 apart: the classes are {0} and {1}. At 0, the drain takes the first
    # class until 1, and then the sudden outage takes idle node 1 until 2. Node 0 is free at 1.
    outages = (
        NodeOutage(0, 1, None, "drain", count=1, kind=0),
        NodeOutage(0, 2, None, "sudden", count=1, kind=0),
    )
    given = site((NodeType(2, (4,)),), queues=(queue_on(0),), outages=outages)
    assert agreed_outcomes(given, job(0, 1, 1, 1)) == [(1, {0: 1})]


def test_an_outage_of_a_type_over_by_the_first_submit_time_counts_in_a_later_one() -> None:
    # The reservation sets node 0 apart. The first outage takes node 0 on [0, 9), so the second one
    # takes node 1 at 7, until 16. At 10, node 0 is free.
    outages = (
        NodeOutage(0, 9, None, "sudden", count=1, kind=0),
        NodeOutage(7, 9, None, "sudden", count=1, kind=0),
    )
    given = site((NodeType(2, (1,)),), outages=outages, reservations=(kept_later(0),))
    assert agreed_outcomes(given, job(0, 10, 1, 1)) == [(10, {0: 1})]


def test_named_nodes_back_at_the_first_submit_time_were_not_idle_for_an_outage() -> None:
    # The classes are {0, 1} and {2}. Node 1 is down at 5, until 9. The outage of two nodes takes
    # the idle ones until 12: one of {0, 1}, and node 2. At 9, one of {0, 1} is free.
    outages = (
        NodeOutage(3, 6, frozenset({1}), "sudden"),
        NodeOutage(5, 7, None, "kill", count=2, kind=0),
    )
    given = site((NodeType(3, (1,)),), outages=outages, reservations=(kept_later(0, 1),))
    assert agreed_outcomes(given, job(0, 9, 1, 1)) == [(9, {0: 1})]


def test_an_outage_of_the_machine_takes_nodes_that_were_away_before_the_first_submit() -> None:
    # The classes are {0, 1} and {2}. At 1, two nodes go down until 9, both of {0, 1}. At 7, another
    # outage takes two nodes until 18: idle node 2, and a node that is down already. At 9, one of
    # {0, 1} is free.
    outages = (NodeOutage(1, 8, None, "kill", count=2), NodeOutage(7, 11, None, "sudden", count=2))
    given = site((NodeType(3, (1,)),), outages=outages, reservations=(kept_later(0, 1),))
    assert agreed_outcomes(given, job(0, 9, 1, 1)) == [(9, {0: 1})]


def test_an_outage_of_a_type_takes_nodes_that_the_machine_lacks_until_the_first_submit() -> None:
    # The drain sets nodes 2 and 3 apart. At 5, three nodes go down until 16: 0, 1, and one of {2,
    # 3}. At 14, another outage takes two nodes until 27: the idle one of {2, 3}, and one of {0, 1},
    # which is down already. At 16, one node of each class is free. Without the first outage, nodes
    # 2 and 3 would be free.
    outages = (
        NodeOutage(50, 10, frozenset({2, 3}), "drain"),
        NodeOutage(5, 11, None, "sudden", count=3),
        NodeOutage(14, 13, None, "kill", count=2, kind=0),
    )
    given = site((NodeType(4, (1,)),), outages=outages)
    assert agreed_outcomes(given, job(0, 16, 1, 2)) == [(16, {0: 1, 2: 1})]


def test_a_maintenance_over_by_the_first_submit_time_leaves_no_node_idle() -> None:
    # The classes are {0, 2} and {1}. All nodes drain on [1, 8). At 2, an outage takes one of {0, 2}
    # until 10. At 7, another takes two nodes until 14; none is up, so it takes both of {0, 2}. At
    # 9, node 1 is free. Without the drain, the second outage would have taken node 1 at 7.
    outages = (
        NodeOutage(1, 7),
        NodeOutage(2, 8, None, "sudden", count=1, kind=0),
        NodeOutage(7, 7, None, "kill", count=2, kind=0),
    )
    given = site((NodeType(3, (1,)),), outages=outages, reservations=(kept_later(1),))
    assert agreed_outcomes(given, job(0, 9, 1, 1)) == [(9, {1: 1})]


def test_jobs_are_killed_class_by_class_until_the_rest_fit() -> None:
    # The classes are {0, 1} and {2, 3, 4, 5}. Job 0 has nodes 0, 1 and 2, and job 1 has node 3. At
    # 5, five nodes go down until 15: the idle nodes 4 and 5, then both of the first class, then one
    # more of the second. The first class has no node left, so job 0 is killed and also frees node
    # 2. One of nodes 2 and 3 is left for job 1, which continues.
    outage = NodeOutage(5, 10, None, "kill", count=5, kind=0)
    given = site(SIX, outages=(outage,), reservations=(kept_later(0, 1),))
    assert agreed_outcomes(given, job(0, 0, 20, 3), job(1, 0, 20, 1)) == [
        (15, {0: 1, 1: 1, 2: 1}), (0, {3: 1})
    ]  # fmt: skip


def test_a_start_may_give_an_earlier_job_other_nodes_beside_a_reservation_by_number() -> None:
    # Two of four nodes are reserved for user 0 on [0, 7). At 5, job 2 starts inside the
    # reservation, on three cores of node 0, and runs until 6. Job 0 requests six cores for 2 s. By
    # first fit it would take the last core of node 0 and four of node 1. Nodes 2 and 3 must stay
    # free for the reservation, so job 0 lacks one core. Job 1 takes the last core of node 0 until
    # 6. The sweep is repeated: job 0 takes four cores of node 1 and two of node 2. Nodes 0 and 3
    # are free for the reservation at 6.
    kept = NodeReservation(0, 7, None, (0,), count=2, kind=0)
    policy = Policy(backfill="first-fit")
    given = NodeSite(FOUR_CORES, policy=policy, placement="first-fit", reservations=(kept,))
    jobs = [job(0, 5, 2, 6, user=1), job(1, 5, 1, 1, user=1), job(2, 5, 1, 3, user=0)]
    assert agreed_outcomes(given, *jobs) == [(5, {1: 4, 2: 2}), (5, {0: 1}), (5, {0: 3})]


def test_a_job_that_fits_only_inside_a_recurring_reservation_waits_for_it_and_blocks_none() -> None:
    # All nodes are reserved for user 1 on [5, 12), [15, 22), …, which leaves gaps of 3 s. Job 1, of
    # user 1, takes 5 s. It fits only inside the reservation, and starts at 5. Job 2, of 2 s, fits
    # into the gap before that, and starts at 3.
    kept = NodeReservation(5, 7, frozenset(range(6)), (1,), every=10)
    jobs = job(0, 0, 3, 6, user=2), job(1, 1, 5, 6, user=1), job(2, 2, 2, 6, user=2)
    outcomes = agreed_outcomes(site(SIX, reservations=(kept,)), *jobs)
    assert [start for start, _ in outcomes] == [0, 5, 3]
