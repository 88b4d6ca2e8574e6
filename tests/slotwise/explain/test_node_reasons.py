"""Explanations of waits on nodes, checked against worked cases and totals counted every second."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.explain import ResourceHeld


def replay(jobs: list[tuple[int, int, int, int, int]], nodes: sw.Nodes, **policy: Any) -> sw.Result:
    """Replay jobs of (submit, length, units, cores, gpus), numbered from 100."""
    submit, length, units, cores, gpus = map(list, zip(*jobs, strict=True))
    demands = sw.Demands(units, cores=cores, gpus=gpus)
    trace = sw.Trace.from_columns(
        submit, length, demands.processors, length, user=[1 + i % 2 for i in range(len(jobs))],
        job_id=range(100, 100 + len(jobs)),
    ).with_demands(demands)  # fmt: skip
    return sw.simulate(trace, sw.Site(nodes, sw.Policy(**policy)))


X_AND_Y = sw.Nodes([sw.NodeType(1, 4, gpus=1, name="X"), sw.NodeType(1, 4, name="Y")])


def test_the_lacking_resource_is_named_with_its_nodes() -> None:
    # A holds X's GPU and 1 core until 100; B requests 2 cores and the GPU. X has enough cores; Y
    # has no GPU, so it is never considered.
    told = replay([(0, 100, 1, 1, 1), (10, 50, 1, 2, 1)], X_AND_Y).explain(101)
    assert [(part.start, part.end, part.reason) for part in told.parts] == [(10, 100, "nodes")]
    assert told.resources == (ResourceHeld("gpus", 90, 1, {"X": 90}, "X1"),)
    # For 90 s, B lacks one unit of 2 cores, all of which is attributed to A: 2·90 = 180.
    assert [(b.job_id, b.user, b.processor_seconds) for b in told.blockers] == [(100, 1, 180.0)]
    assert (told.alone, told.estimated_start, told.overtaken_by) == (10, 100, ())


def test_resources_that_are_free_on_different_nodes_are_lacking_together() -> None:
    # A holds all cores of one node, and B holds the GPU and 1 core of the other. C requests 2 cores
    # and a GPU.
    two = sw.Nodes([sw.NodeType(2, 4, gpus=1)])
    told = replay([(0, 100, 1, 4, 0), (0, 60, 1, 1, 1), (10, 5, 1, 2, 1)], two).explain(102)
    assert told.seconds == {"nodes": 50}
    assert [(held.resource, held.seconds) for held in told.resources] == [
        ("together", 50), ("cores", 0),
    ]  # fmt: skip
    # For 50 s, C lacks 2 cores. A holds 4 cores and B holds 1, so the missing cores are attributed
    # to A and B in the ratio 4 : 1.
    shares = {b.job_id: b.processor_seconds for b in told.blockers}
    assert shares == pytest.approx({100: 80, 101: 20})


def test_a_job_that_fits_waits_for_jobs_before_it() -> None:
    # A holds all of X until 100, and B also needs X. C fits on Y, but without backfill it must wait
    # behind B, and so must D.
    jobs = [(0, 100, 1, 4, 1), (1, 50, 1, 4, 1), (2, 10, 1, 2, 0), (3, 10, 1, 2, 1)]
    result = replay(jobs, X_AND_Y, backfill="none")
    assert result.explain(102).seconds == {"order": 98}
    result = replay(jobs, X_AND_Y, backfill="easy")
    assert result.explain(102).wait == 0
    assert result.explain(101).overtaken_by == (102,)


@pytest.mark.parametrize(
    ("backfill", "estimates"),
    [("none", "requested"), ("first-fit", "requested"), ("easy", "exact"), ("replan", "requested")],
)
def test_a_single_node_is_explained_like_processors(backfill: str, estimates: str) -> None:
    draw = np.random.default_rng(1)
    run = draw.integers(1, 80, 30)
    trace = sw.Trace.from_columns(
        np.sort(draw.integers(0, 200, 30)), run, draw.integers(1, 9, 30),
        run + draw.integers(0, 60, 30), user=draw.integers(1, 4, 30), job_id=range(30),
    )  # fmt: skip
    policy = sw.Policy(backfill=backfill, estimates=estimates)  # type: ignore[arg-type]
    of_one = sw.simulate(trace, sw.Site(sw.Nodes([sw.NodeType(1, 10)]), policy))
    plain = sw.simulate(trace, sw.Site(sw.Processors(10), policy))
    for job in range(30):
        ours, theirs = of_one.explain(job), plain.explain(job)
        told, expected = ours.to_dict(), theirs.to_dict()
        lacked = told.pop("resources")
        del expected["resources"]
        for each in (told, expected):
            each["parts"] = [[b, e, r.replace("processors", "nodes")] for b, e, r in each["parts"]]
            seconds = each["seconds"].items()
            each["seconds"] = {r.replace("processors", "nodes"): n for r, n in seconds}
        assert told == expected
        assert sum(held["seconds"] for held in lacked) == ours.seconds.get("nodes", 0)


def by_the_second(result: sw.Result, job: int) -> tuple[Counter[str], Counter[str], Counter[int]]:
    """Count seconds by reason and by resource, and the missing cores by holder."""
    nodes, demands = result.site.machine, result.trace.demands
    assert isinstance(nodes, sw.Nodes)
    assert demands is not None
    units, each = demands.of_job(job)
    asked = [name for name in nodes.resources if each.get(name)]
    able = [
        n for n, kind in enumerate(nodes.type_of)
        if all(nodes.types[kind].resources.get(name, 0) >= each[name] for name in asked)
    ]  # fmt: skip
    reasons, resources, held = Counter[str](), Counter[str](), Counter[int]()
    for now in range(int(result.trace.submit[job]), int(result.start[job])):
        running = np.flatnonzero((result.start <= now) & (result.end > now) & (result.start >= 0))
        use = {name: Counter[int]() for name in (*asked, "cores")}
        whose = {name: Counter[int]() for name in use}
        for other in running.tolist():
            for node, count in zip(*result.places(other), strict=True):
                for name in use:
                    amount = int(count) * demands.of_job(other)[1][name]
                    use[name][int(node)] += amount
                    whose[name][other] += amount * (node in able)
        room = dict.fromkeys(asked, 0)
        joint = 0
        for node in able:
            has = nodes.types[nodes.type_of[node]].resources
            most = min(has[name] // each[name] for name in asked)
            by = {n: min((has[n] - use[n][node]) // each[n], most) for n in asked}
            joint += min(by.values())
            for name in asked:
                room[name] += by[name]
        if joint >= units:
            reasons["reservation"] += 1
            continue
        reasons["nodes"] += 1
        worst = min(asked, key=lambda name: room[name])
        worst = "together" if room[worst] >= units else worst
        resources[worst] += 1
        holders = whose["cores" if worst == "together" else worst]
        for other, amount in holders.items():
            missing = (units - joint) * each["cores"]
            held[100 + other] += missing * amount / holders.total()  # type: ignore[assignment]
    return reasons, resources, +held


@pytest.mark.parametrize("seed", range(3))
def test_every_second_of_a_wait_has_the_right_reason(seed: int) -> None:
    draw = np.random.default_rng(seed)
    nodes = sw.Nodes([sw.NodeType(2, 4, gpus=2), sw.NodeType(2, 6), sw.NodeType(1, 8, gpus=1)])
    jobs = [
        (int(at), *map(int, (draw.integers(1, 40), draw.integers(1, 4), draw.integers(1, 5),
                             draw.integers(0, 2))))
        for at in np.sort(draw.integers(0, 150, 40))
    ]  # fmt: skip
    result = replay(jobs, nodes)
    waited = np.flatnonzero(result.wait > 0)
    assert len(waited) > 5
    for job in waited.tolist():
        told = result.explain(100 + job)
        reasons, resources, held = by_the_second(result, job)
        assert Counter(told.seconds) == reasons
        assert Counter({r.resource: r.seconds for r in told.resources if r.seconds}) == resources
        shares = {b.job_id: b.processor_seconds for b in told.blockers}
        assert shares == pytest.approx(held)


def test_a_job_of_whole_nodes_waits_for_nodes() -> None:
    # Two nodes of 4 cores. A requests 1 processor, so it has one node until 100; B requests 5
    # processors, that is, two nodes, and lacks one.
    nodes = sw.Nodes([sw.NodeType(2, 4)], whole_nodes=True)
    trace = sw.Trace.from_columns([0, 10], [100, 50], [1, 5], job_id=[1, 2])
    told = sw.simulate(trace, sw.Site(nodes)).explain(2)
    assert told.seconds == {"nodes": 90}
    assert told.resources == (ResourceHeld("cores", 90, 1, {"type 0": 90}, "node1"),)
    # For 90 s, B lacks one unit of 4 cores, all of which is attributed to A: 4·90 = 360.
    assert [(b.job_id, b.processor_seconds) for b in told.blockers] == [(1, 360.0)]
