"""The cost of a manual priority depends on the length of the queue, not of the trace."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from hypothesis import given, strategies as st

import slotwise as sw
from reference.simulations import HURRIED

BACKFILLS = ("none", "first-fit", "easy")
WAITED = {"name": "expression", "key": "now - submit"}


def drawn(draw: st.DrawFn) -> sw.Trace:
    n = draw(st.integers(2, 14))
    gaps = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    run = draw(st.lists(st.integers(0, 12), min_size=n, max_size=n))
    asked = draw(st.lists(st.integers(0, 12), min_size=n, max_size=n))
    sizes = draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    return sw.Trace.from_columns(np.cumsum(gaps), run, sizes, asked, max_processors=4)


@HURRIED
@given(data=st.data())
def test_reordered_queues_start_what_a_planner_made_anew_starts(data: st.DataObject) -> None:
    """Compare `fcfs` with an equivalent order that rebuilds its planner at each new priority."""
    trace = data.draw(st.composite(drawn)())
    rules: dict[str, Any] = {
        "backfill": data.draw(st.sampled_from(BACKFILLS)),
        "kill_at_limit": data.draw(st.booleans()),
        "estimates": data.draw(st.sampled_from(["requested", "exact"])),
    }
    if rules["backfill"] != "easy":
        del rules["estimates"]
    sims = [
        sw.Simulation(trace, sw.Site(machine=4, policy=sw.Policy(order=order, **rules)))
        for order in ("fcfs", WAITED)
    ]
    copies = []
    for _ in range(data.draw(st.integers(1, 8))):
        moved = [sim.step() for sim in sims]
        assert moved[0] == moved[1]
        assert sims[0].queue.job_id.tolist() == sims[1].queue.job_id.tolist()
        act = data.draw(st.sampled_from(["set_priority", "set_priority", "hold", "release"]))
        for number in sims[0].queue.job_id[:3].tolist():
            held = dict(zip(sims[0].queue.job_id.tolist(), sims[0].queue.held, strict=True))
            value = (float(data.draw(st.integers(-2, 2))),) if act == "set_priority" else ()
            if act == "set_priority" or held[number] == (act == "release"):
                for sim in sims:
                    getattr(sim, act)(number, *value)
        copies.append([copy.copy(sim) for sim in sims])
    for one, other in [sims, *copies]:
        one.run()
        other.run()
        np.testing.assert_array_equal(one.result().start, other.result().start)
        np.testing.assert_array_equal(one.result().backfilled, other.result().backfilled)


def test_the_priorities_stay_when_the_policy_changes() -> None:
    # There is one processor, busy until 10. Then job 4 is first by its priority, followed by job 3.
    # Job 2 has no priority and comes last.
    trace = sw.Trace.from_columns([0, 1, 2, 3], [10] * 4, [1] * 4, max_processors=1)
    sim = sw.Simulation(trace)
    sim.run(until=5)
    sim.set_priority(4, 1)
    sim.run(until=6)
    sim.set_priority(3, 0.5)
    sim.set_priority(4, 2)
    sim.set_policy(sw.Policy(order="sjf"))
    sim.run()
    assert sim.result().start.tolist() == [0, 30, 20, 10]


def test_a_held_job_keeps_the_priority_that_it_gets() -> None:
    trace = sw.Trace.from_columns([0, 1, 2, 3], [10] * 4, [1] * 4, max_processors=1)
    sim = sw.Simulation(trace)
    sim.run(until=5)
    sim.set_priority(2, -1)
    sim.run(until=6)
    sim.hold(3)
    sim.set_priority(3, 5)
    sim.run(until=12)  # job 4 started at 10; job 2 waits with priority -1
    sim.release(3)
    sim.run()
    assert sim.result().start.tolist() == [0, 30, 20, 10]
