"""Small sites with nodes for which the core and the oracle once differed.

The comments derive every start.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reference.node_sites import (
    NodeJob,
    NodeLimits,
    NodeOutage,
    NodeQueue,
    NodeReservation,
    NodeSite,
    NodeType,
)
from reference.node_sites.comparison import agreed_outcomes
from reference.policy import Policy

ONE_CORE = (NodeType(6, (1,)),)
FOUR_CORES = (NodeType(4, (4,)),)
THREE_TYPES = (NodeType(2, (4, 2)), NodeType(2, (4, 0)), NodeType(1, (8, 0)))


def site(types: tuple[NodeType, ...], backfill: str = "easy", **given: Any) -> NodeSite:
    policy = Policy(backfill=backfill, **given.pop("policy", {}))
    resources = ("cores", "gpus")[: len(types[0].amounts)]
    return NodeSite(types, resources, policy, placement="first-fit", **given)


def job(position: int, submit: int, run: int, units: int, *each: int, **more: Any) -> NodeJob:
    """Make a job that requests its run time, unless `asked` is given."""
    asked = more.pop("asked", run)
    return NodeJob(
        position, submit, run, asked, units * each[0],
        units=units, each=each, trace_queue=more.pop("queue", -1), **more,
    )  # fmt: skip


def starts(given: NodeSite, *jobs: NodeJob) -> list[int]:
    return [start for start, _ in agreed_outcomes(given, *jobs)]


def test_numbers_are_those_of_the_places_that_the_rule_gives() -> None:
    # Nodes 1 and 2 are down until 1. Nodes 0 and 5 drain at 2, so the classes are {0, 5} and {1, 2,
    # 3, 4}. Job 0 requests 5 cores. By first fit, its reservation at 1 counts nodes 0 to 4: one
    # core of {0, 5} and four of the others. Job 1 may have node 0 on [0, 2), because node 5
    # provides the core of {0, 5}.
    outages = (NodeOutage(0, 1, frozenset({1, 2}), "sudden"), NodeOutage(2, 1, frozenset({0, 5})))
    given = site(ONE_CORE, outages=outages)
    jobs = [job(0, 0, 1, 5, 1), job(1, 0, 2, 1, 1)]
    assert agreed_outcomes(given, *jobs) == [(1, {1: 1, 2: 1, 3: 1, 4: 1, 5: 1}), (0, {0: 1})]


def test_a_unit_that_fills_its_node_is_counted_whatever_its_rule_of_nodes() -> None:
    # Job 0 has nodes 0 to 2 until 1. Job 1 requests four one-core units, at most two on a node; on
    # one-core nodes, each takes a whole node. Four of the six nodes are reserved by count at 1,
    # which leaves two; job 2 takes node 3, the first free node. At 1, job 1 takes the first four
    # free nodes.
    given = site(ONE_CORE)
    jobs = [
        job(0, 0, 1, 3, 1, exclusive="job"),
        job(1, 0, 1, 4, 1, per_node=2),
        job(2, 0, 2, 1, 1, exclusive="job"),
    ]
    assert agreed_outcomes(given, *jobs)[1:] == [(1, {0: 1, 1: 1, 2: 1, 4: 1}), (0, {3: 1})]


def test_a_promise_of_places_is_broken_by_an_outage_of_the_machine() -> None:
    # Job 2 requests three whole nodes of 4 cores. Jobs 0 and 1 hold nodes 0, 1 and 2 until 3, so
    # job 2 is promised nodes 0 to 2 at 3. The machine is down from 3 to 4, and the promise moves to
    # 4.
    outages = (NodeOutage(3, 1, None, "kill"),)
    given = site(THREE_TYPES, "conservative", reserve="nodes", outages=outages)
    jobs = [
        job(0, 0, 3, 2, 3, 0),
        job(1, 2, 1, 1, 2, 0),
        job(2, 2, 1, 3, 1, 0, exclusive="job"),
    ]
    assert agreed_outcomes(given, *jobs)[2] == (4, {0: 1, 1: 1, 2: 1})


def test_a_submission_is_judged_at_its_own_time() -> None:
    # Passes run at 0, 3, 6, ... A group may have one submitted job. Job 1 runs from 3 to 8. Job 2
    # arrives at 7, while job 1 still runs, and is rejected, although the next pass is at 9.
    limits = NodeLimits(submitted_per={"group": 1})
    given = site(ONE_CORE, limits=limits, policy={"passes": "3s"})
    jobs = [job(0, 0, 1, 1, 1), job(1, 2, 5, 1, 1, group=0), job(2, 7, 1, 1, 1, group=0)]
    assert starts(given, *jobs) == [0, 3, -1]
    # A job that arrives at 8, when job 1 ends, is admitted.
    jobs[2] = job(2, 8, 1, 1, 1, group=0)
    assert starts(given, *jobs) == [0, 3, 9]


def test_jobs_outside_enter_in_the_order_of_ends_and_submissions() -> None:
    # Two jobs may be submitted in total, and one per user. Jobs 0 (user 0) and 1 (user 1) run from
    # 0 until 4 and 5, respectively. Job 2 (user 1) arrives at 1 and waits outside the queue,
    # because its user has a job. Job 3 (user 2) takes the place of job 0 at 4, and job 2 the place
    # of job 1 at 5. The pass at 6 starts both.
    limits = NodeLimits(submitted=2, submitted_per={"user": 1}, over_submitted="hold")
    given = site(ONE_CORE, limits=limits, policy={"passes": "3s"})
    jobs = [
        job(0, 0, 4, 1, 1, user=0),
        job(1, 0, 5, 1, 1, user=1),
        job(2, 1, 1, 1, 1, user=1),
        job(3, 4, 1, 1, 1, user=2),
    ]
    assert starts(given, *jobs) == [0, 0, 6, 6]


def test_no_think_time_follows_a_job_that_is_turned_away() -> None:
    # Job 1 would exceed its user's limit, and is rejected at 0. Job 2 depends on job 1 with a think
    # time of 7 s, but starts at 0, because a rejected job delays no other job.
    limits = NodeLimits(submitted_per={"user": 1})
    given = site(ONE_CORE, limits=limits, dependencies=True)
    jobs = [
        job(0, 0, 5, 1, 1, user=1),
        job(1, 0, 5, 1, 1, user=1),
        job(2, 0, 5, 1, 1, preceding=1, think_time=7),
    ]
    assert starts(given, *jobs) == [0, -1, 0]


def test_a_deadline_without_room_keeps_the_numbers_of_the_first_later_room() -> None:
    # Jobs 0 and 1 request 1 s and run for 2 s. Job 0 has node 0, and job 1 has nodes 1 (4 cores)
    # and 2 (1 core). Job 2 requests three whole nodes; its deadline is 1. At 1, jobs 0 and 1 are
    # estimated to end at 2, when job 2 would get nodes 0, 1 and 2. So two nodes of {0, 1} and one
    # of {2, 3} are reserved from 1 onwards. Job 3 (two cores for 1 s) may use node 2 at 1, because
    # node 3 stays whole.
    policy = {"relaxation": 0.0, "kill_at_limit": False}
    given = site(THREE_TYPES, "relaxed", policy=policy)
    jobs = [
        job(0, 0, 2, 1, 1, 0, exclusive="job", asked=1),
        job(1, 0, 2, 5, 1, 0, asked=1),
        job(2, 0, 1, 3, 1, 0, exclusive="job"),
        job(3, 1, 1, 1, 2, 0),
    ]
    assert [start for start, _ in agreed_outcomes(given, *jobs)] == [0, 0, 2, 1]
    assert agreed_outcomes(given, *jobs)[3] == (1, {2: 1})


def test_cores_beside_reserved_places_are_reserved_where_nodes_have_room_throughout() -> None:
    # There are two nodes of 4 cores. Job 0 fills node 0 until 10. Job 1, two units of 3 cores,
    # reserves both nodes at 10. Job 2 requests two cores for 12 s: 4 are free before 10 and 2 from
    # then on, but only 1, on node 1, is free throughout. So it reserves one core on each node at
    # 10, and job 3 may have three cores of node 1 until then.
    given = site((NodeType(2, (4,)),), "replan")
    jobs = [job(0, 0, 10, 1, 4), job(1, 1, 10, 2, 3), job(2, 1, 12, 2, 1), job(3, 1, 9, 3, 1)]
    assert agreed_outcomes(given, *jobs)[1:] == [
        (10, {0: 1, 1: 1}), (10, {0: 1, 1: 1}), (1, {1: 3})
    ]  # fmt: skip


def test_cores_beside_a_kept_node_are_promised_where_nodes_have_room_throughout() -> None:
    # Job 0 holds 3 cores of node 0 until 5. Job 1 holds the other core of node 0, node 1 and one
    # core of node 2 until 6. At 3, job 2 is promised four cores immediately, and job 3 a whole node
    # at 5. On nodes 2 and 3, job 2 would leave no whole node at 5, so it does not start.
    # At 4, job 2 is promised a start at 5, because node 2 has only 3 cores and node 3 is reserved.
    # Job 4 has nodes 2 and 3 until then.
    given = site(FOUR_CORES, "conservative")
    jobs = [
        job(0, 0, 5, 1, 3),
        job(1, 1, 5, 6, 1),
        job(2, 3, 3, 4, 1),
        job(3, 3, 1, 1, 1, exclusive="job"),
        job(4, 4, 1, 4, 1),
    ]
    assert starts(given, *jobs) == [0, 1, 5, 5, 4]


def test_a_due_job_is_placed_by_the_rule_as_of_now() -> None:
    # Node 1 drains at 1 and is a class of its own. Job 0 is promised one core of {0, 2, 3} at 0.
    # Job 1 is promised four cores at 0 by first fit: on node 0, as eight cores of the class are
    # left for job 0. But job 0 takes a core of node 0, so job 1 gets three cores there and one on
    # node 1.
    given = site(FOUR_CORES, "conservative", outages=(NodeOutage(1, 1, frozenset({1})),))
    jobs = [job(0, 0, 1, 1, 1), job(1, 0, 1, 4, 1)]
    assert agreed_outcomes(given, *jobs) == [(0, {0: 1}), (0, {0: 3, 1: 1})]


def test_a_promised_node_is_not_busy() -> None:
    # Job 1, the smaller job, ranks first and is promised node 4, which has 8 cores, at 0. Job 0
    # prefers nodes on which jobs run. Node 4 is only promised, so job 0 takes nodes 0 and 1.
    given = site(THREE_TYPES, "conservative", policy={"order": "smallest"})
    jobs = [job(0, 0, 1, 2, 3, 0), job(1, 0, 1, 1, 5, 0)]
    assert agreed_outcomes(given, *jobs) == [(0, {0: 1, 1: 1}), (0, {4: 1})]


def test_a_node_that_is_away_is_not_busy() -> None:
    # Node 4 is down from 11 to 15, and the machine from 14 to 15. Job 0 is killed at 14 and
    # promised places at 15. No job runs on any node then, and node 0 comes first.
    types = (NodeType(2, (4,)), NodeType(3, (2,)))
    outages = (NodeOutage(14, 1, None, "kill"), NodeOutage(11, 4, frozenset({4}), "sudden"))
    given = site(types, "conservative", outages=outages)
    assert agreed_outcomes(given, job(0, 5, 10, 1, 1, per_node=2)) == [(15, {0: 1})]


def test_a_starving_job_that_changes_its_nodes_lets_others_move() -> None:
    # There are four nodes of 4 cores. Node 3 is down on [2, 3). Job 0 takes all nodes from 3 to 7.
    # Three jobs are promised a start at 7: job 1 (two whole nodes, 4 s) on nodes 0 and 1, job 2
    # (three cores, 4 s) on node 2, and job 3 (two cores, 3 s) on nodes 2 and 3. Job 4 (a whole
    # node, 1 s) follows job 3 on node 3 at 10. At 7, job 3 starves and is planned first, with both
    # cores on node 0. So job 1 moves to 10, and the cores that it leaves on node 1 let job 4 start
    # at 7.
    queues = (NodeQueue("q1", trace_queues=(1,), starvation=6), NodeQueue("rest"))
    given = site(
        FOUR_CORES, "conservative", reserve="nodes",
        queues=queues, outages=(NodeOutage(2, 1, frozenset({3})),),
    )  # fmt: skip
    jobs = [
        job(0, 0, 4, 4, 4),
        job(1, 0, 1, 2, 1, exclusive="job", asked=4),
        job(2, 0, 1, 3, 1, asked=4),
        job(3, 1, 1, 2, 1, queue=1, asked=3),
        job(4, 3, 1, 1, 1, exclusive="job"),
    ]
    assert agreed_outcomes(given, *jobs)[3:] == [(7, {0: 2}), (7, {1: 1})]


def test_a_closed_queue_holds_back_no_other_at_the_next_tick() -> None:
    # Passes run at 0, 5400, 10800, ... Queue q0 is open until 3:30, second 12600. Job 0 runs on
    # node 0, and from 5400 onwards job 1 (q0) on the other three nodes. From 9000 to 18000 nodes 0
    # and 3 are down, so both jobs wait again. At 10800, job 1 is first and reserves nodes 0, 1 and
    # 2 at 18000; job 0, of 10800 s, would then still occupy one of them. From 12600 onwards q0 is
    # closed, and the pass at 16200 starts job 0 on node 1. Job 1 follows when q0 opens, at
    # midnight.
    queues = (NodeQueue("q0", trace_queues=(0,), hours=((0, 12600),)), NodeQueue("rest"))
    given = site(
        FOUR_CORES, "multiple-queue", reserve="nodes", queues=queues,
        outages=(NodeOutage(9000, 9000, frozenset({0, 3}), "kill"),),
        policy={"order": "sjf", "passes": "5400s"},
    )  # fmt: skip
    jobs = [job(0, 0, 10800, 1, 4), job(1, 1800, 5400, 3, 1, exclusive="job", queue=0)]
    assert agreed_outcomes(given, *jobs) == [(16200, {1: 1}), (86400, {0: 1, 1: 1, 2: 1})]


def test_a_start_that_moves_a_reservation_lets_an_earlier_job_start() -> None:
    # Nodes 0 and 1 are of one type, node 2 of another. Until 10, job 0 runs on two cores of node 0,
    # and job 1 on two cores of node 2. At 1, job 2 requests two units of three cores. It reserves
    # nodes 0 and 2 from 10 onwards, because busy nodes are preferred. Job 3 requests two cores of
    # node 2 for 30 s, but the reservation would leave only one. Job 4 occupies node 1 until 5. Now
    # all nodes are busy, so the repeated sweep reserves nodes 0 and 1, and job 3 starts.
    types = (NodeType(2, (4,), ("a",)), NodeType(1, (4,), ("b",)))
    jobs = [
        job(0, 0, 10, 1, 2, constraint="a"),
        job(1, 0, 10, 1, 2, constraint="b"),
        job(2, 1, 50, 2, 3),
        job(3, 1, 30, 1, 2, constraint="b"),
        job(4, 1, 4, 1, 4),
    ]
    assert agreed_outcomes(site(types), *jobs)[2:] == [
        (10, {0: 1, 1: 1}), (1, {2: 1}), (1, {1: 1})
    ]  # fmt: skip


def test_a_start_may_bring_an_earlier_job_below_a_limit_of_nodes() -> None:
    # A user may have two nodes. Jobs 0 and 1 leave one core free on each of nodes 0 and 1. The four
    # cores of job 2 would be on three nodes, so it does not start. Jobs 3 and 4 take the free
    # cores; the sweep is repeated, and job 2 fits on node 2.
    limits = NodeLimits(amounts={("user", "nodes"): 2})
    jobs = [
        job(0, 0, 50, 1, 3, user=0),
        job(1, 0, 50, 1, 3, user=0),
        job(2, 0, 20, 4, 1, user=1),
        job(3, 0, 9, 1, 1, user=2),
        job(4, 0, 9, 1, 1, user=2),
    ]
    given = site((NodeType(3, (4,)),), "first-fit", limits=limits)
    assert agreed_outcomes(given, *jobs)[2:] == [(0, {2: 4}), (0, {0: 1}), (0, {1: 1})]


def test_a_job_of_no_length_gives_back_the_nodes_that_its_plan_names() -> None:
    # If reservations are for particular nodes, a job that is known to take 0 s is planned for 1 s.
    # It ends at 40, when the other job starts on its nodes. Nothing happens at 41, so a job that
    # had to wait until then would wait forever.
    given = site(
        FOUR_CORES, reserve="nodes", queues=(NodeQueue("all"),), policy={"estimates": "exact"}
    )
    assert starts(given, job(0, 40, 0, 4, 4, asked=9), job(1, 40, 1, 4, 4)) == [40, 40]


def test_a_head_is_reserved_earlier_although_a_later_reservation_was_in_its_way() -> None:
    # Job 0 has two of four nodes until 100, and job 1 has one until 50. All four are reserved for
    # job 2 at 100, and two for job 3 on [50, 100). Job 0 ends at 10. If job 3's reservation is
    # ignored, four nodes are free from 50 onwards. So job 2 moves to 50, and job 3 to 70.
    given = site((NodeType(4, (1,)),), "depth", policy={"depth": 2}, queues=(NodeQueue("all"),))
    jobs = [job(0, 0, 10, 2, 1, asked=100), job(1, 0, 50, 1, 1), job(2, 0, 20, 4, 1)]
    assert starts(given, *jobs, job(3, 0, 50, 2, 1)) == [0, 0, 50, 70]


def test_a_promise_whose_nodes_would_exceed_a_limit_is_withdrawn_until_a_job_ends() -> None:
    # There are two nodes of 4 cores, and an account may use one node. Job 0 requests 6 cores, so it
    # would always use both nodes. Its promise is withdrawn at 0 and again at 3, when job 1 ends.
    # Jobs 1 and 2 do not wait for it.
    limits = NodeLimits(amounts={("account", "nodes"): 1})
    given = site((NodeType(2, (4,)),), "conservative", limits=limits)
    jobs = [
        job(0, 0, 5, 6, 1, account=0),
        job(1, 0, 3, 3, 1, account=1),
        job(2, 4, 2, 3, 1, account=1),
    ]
    for reserve in ("numbers", "nodes"):
        case = replace(given, reserve=reserve)
        assert starts(case, *jobs) == [-1, 0, 4]
    # Job 0 uses 3 cores of node 0 until 5. Under first fit, job 1 would get that node's fourth core
    # and 3 cores of node 1. Once job 0 has ended, node 0 alone is enough. Job 2 starts on node 1 at
    # 3.
    later = [
        job(0, 0, 5, 3, 1, account=1),
        job(1, 1, 2, 4, 1, account=0),
        job(2, 3, 1, 1, 2, account=2),
    ]
    assert starts(given, *later) == [0, 5, 3]


TWO_NARROW_NODES = (NodeType(2, (2,)), NodeType(1, (4,)))


def test_a_periodic_pass_finds_other_nodes_because_a_reservation_comes_closer() -> None:
    # By first fit, job 0 gets two units on each of nodes 0 and 1, but its user may use one node.
    # In one case both nodes are unavailable on [15, 20), in the other only node 0. The job lasts
    # 10 s. If it started at 0 or 5, it would end by 15; if it started at 10, it would not. In the
    # first case, it therefore gets node 2 at 10. In the second, it would get two units on each of
    # nodes 1 and 2, and from 20 onwards on nodes 0 and 1 again, so it never starts.
    limits = NodeLimits(amounts={("user", "nodes"): 1})
    only = job(0, 0, 10, 4, 1, user=1)
    for backfill in ("none", "first-fit", "easy", "replan"):
        for nodes, expected in (({0, 1}, (10, {2: 4})), ({0}, (-1, {}))):
            away = frozenset(nodes)
            for windows in (
                {"reservations": (NodeReservation(15, 5, away, (9,)),)},
                {"outages": (NodeOutage(15, 5, away),)},
            ):
                given = site(
                    TWO_NARROW_NODES, backfill, limits=limits, policy={"passes": "5s"}, **windows
                )
                assert agreed_outcomes(given, only) == [expected]


def test_a_pass_without_a_period_waits_for_the_reservation_to_begin() -> None:
    # As in the test above, but passes run only at events: at 0, 15 and 20. If another job arrives
    # at 11, the pass at 11 starts both jobs.
    limits = NodeLimits(amounts={("user", "nodes"): 1})
    kept = (NodeReservation(15, 5, frozenset({0, 1}), (9,)),)
    given = site(TWO_NARROW_NODES, limits=limits, reservations=kept)
    jobs = [job(0, 0, 10, 4, 1, user=1), job(1, 11, 2, 1, 1, user=2)]
    assert starts(given, jobs[0]) == [15]
    assert starts(given, *jobs) == [11, 11]


def test_a_periodic_pass_finds_other_nodes_because_of_the_reservation_of_the_head() -> None:
    # Nodes 0 to 2 have two cores, node 3 has four. Job 0 has node 2 until 20. Job 1 requests the
    # three narrow nodes and has a reservation at 20. Job 2 lasts 10 s. If it started at 0, 5 or 10,
    # it would end by 20, so it would get nodes 0 and 1, but its user may use only one node. At 15
    # it gets node 3.
    types = (NodeType(2, (2,), ("b",)), NodeType(1, (2,), ("b", "c")), NodeType(1, (4,), ("a",)))
    limits = NodeLimits(amounts={("user", "nodes"): 1})
    jobs = [
        job(0, 0, 20, 2, 1, constraint="c"),
        job(1, 0, 20, 3, 1, exclusive="job", constraint="b"),
        job(2, 0, 10, 4, 1, user=1),
    ]
    for backfill in ("easy", "depth", "replan"):
        given = site(types, backfill, limits=limits, policy={"passes": "5s"})
        assert starts(given, *jobs) == [0, 20, 15]
