"""Sites on nodes: rules that hold at every instant of every replay, whatever the policy.

No node exceeds its capacity in any resource. No job is on a node that its queue or constraint
excludes, or that is down. No limit is exceeded. No job starts if its requested time would overlap a
drain.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings, strategies as st

import slotwise as sw

BACKFILLS: list[Any] = [
    "none",
    "first-fit",
    "easy",
    {"name": "relaxed", "relaxation": 0.3},
    "multiple-queue",
    {"name": "depth", "depth": 2},
    "replan",
    "conservative",
]
MACHINE = [
    sw.NodeType(hosts="g[1-2]", cores=4, gpus=2, features=["ib", "big"]),
    sw.NodeType(hosts="c[1-3]", cores=4, features=["ib"]),
    sw.NodeType(hosts="s[1-2]", cores=2),
]
CAPACITY = np.array([[4, 2], [4, 2], [4, 0], [4, 0], [4, 0], [2, 0], [2, 0]])
QUEUES = {
    "a": sw.Queue("a", trace_queues=[0], nodes=["g[1-2]", "c1"], priority=2),
    "b": sw.Queue("b", trace_queues=[1], nodes=["c[1-3]"], starvation=20),
    "all": sw.Queue("all", running_per_user=3),
}
NODES_OF = {0: {0, 1, 2}, 1: {2, 3, 4}, 2: set(range(7))}
CONSTRAINTS = {"": set(range(7)), "ib": set(range(5)), "ib&big": {0, 1}}
DRAINED = [(30, 60, {3, 4}), (100, 120, set(range(7)))]
LIMITS = sw.Limits(per_user={"gpus": 3, "nodes": 4}, total={"cores": 20})


@st.composite
def workloads(draw: Any) -> list[dict[str, Any]]:
    jobs = []
    submit = 0
    for _ in range(draw(st.integers(1, 14))):
        submit += draw(st.integers(0, 6))
        request = draw(st.integers(1, 25))
        units = draw(st.integers(1, 3))
        nodes = draw(st.sampled_from((0, 0, 0, units)))
        jobs.append(
            {
                "submit": submit,
                "request": request,
                "run": draw(st.integers(0, request)),
                "units": units,
                "cores": draw(st.sampled_from((1, 1, 2, 3, 4))),
                "gpus": draw(st.sampled_from((0, 0, 0, 1, 2))),
                "per_node": draw(st.sampled_from((0, 0, 1, 2))) if nodes == 0 else 0,
                "nodes": nodes,
                "exclusive": draw(st.sampled_from(("no", "no", "no", "job"))),
                "constraint": draw(st.sampled_from(("", "", "ib", "ib&big"))),
                "queue": draw(st.integers(0, 2)),
                "user": draw(st.integers(0, 2)),
            }
        )
    return jobs


def trace_of(jobs: list[dict[str, Any]]) -> sw.Trace:
    column = {name: [job[name] for job in jobs] for name in jobs[0]}
    demands = sw.Demands(
        column["units"],
        cores=column["cores"],
        gpus=column["gpus"],
        per_node=column["per_node"],
        nodes=column["nodes"],
        exclusive=column["exclusive"],
        constraint=column["constraint"],
    )
    trace = sw.Trace.from_columns(
        column["submit"],
        column["run"],
        demands.processors,
        column["request"],
        user=column["user"],
        queue=column["queue"],
    )
    return trace.with_demands(demands)


def places_of(result: sw.Result, row: int) -> dict[int, int]:
    node, units = result.places(row)
    return dict(zip(node.tolist(), units.tolist(), strict=True))


def check(jobs: list[dict[str, Any]], result: sw.Result) -> None:
    started = [row for row in range(len(jobs)) if result.start[row] >= 0]
    places = {row: places_of(result, row) for row in started}
    for row in started:
        check_places(jobs[row], places[row], int(result.queue[row]))
        begin, asked = int(result.start[row]), int(result.start[row]) + jobs[row]["request"]
        for first, last, nodes in DRAINED:
            assert not (begin < last and asked > first and nodes & set(places[row])), row
    for time in sorted({int(result.start[row]) for row in started}):
        running = [row for row in started if result.start[row] <= time < result.end[row]]
        check_instant(jobs, places, running, result)


def check_places(job: dict[str, Any], places: dict[int, int], queue: int) -> None:
    assert sum(places.values()) == job["units"]
    assert set(places) <= NODES_OF[queue] & CONSTRAINTS[job["constraint"]]
    assert job["nodes"] in (0, len(places))
    most = 1 if job["exclusive"] == "job" else job["per_node"] or job["units"]
    assert max(places.values()) <= most


def check_instant(
    jobs: list[dict[str, Any]],
    places: dict[int, dict[int, int]],
    running: list[int],
    result: sw.Result,
) -> None:
    used = np.zeros_like(CAPACITY)
    for row in running:
        for node, units in places[row].items():
            whole = jobs[row]["exclusive"] == "job"
            each = [jobs[row]["cores"], jobs[row]["gpus"]]
            used[node] += CAPACITY[node] if whole else units * np.array(each)
    assert (used <= CAPACITY).all()
    assert sum(jobs[row]["units"] * jobs[row]["cores"] for row in running) <= 20
    for user in range(3):
        own = [row for row in running if jobs[row]["user"] == user]
        assert sum(jobs[row]["units"] * jobs[row]["gpus"] for row in own) <= 3
        assert len({node for row in own for node in places[row]}) <= 4
        assert sum(int(result.queue[row]) == 2 for row in own) <= 3


@settings(max_examples=400)
@given(
    jobs=workloads(),
    backfill=st.sampled_from(BACKFILLS),
    reserve=st.sampled_from(("numbers", "nodes")),
    placement=st.sampled_from(("least-scarce", "first-fit", "best-fit")),
    order=st.sampled_from(("fcfs", "sjf", "wfp3")),
)
def test_rules_hold_at_every_instant(
    jobs: list[dict[str, Any]], backfill: Any, reserve: Any, placement: str, order: str
) -> None:
    site = sw.Site(
        sw.Nodes(MACHINE, placement),
        sw.Policy(order=order, backfill=backfill, reserve=reserve),
        queues=list(QUEUES.values()),
        limits=LIMITS,
        maintenance=[
            sw.Maintenance(start=30, duration=30, nodes=["c[2-3]"]),
            sw.Maintenance(start=100, duration=20),
        ],
    )
    trace = trace_of(jobs)
    try:
        result = sw.simulate(trace, site)
    except ValueError:
        return  # no job can ever start
    check(jobs, result)
    assert not (result.state == sw.State.WAITING).any()


@settings(max_examples=200)
@given(jobs=workloads(), backfill=st.sampled_from(BACKFILLS), seed=st.integers(0, 5))
def test_no_job_runs_on_a_node_that_has_failed(
    jobs: list[dict[str, Any]], backfill: Any, seed: int
) -> None:
    site = sw.Site(
        sw.Nodes(MACHINE),
        sw.Policy(backfill=backfill),
        queues=list(QUEUES.values()),
        outages=[sw.Outage(start=5, duration=20, nodes=["c1", "s1"], mode="sudden")],
        crashes=sw.Crashes(law="exponential", mean=150, seed=seed, repair=7, per_node=True),
        interruption=sw.Interruption(requeue="never"),
    )
    try:
        result = sw.simulate(trace_of(jobs), site)
    except ValueError:
        return
    for row, (first, last) in product(range(len(jobs)), [(5, 25)]):
        if result.start[row] < 0:
            continue
        away = result.start[row] < last and result.end[row] > first
        assert not (away and {2, 5} & set(places_of(result, row))), row
