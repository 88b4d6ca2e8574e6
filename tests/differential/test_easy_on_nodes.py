"""Easy and conservative backfilling with long queues and reservations of specific nodes.

`easy` and `conservative` each have their own planner. `depth` with a depth of one uses the general
planner, and a stepped replay uses the planner for sites with queues. All planners must give every
job the same start and places.
"""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, strategies as st

import slotwise as sw
from reference.examples import hurried
from slotwise.site.machine.nodes import PLACEMENTS

ORDERS = ("fcfs", "lifo", "sjf", "ljf", "smallest", "saf")
PASSES = ("per-instant", "per-instant", "per-event", "7s")


def drawn_trace(chance: random.Random) -> sw.Trace:
    """Draw a burst of jobs of a few kinds; most jobs request more than their run time."""
    n = chance.randint(30, 250)
    kinds = [
        (
            chance.choice((1, 1, 1, 2, 3, 5, 9)),
            chance.choice((1, 1, 2, 3, 4)),
            chance.choice((0, 0, 0, 1, 2)),
            chance.choice((0, 1, 2, 5)),
        )
        for _ in range(chance.choice((1, 3, 8, 40)))
    ]
    jobs = [chance.choice(kinds) for _ in range(n)]
    units, cores, gpus, memory = (np.array(column) for column in zip(*jobs, strict=True))
    pace = chance.choice((0, 1, 4, 12))
    submit = np.cumsum([chance.randint(0, pace) for _ in range(n)])
    run = np.array([chance.choice((0, 1, 5, chance.randint(1, 90))) for _ in range(n)])
    request = run + np.array([chance.choice((0, 0, 3, 20, 200)) for _ in range(n)])
    demands = sw.Demands(units, cores=cores, gpus=gpus, memory=memory << 20)
    return sw.Trace.from_columns(
        submit, run, demands.processors, np.maximum(request, chance.choice((0, 1)))
    ).with_demands(demands)


def drawn_machine(chance: random.Random) -> sw.Nodes:
    types = [
        sw.NodeType(
            count=chance.choice((1, 2, 5, 30)),
            cores=chance.choice((4, 4, 8)),
            gpus=chance.choice((2, 0)) if i else 2,
            memory=f"{chance.choice((6, 12, 40))}GB",
        )
        for i in range(chance.choice((1, 2, 4)))
    ]
    return sw.Nodes(types, chance.choice(sorted(PLACEMENTS)))


def drawn_site(chance: random.Random, **backfill: object) -> sw.Site:
    return sw.Site(
        drawn_machine(chance),
        sw.Policy(
            order=chance.choice(ORDERS),
            passes=chance.choice(PASSES),
            estimates=chance.choice(("requested", "requested", "exact")),
            reserve="nodes",
            **backfill,
        ),
    )


def columns(result: sw.Result) -> tuple[object, ...]:
    places = [tuple(map(tuple, result.places(row))) for row in range(len(result.start))]
    return result.start.tolist(), result.state.tolist(), places


def both_sites(seed: int) -> tuple[sw.Trace, sw.Site, sw.Site]:
    traces = random.Random(seed)
    trace = drawn_trace(traces)
    state = traces.getstate()
    easy = drawn_site(traces, backfill="easy")
    traces.setstate(state)
    return trace, easy, drawn_site(traces, backfill="depth", depth=1)


@hurried(60)
@given(seed=st.integers(0, 1 << 40))
def test_easy_gives_the_schedule_of_one_reservation(seed: int) -> None:
    trace, easy, general = both_sites(seed)
    try:
        expected = sw.simulate(trace, general)
    except sw.TraceError:
        return  # No job fits on the nodes.
    assert columns(sw.simulate(trace, easy)) == columns(expected)


@hurried(40)
@given(seed=st.integers(0, 1 << 40))
def test_easy_gives_the_schedule_of_a_stepped_replay(seed: int) -> None:
    trace, easy, _ = both_sites(seed)
    compare_stepped(trace, easy)


@hurried(60)
@given(seed=st.integers(0, 1 << 40))
def test_conservative_gives_the_schedule_of_a_stepped_replay(seed: int) -> None:
    chance = random.Random(seed)
    compare_stepped(drawn_trace(chance), drawn_site(chance, backfill="conservative"))


def compare_stepped(trace: sw.Trace, site: sw.Site) -> None:
    if site.policy.passes == "per-event":
        return  # jobs that end now may still hold nodes that the plan counts as free
    try:
        expected = sw.simulate(trace, site)
    except sw.TraceError:
        return  # No job fits on the nodes.
    sim = sw.Simulation(trace, site)
    sim.run()
    assert columns(sim.result()) == columns(expected)


@hurried(60)
@given(seed=st.integers(0, 1 << 40))
def test_jobs_tried_by_shape_start_as_jobs_tried_in_line(seed: int) -> None:
    # On sites whose jobs restart from checkpoints, the planner tries waiting jobs one by one. No
    # job is interrupted here, so the checkpoints have no other effect.
    chance = random.Random(seed)
    trace, site = drawn_trace(chance), drawn_site(chance, backfill=chance.choice(("easy", "depth")))
    site = site.replace(
        queues=[sw.Queue("all")],
        policy=site.policy.replace(reserve=chance.choice(("nodes", "numbers", "numbers"))),
        limits=sw.Limits(running=chance.choice((None, None, 6))),
    )
    in_line = site.replace(
        interruption=sw.Interruption(requeue="from-checkpoint", checkpoint_every=60)
    )
    try:
        expected = sw.simulate(trace, in_line)
    except sw.TraceError:
        return  # No job fits on the nodes.
    assert columns(sw.simulate(trace, site)) == columns(expected)
