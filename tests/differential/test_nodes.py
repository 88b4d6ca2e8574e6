"""Nodes with several resources: the core against a plain simulator and exhaustive search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference import nodes as reference
from slotwise import _core
from slotwise.site.machine.nodes import PLACEMENTS

BACKFILLS = ("none", "first-fit", "easy", "depth", "replan", "conservative")
MACHINES = (
    [(1, (4, 0)), (2, (3, 0)), (1, (4, 2))],
    [(2, (4, 2)), (2, (4, 0))],
    [(3, (2, 1))],
)


@st.composite
def workloads(draw, sizes=(1, 2, 3, 4)):
    types = draw(st.sampled_from(MACHINES))
    jobs = []
    submit = 0
    for _ in range(draw(st.integers(1, 12))):
        submit += draw(st.integers(0, 4))
        request = draw(st.integers(0, 12))
        jobs.append(
            reference.NodeJob(
                submit,
                draw(st.integers(0, 14)),
                request,
                draw(st.integers(1, 5)),
                (draw(st.sampled_from(sizes)), draw(st.sampled_from((0, 0, 0, 1, 2)))),
            )
        )
    return types, jobs


def nodes_of(types, placement):
    kinds = [sw.NodeType(count=n, cores=cores, gpus=gpus) for n, (cores, gpus) in types]
    return sw.Nodes(kinds, placement)


def trace_of(jobs):
    demands = sw.Demands(
        [j.units for j in jobs],
        cores=[j.each[0] for j in jobs],
        gpus=[j.each[1] for j in jobs],
    )
    # A request of 0 means no request, and the run time replaces it.
    return sw.Trace.from_columns(
        [j.submit for j in jobs],
        [j.run for j in jobs],
        demands.processors,
        [j.request for j in jobs],
    ).with_demands(demands)


def replayed(types, jobs, backfill, order, placement, **policy):
    depth = {"depth": 3} if backfill == "depth" else {}
    policy = sw.Policy(order=order, backfill=backfill, reserve="nodes", **depth, **policy)
    return sw.simulate(trace_of(jobs), sw.Site(machine=nodes_of(types, placement), policy=policy))


def places_of(result, row):
    node, units = result.places(row)
    return dict(zip(node.tolist(), units.tolist(), strict=True))


@settings(max_examples=120)
@given(
    workload=workloads(),
    backfill=st.sampled_from(BACKFILLS),
    order=st.sampled_from(("fcfs", "sjf")),
    placement=st.sampled_from(sorted(PLACEMENTS)),
)
def test_starts_and_places_are_those_of_the_plain_simulator(workload, backfill, order, placement):
    compare(workload, backfill, order, placement)


@settings(max_examples=120)
@given(
    workload=workloads(sizes=(2, 3, 4, 4, 4)),  # most units take whole nodes
    placement=st.sampled_from(sorted(PLACEMENTS)),
)
def test_whole_nodes_are_promised_as_the_plain_simulator_does(workload, placement):
    compare(workload, "conservative", "fcfs", placement)


@settings(max_examples=60)
@given(workload=workloads(), backfill=st.sampled_from(BACKFILLS))
def test_passes_at_fixed_times_overfill_no_node(workload, backfill):
    types, jobs = workload
    jobs = [reference.NodeJob(j.submit, j.run, j.request or j.run, j.units, j.each) for j in jobs]
    if not any(reference.can_run(job, types) for job in jobs):
        return
    result = replayed(types, jobs, backfill, "fcfs", "first-fit", passes="7s")
    places = [places_of(result, i) for i in range(len(jobs))]
    assert reference.overfull(jobs, types, result.start.tolist(), result.end.tolist(), places) == []


def compare(workload, backfill, order, placement):
    types, jobs = workload
    jobs = [reference.NodeJob(j.submit, j.run, j.request or j.run, j.units, j.each) for j in jobs]
    if not any(reference.can_run(job, types) for job in jobs):
        with pytest.raises(sw.TraceError, match=r"fits? on the nodes"):
            replayed(types, jobs, backfill, order, placement)
        return
    result = replayed(types, jobs, backfill, order, placement)
    start, places = reference.simulate(
        jobs, types, backfill=backfill, order=order, depth=3, rule=placement
    )
    assert result.start.tolist() == start
    mine = [places_of(result, i) for i in range(len(jobs))]
    assert mine == places
    assert reference.overfull(jobs, types, start, result.end.tolist(), mine) == []


@settings(max_examples=150)
@given(workload=workloads(), data=st.data())
def test_a_plan_answers_as_a_search_through_all_times_does(workload, data):
    types, jobs = workload
    nodes = nodes_of(types, "first-fit")
    core = _core.NodePlan(nodes._core, 0)
    plain = reference.Plan(types)
    now = 0
    n_resources = len(nodes.resources)
    for job in jobs:
        if not reference.can_run(job, types):
            assert core.earliest(job.units, list(job.each)[:n_resources], 1, now) == _core.NEVER
            continue
        each = list(job.each)[:n_resources]
        length = max(job.request, 1)
        now += data.draw(st.integers(0, 2))
        core.advance(now)
        time = plain.earliest(job, length, now)
        assert core.earliest(job.units, each, length, now) == time
        assert core.fits(job.units, each, now, length) == (time == now)
        before = data.draw(st.integers(now + 1, now + 20))
        assert core.earliest(job.units, each, length, now, before) == (
            time if time < before else _core.NEVER
        )
        node, units = core.place(job.units, each, time, length, PLACEMENTS["first-fit"])
        places = plain.place(job, time, length, "first-fit")
        assert dict(zip(node.tolist(), units.tolist(), strict=True)) == places
        core.occupy(node, units, each, time, time + length)
        plain.stays.append(reference.Stay(time, time + length, places, job.each))
        later = data.draw(st.integers(now, now + 30))
        for k in range(nodes.n_nodes):
            assert core.free(k, later) == plain.free(k, later)[:n_resources]


def test_a_machine_of_one_core_nodes_is_a_machine_of_processors():
    trace = sw.generate("lublin", n_jobs=300, processors=32, load=0.9, seed=3)
    # Only backfills without reservations are compared: on a machine with nodes, reservations are
    # for particular nodes.
    for backfill in ("none", "first-fit"):
        policy = sw.Policy(backfill=backfill)
        plain = sw.simulate(trace, sw.Site(32, policy))
        nodes = sw.Nodes([sw.NodeType(count=32, cores=1)])
        on_nodes = sw.simulate(trace, sw.Site(machine=nodes, policy=policy))
        assert np.array_equal(plain.start, on_nodes.start), backfill
