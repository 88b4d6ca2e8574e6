"""Whole sites on nodes, the core against the plain simulator: starts, ends and places."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference import node_sites as plain
from reference.policy import Policy

# Units ask fewer cores than any of these nodes has, unless they take nodes whole.
TYPES = [
    (sw.NodeType(hosts="g[1-2]", cores=4, gpus=2, features=["ib", "big"]), (4, 2)),
    (sw.NodeType(hosts="c[1-2]", cores=4, features=["ib"]), (4, 0)),
    (sw.NodeType(hosts="s1", cores=5), (5, 0)),
]
PLAIN_TYPES = tuple(plain.NodeType(t.count, amounts, tuple(t.features)) for t, amounts in TYPES)
NAMES = ["g1", "g2", "c1", "c2", "s1"]
PARTITIONS: list[list[tuple[str, list[int] | None]]] = [
    [("all", None)],
    [("a", [0, 1]), ("b", [2, 3, 4])],
    [("a", [0, 1, 2]), ("b", [2, 3]), ("c", None)],
]


def job_of(draw: Any, position: int, submit: int) -> plain.NodeJob:
    request = draw(st.integers(1, 16))
    units = draw(st.integers(1, 3))
    cores = draw(st.sampled_from((1, 1, 1, 2, 3)))
    exclusive = draw(st.sampled_from(("no", "no", "no", "job")))
    nodes = draw(st.sampled_from((0, 0, 0, units)))
    per_node = draw(st.sampled_from((0, 0, 1, 2))) if nodes == 0 else 0
    return plain.NodeJob(
        position=position,
        submit=submit,
        run_time=draw(st.sampled_from((request, request // 2, request + 4))),
        requested_time=request,
        processors=units * cores,
        user=draw(st.integers(-1, 1)),
        units=units,
        each=(cores, draw(st.sampled_from((0, 0, 0, 1)))),
        per_node=per_node,
        nodes=nodes,
        exclusive=exclusive,
        constraint=draw(st.sampled_from(("", "", "", "ib", "ib&big"))),
        account=draw(st.integers(-1, 1)),
        trace_queue=draw(st.integers(0, 2)),
        preceding=draw(st.sampled_from((-1, -1, -1, position - 2))),
        think_time=2,
    )


@st.composite
def sites(draw: Any) -> tuple[list[plain.NodeJob], plain.NodeSite]:
    jobs = []
    submit = 0
    for position in range(draw(st.integers(1, 10))):
        submit += draw(st.integers(0, 5))
        jobs.append(job_of(draw, position, submit))
    queues = []
    for number, (name, nodes) in enumerate(draw(st.sampled_from(PARTITIONS))):
        queues.append(
            plain.NodeQueue(
                name,
                None if nodes is None else frozenset(nodes),
                trace_queues=(number,),
                processors=(1, draw(st.sampled_from((None, 8)))),
                priority=draw(st.sampled_from((0, 0, 1))),
                starvation=draw(st.sampled_from((None, None, 9))),
            )
        )
    amounts: dict[tuple[str, str], int] = {}
    if draw(st.booleans()):
        amounts[("user", "gpus")] = 2
    if draw(st.booleans()):
        amounts[("account", "nodes")] = 2
    limits = plain.NodeLimits(
        running_per=draw(st.sampled_from(({}, {"account": 2}, {"user": 1}))),
        amounts=amounts,
        submitted_per=draw(st.sampled_from(({}, {}, {"user": 3}))),
        over_submitted=draw(st.sampled_from(("reject", "hold"))),
    )
    outages = [
        plain.NodeOutage(
            draw(st.integers(0, 40)),
            draw(st.integers(1, 12)),
            draw(st.sampled_from((None, frozenset({0}), frozenset({1, 2})))),
            draw(st.sampled_from(("drain", "drain", "sudden"))),
        )
        for _ in range(draw(st.sampled_from((0, 0, 1, 2))))
    ]
    policy = Policy(
        order=draw(st.sampled_from(("fcfs", "fcfs", "sjf"))),
        backfill=draw(
            st.sampled_from(("none", "first-fit", "easy", "depth", "replan", "conservative"))
        ),
        depth=2,
    )
    return jobs, plain.NodeSite(
        PLAIN_TYPES,
        ("cores", "gpus"),
        policy,
        draw(st.sampled_from(("numbers", "nodes"))),
        draw(st.sampled_from(("least-scarce", "first-fit", "best-fit"))),
        tuple(queues),
        limits,
        tuple(outages),
        dependencies=draw(st.booleans()),
    )


def trace_of(jobs: list[plain.NodeJob]) -> sw.Trace:
    demands = sw.Demands(
        [job.units for job in jobs],
        cores=[job.each[0] for job in jobs],
        gpus=[job.each[1] for job in jobs],
        per_node=[job.per_node for job in jobs],
        nodes=[job.nodes for job in jobs],
        exclusive=[job.exclusive for job in jobs],
        constraint=[job.constraint for job in jobs],
    )
    return sw.Trace.from_columns(
        [job.submit for job in jobs],
        [job.run_time for job in jobs],
        [job.processors for job in jobs],
        [job.requested_time for job in jobs],
        user=[job.user for job in jobs],
        account=[job.account for job in jobs],
        queue=[job.trace_queue for job in jobs],
        job_id=[job.position + 1 for job in jobs],
        preceding_job=[job.preceding + 1 if job.preceding >= 0 else -1 for job in jobs],
        think_time=[job.think_time for job in jobs],
    ).with_demands(demands)


def site_of(site: plain.NodeSite) -> sw.Site:
    depth = {"depth": site.policy.depth} if site.policy.backfill == "depth" else {}
    limits: dict[str, Any] = {f"running_per_{k}": v for k, v in site.limits.running_per.items()}
    limits |= {f"submitted_per_{k}": v for k, v in site.limits.submitted_per.items()}
    for (holder, resource), most in site.limits.amounts.items():
        limits.setdefault(f"per_{holder}", {})[resource] = most
    return sw.Site(
        sw.Nodes([kind for kind, _ in TYPES], site.placement),
        sw.Policy(
            order=site.policy.order, backfill=site.policy.backfill, reserve=site.reserve, **depth
        ),
        queues=[
            sw.Queue(
                queue.name,
                processors=queue.processors,
                trace_queues=list(queue.trace_queues),
                nodes=[] if queue.nodes is None else [NAMES[n] for n in sorted(queue.nodes)],
                priority=queue.priority,
                starvation=queue.starvation,
            )
            for queue in site.queues
        ],
        limits=sw.Limits(**limits, over_submitted=site.limits.over_submitted),
        outages=[
            sw.Outage(
                start=outage.start,
                duration=outage.duration,
                nodes=NAMES if outage.nodes is None else [NAMES[n] for n in sorted(outage.nodes)],
                mode=outage.mode,
            )
            for outage in site.outages
        ],
        dependencies=site.dependencies,
    )


def places_of(result: sw.Result, row: int) -> dict[int, int]:
    node, units = result.places(row)
    return dict(zip(node.tolist(), units.tolist(), strict=True))


@settings(max_examples=300)
@given(sites())
def test_starts_and_places_are_those_of_the_plain_simulator(
    drawn: tuple[list[plain.NodeJob], plain.NodeSite],
) -> None:
    jobs, site = drawn
    expected = plain.simulate_nodes(jobs, site)
    try:
        result = sw.simulate(trace_of(jobs), site_of(site))
    except ValueError:
        assert all(outcome.start == -1 for outcome in expected)
        return
    reasons = [sw.RejectReason(reason).name.lower() for reason in result.reject_reason]
    assert reasons == [outcome.reject_reason for outcome in expected]
    assert result.start.tolist() == [outcome.start for outcome in expected]
    assert result.end.tolist() == [outcome.end for outcome in expected]
    started = [row for row, outcome in enumerate(expected) if outcome.start >= 0]
    assert [places_of(result, row) for row in started] == [expected[r].places for r in started]
