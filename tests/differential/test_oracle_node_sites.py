"""The oracle for sites with nodes, compared with worked examples and with the older oracles."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from reference import nodes as plain_nodes
from reference.node_sites import (
    NamedNodeLimits,
    NodeJob,
    NodeLimits,
    NodeOutage,
    NodeQueue,
    NodeSite,
    NodeType,
    simulate_nodes,
)
from reference.policy import Policy
from reference.sites import Limits, Queue, Site, SiteJob, simulate_site

EASY = Policy(backfill="easy")
FOUR = (NodeType(2, (4,)),)


def job(position: int, submit: int, length: int, units: int, cores: int, **more: Any) -> NodeJob:
    """Make a job of `units` units that requests its run time, unless `asked` is given."""
    asked = more.pop("asked", length)
    return NodeJob(
        position, submit, length, asked, units * cores, units=units, each=(cores,), **more
    )


def starts(site: NodeSite, *jobs: NodeJob) -> list[int]:
    return [outcome.start for outcome in simulate_nodes(jobs, site)]


def places(site: NodeSite, *jobs: NodeJob) -> list[dict[int, int]]:
    return [outcome.places for outcome in simulate_nodes(jobs, site)]


def whole(position: int, submit: int, length: int, nodes: int, **more: Any) -> NodeJob:
    return job(position, submit, length, nodes, 1, exclusive="job", **more)


@pytest.mark.parametrize(("reserve", "last"), [("numbers", 3), ("nodes", 10)])
def test_a_number_of_nodes_names_none(reserve: str, last: int) -> None:
    # There are three nodes. Node 0 is free from 1; job 1 has nodes 1 and 2 until 10. Job 2 requests
    # two nodes and gets a reservation at 10. Job 3 requests one node for 20 s. If the reservation
    # is for any two nodes, one of three is left at 10, so job 3 starts at 3. If it is for nodes 0
    # and 1, job 3 waits for node 2 until 10.
    site = NodeSite((NodeType(3, (4,)),), policy=EASY, reserve=reserve, placement="first-fit")
    jobs = [whole(0, 0, 1, 1), whole(1, 0, 10, 2), whole(2, 2, 10, 2), whole(3, 3, 20, 1)]
    assert starts(site, *jobs) == [0, 0, 10, last]


def test_a_sharing_job_passes_over_nodes_whose_use_would_break_a_number() -> None:
    # There are two nodes of 4 cores. Job 0 has 3 cores of node 0 until 10, and job 1 has all of
    # node 1 until 30. Job 2 requests a whole node and gets a reservation at 10. Job 3, one core for
    # 20 s, fits beside job 0 on node 0, but would leave no whole node at 10. It follows job 2 at
    # 15.
    site = NodeSite(FOUR, policy=EASY, placement="first-fit")
    jobs = [job(0, 0, 10, 3, 1), whole(1, 0, 30, 1), whole(2, 1, 5, 1), job(3, 2, 20, 1, 1)]
    assert starts(site, *jobs) == [0, 0, 10, 15]
    # If job 3 takes 8 s, it ends by 10.
    jobs[3] = job(3, 2, 8, 1, 1)
    assert starts(site, *jobs) == [0, 0, 10, 2]
    # With a third node, job 2 starts on node 2. Job 3 still goes to node 0, by first fit.
    three = NodeSite((NodeType(3, (4,)),), policy=EASY, placement="first-fit")
    assert places(three, *jobs)[2:] == [{2: 1}, {0: 1}]


def test_a_kept_node_is_left_and_another_is_taken() -> None:
    # There are three nodes. Job 0 fills node 0 until 10, and job 1 fills node 1 until 20. Job 2
    # requests two whole nodes and gets a reservation at 10. By first fit, job 3 (one core for 30 s)
    # would go to node 2, and only one whole node would be left at 10. So it waits until job 2 ends
    # at 15.
    site = NodeSite((NodeType(3, (4,)),), policy=EASY, placement="first-fit")
    jobs = [whole(0, 0, 10, 1), whole(1, 0, 20, 1), whole(2, 1, 5, 2), job(3, 2, 30, 1, 1)]
    assert starts(site, *jobs) == [0, 0, 10, 15]


def test_queues_that_overlap_form_one_group() -> None:
    # Queue a has node 0, queue b has nodes 0 and 1, and queue c has node 2. Job 0 (a) has node 0
    # until 10. Job 1 (a) waits. Queues a and b form one group. Under `none`, job 1 therefore blocks
    # job 2 (b), although node 1 is free. Job 1 does not block queue c, where job 3
    # starts. Under `first-fit`, job 2 passes job 1.
    queues = (
        NodeQueue("a", frozenset({0}), trace_queues=(1,)),
        NodeQueue("b", frozenset({0, 1}), trace_queues=(2,)),
        NodeQueue("c", frozenset({2}), trace_queues=(3,)),
    )
    site = NodeSite((NodeType(3, (1,)),), policy=Policy(backfill="none"), queues=queues)
    jobs = [
        job(0, 0, 10, 1, 1, trace_queue=1),
        job(1, 1, 5, 1, 1, trace_queue=1),
        job(2, 2, 5, 1, 1, trace_queue=2),
        job(3, 3, 5, 1, 1, trace_queue=3),
    ]
    assert starts(site, *jobs) == [0, 10, 10, 3]
    first_fit = replace(site, policy=Policy(backfill="first-fit"))
    assert starts(first_fit, *jobs) == [0, 10, 2, 3]


def test_limits_count_amounts_of_a_resource() -> None:
    # Each job takes one GPU; user 1 may use two, and unknown users any number. At 0, jobs 0 and 1
    # start. Job 2 is not eligible and holds no reservation. Job 3, whose user is unknown, also
    # starts.
    types = (NodeType(2, (4, 4)),)
    limits = NodeLimits(amounts={("user", "gpus"): 2})
    site = NodeSite(types, ("cores", "gpus"), EASY, limits=limits)
    asked = [(0, 10, 1), (0, 20, 1), (0, 5, 1), (0, 5, -1)]
    jobs = [
        NodeJob(at, submit, run, run, 1, user, units=1, each=(1, 1))
        for at, (submit, run, user) in enumerate(asked)
    ]
    assert starts(site, *jobs) == [0, 0, 10, 0]


@pytest.mark.parametrize(("over", "third"), [("reject", -1), ("hold", 10)])
def test_submitted_jobs_are_rejected_or_held(over: str, third: int) -> None:
    # The machine has one core, and a user may have two submitted jobs: one runs until 10, and one
    # waits. The third arrives at 2. If it is held, it enters the queue at 10, and starts at 15,
    # when the second has ended.
    limits = NodeLimits(submitted_per={"user": 2}, over_submitted=over)
    site = NodeSite((NodeType(1, (1,)),), policy=EASY, limits=limits)
    jobs = [job(at, at, 10 if at == 0 else 5, 1, 1, user=1) for at in range(3)]
    assert starts(site, *jobs) == [0, 10, 15 if third > 0 else -1]
    reasons = [outcome.reject_reason for outcome in simulate_nodes(jobs, site)]
    assert reasons[2] == ("over_submitted" if third < 0 else "none")


def test_named_outages_take_their_nodes_alone() -> None:
    # Node 1 drains from 5 to 15: job 1, of 10 s, does not start there at 0. A sudden outage of node
    # 0 at 3 kills job 0, which starts again at 15 on node 1; node 0 is not up again until 20.
    outages = (
        NodeOutage(5, 10, frozenset({1}), "drain"),
        NodeOutage(3, 17, frozenset({0}), "sudden"),
    )
    site = NodeSite((NodeType(2, (1,)),), policy=EASY, outages=outages, placement="first-fit")
    jobs = [job(0, 0, 4, 1, 1), job(1, 0, 10, 1, 1)]
    # At 3, job 0 waits again, with its old submit time. It does not fit on node 1 before the drain,
    # because 3 + 4 > 5. At 15, job 0 takes node 1 until 19, and job 1 follows.
    assert starts(site, *jobs) == [15, 19]


def test_units_lie_on_exactly_so_many_nodes() -> None:
    # The job requests three one-core units on exactly two nodes: two on the first, and the last on
    # the second.
    site = NodeSite(FOUR, policy=EASY, placement="first-fit")
    assert places(site, job(0, 0, 5, 3, 1, nodes=2)) == [{0: 2, 1: 1}]
    assert places(site, job(0, 0, 5, 3, 1, per_node=2)) == [{0: 2, 1: 1}]
    assert places(site, job(0, 0, 5, 3, 1)) == [{0: 3}]


def test_constraints_choose_types() -> None:
    types = (NodeType(1, (4,), ("a",)), NodeType(1, (4,), ("a", "b")), NodeType(1, (4,), ("c",)))
    site = NodeSite(types, policy=EASY, placement="first-fit")
    asked = ["a&b", "c|b", "", "b&c"]
    jobs = [job(at, 0, 5, 1, 4, constraint=text) for at, text in enumerate(asked)]
    outcomes = simulate_nodes(jobs, site)
    assert [outcome.places for outcome in outcomes] == [{1: 1}, {2: 1}, {0: 1}, {}]
    assert outcomes[3].reject_reason == "too_large"


def drawn_on_processors(draw: Random) -> tuple[Site, list[SiteJob], NodeSite, list[NodeJob]]:
    """Draw a site of processors, and the equivalent site of one-core nodes."""
    size = draw.randint(1, 6)
    backfill = draw.choice(
        ("none", "first-fit", "easy", "relaxed", "depth", "replan", "conservative")
    )
    plans = backfill not in ("none", "first-fit")
    policy = Policy(
        order=draw.choice(("fcfs", "sjf", "ljf", "wfp3", "priority")),
        backfill=backfill,
        depth=draw.randint(1, 3),
        estimates=draw.choice(("requested", "exact", "user-history")) if plans else "requested",
        passes=draw.choice(("per-instant", "per-instant", "3s")),
        kill_at_limit=draw.random() < 0.7,
    )
    by_user, by_group = draw.choice((None, 1, 2)), draw.choice((None, size))
    plain: dict[str, Any] = {
        "running": draw.choice((None, None, 3)),
        "queued_per_user": draw.choice((None, None, 2)),
    }
    queues: list[dict[str, Any]] = [
        {
            "name": str(number),
            "priority": float(draw.randint(0, 2)),
            "starvation": draw.choice((None, None, 6)),
            "trace_queues": (number,),
        }
        for number in range(draw.randint(0, 3))
    ]
    queues += [{"name": "rest"}] if queues else []
    site = Site(
        size,
        policy,
        queues=tuple(Queue(**queue) for queue in queues),
        limits=Limits(**plain, running_per_user=by_user, processors_per_group=by_group),
    )
    on_nodes = NodeSite(
        (NodeType(size, (1,)),),
        policy=policy,
        queues=tuple(NodeQueue(**queue) for queue in queues),
        limits=NodeLimits(
            **plain,
            running_per={"user": by_user} if by_user else {},
            processors_per={"group": by_group} if by_group else {},
        ),
        placement=draw.choice(("least-scarce", "first-fit", "best-fit")),
    )
    jobs, submit = [], 0
    for position in range(draw.randint(1, 12)):
        submit += draw.choice((0, 0, 1, 2, 5))
        jobs.append(
            SiteJob(
                position, submit, draw.randint(0, 14), draw.randint(1, 14), draw.randint(1, size),
                draw.randint(-1, 2), group=draw.randint(-1, 1), trace_queue=draw.randint(0, 3),
            )
        )  # fmt: skip
    same = [
        NodeJob(
            j.position, j.submit, j.run_time, j.requested_time, j.processors, j.user,
            units=j.processors, each=(1,), group=j.group, trace_queue=j.trace_queue,
        )
        for j in jobs
    ]  # fmt: skip
    return site, jobs, on_nodes, same


def test_one_core_nodes_start_jobs_as_processors_do() -> None:
    for seed in range(300):
        site, jobs, on_nodes, same = drawn_on_processors(Random(seed))
        plain = [outcome.start for outcome in simulate_site(jobs, site)[0]]
        assert starts(on_nodes, *same) == plain, seed


MACHINES = ([(1, (4, 0)), (2, (3, 0)), (1, (4, 2))], [(2, (4, 2)), (2, (4, 0))], [(3, (2, 1))])


def test_reservations_of_nodes_are_those_of_the_plain_simulator_of_nodes() -> None:
    for seed in range(150):
        draw = Random(seed)
        types = draw.choice(MACHINES)
        backfill = draw.choice(("none", "first-fit", "easy", "depth", "replan", "conservative"))
        order, rule = draw.choice(("fcfs", "sjf")), draw.choice(("least-scarce", "best-fit"))
        jobs, submit = [], 0
        for _ in range(draw.randint(1, 12)):
            submit += draw.randint(0, 4)
            each = (draw.choice((1, 2, 3, 4)), draw.choice((0, 0, 0, 1, 2)))
            run, request = draw.randint(0, 14), draw.randint(1, 12)
            jobs.append(plain_nodes.NodeJob(submit, run, request, draw.randint(1, 5), each))
        site = NodeSite(
            tuple(NodeType(count, amounts) for count, amounts in types),
            ("cores", "gpus"),
            Policy(order=order, backfill=backfill, depth=3),
            reserve="nodes",
            placement=rule,
        )
        outcomes = simulate_nodes(
            [
                NodeJob(
                    at, j.submit, j.run, j.request, j.units * j.each[0],
                    units=j.units, each=j.each,
                )
                for at, j in enumerate(jobs)
            ],
            site,
        )  # fmt: skip
        plain = plain_nodes.simulate(
            jobs, types, backfill=backfill, order=order, depth=3, rule=rule
        )
        assert ([o.start for o in outcomes], [o.places for o in outcomes]) == plain, seed


def test_named_limits_count_the_jobs_of_their_owners_alone() -> None:
    # Users 1 and 2 share a limit of one running job, which does not apply to user 3. Job 1 waits
    # for job 0. Job 3 requests 3 cores, more than the limit of 2 for group 5, and is rejected.
    named = (
        NamedNodeLimits({"user": (1, 2)}, NodeLimits(running=1)),
        NamedNodeLimits({"group": (5,)}, NodeLimits(amounts={("total", "cores"): 2})),
    )
    site = NodeSite(FOUR, policy=EASY, named=named)
    jobs = [
        job(0, 0, 10, 1, 1, user=1), job(1, 0, 10, 1, 1, user=2), job(2, 0, 10, 1, 1, user=3),
        job(3, 0, 10, 1, 3, group=5),
    ]  # fmt: skip
    assert starts(site, *jobs) == [0, 10, 0, -1]
