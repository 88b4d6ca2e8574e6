"""Window scheduling against the reference simulator: every outcome and every node."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import slotwise as sw
from reference.orders import ORDERS
from reference.window import WindowPolicy, simulate_window
from reference.workloads import UNITS, Workload, boxes, crowd, periods, workloads
from slotwise.site.policy.policy_checks import unread

GIVEN = os.environ.get("SLOTWISE_EXAMPLES")
HURRIED = settings(
    max_examples=int(GIVEN or 40),
    derandomize=GIVEN is None,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def assert_agrees(
    workload: Workload, machine: sw.Torus | sw.Processors, policy: WindowPolicy
) -> None:
    """Compare every job and its nodes; on failure, show the jobs and the policy."""
    torus = machine if isinstance(machine, sw.Torus) else sw.Torus((machine.count,), order="row")
    expected, given_nodes = simulate_window(
        workload.jobs, torus.nodes, torus.processors_per_node, policy
    )
    values = asdict(policy)
    read = {name: value for name, value in values.items() if name not in unread(values)}
    result = sw.simulate(workload.trace(), sw.Site(machine=machine, policy=sw.Policy(**read)))
    lines = []
    for row, outcome in enumerate(expected):
        columns = (result.start, result.end, result.state, result.backfilled)
        found = tuple(column[row].item() for column in columns)
        nodes = [given_nodes[row]] if row in given_nodes else []
        here = [tuple(run) for run in result.nodes(row).tolist()] if machine is torus else nodes
        if (found, here) != (tuple(outcome), nodes):
            lines.append(f"    {row:3} {outcome} {nodes}\n        {found} {here}")
    shown = [repr(workload), repr(machine), repr(policy), "    job oracle, then core", *lines]
    assert not lines, "\n".join(shown)


@st.composite
def policies(draw: st.DrawFn, unit: int, **fixed: Any) -> WindowPolicy:
    def one_of(name: str, *values: Any) -> Any:
        return fixed[name] if name in fixed else draw(st.sampled_from(values))

    age_limit = one_of("age_limit", None, None, 0, 2 * unit, 7 * unit)
    beliefs = ("requested", "exact", "user-history") if age_limit is not None else ("requested",)
    return WindowPolicy(
        order=one_of("order", "fcfs", "fcfs", *ORDERS),
        window=one_of("window", 1, 2, 3, 5, 20),
        solver=one_of("solver", "branch-and-bound", "greedy"),
        slots=one_of("slots", "largest", "all"),
        refill=one_of("refill", None, True, False),
        beyond_window=one_of("beyond_window", False, True),
        age_limit=age_limit,
        estimates=one_of("estimates", *beliefs),
        waiting_estimates=one_of("waiting_estimates", None, *beliefs[1:]),
        passes=one_of("passes", "per-instant", "per-event", *periods(unit)),
        event_order=one_of("event_order", "completions-first", "arrivals-first"),
        kill_at_limit=one_of("kill_at_limit", True, False),
    )


@st.composite
def cases(draw: st.DrawFn, **fixed: Any) -> tuple[Workload, sw.Torus, WindowPolicy]:
    unit = draw(st.sampled_from(UNITS))
    per_node = draw(st.sampled_from((1, 1, 2, 3)))
    torus = sw.Torus(draw(boxes()), processors_per_node=per_node)
    workload = draw(workloads(unit, torus.count))
    smallest = min(job.processors for job in workload.jobs)
    if smallest > torus.count:
        torus = sw.Torus((smallest,))
    return workload, torus, draw(policies(unit, **fixed))


@pytest.mark.parametrize("solver", ["branch-and-bound", "greedy"])
@pytest.mark.parametrize("refill", [True, False])
@pytest.mark.parametrize("passes", ["per-instant", "per-event", "3s"])
@HURRIED
@given(data=st.data())
def test_windows_agree_with_the_oracle(
    passes: str, refill: bool, solver: str, data: st.DataObject
) -> None:
    fixed = {"passes": passes, "refill": refill, "solver": solver, "age_limit": None}
    assert_agrees(*data.draw(cases(**fixed)))


@pytest.mark.parametrize("beyond_window", [False, True])
@settings(HURRIED, max_examples=3 * HURRIED.max_examples)
@given(data=st.data())
def test_reservations_of_aged_jobs_agree_with_the_oracle(
    beyond_window: bool, data: st.DataObject
) -> None:
    assert_agrees(*data.draw(cases(beyond_window=beyond_window)))


@pytest.mark.parametrize("solver", ["branch-and-bound", "greedy"])
@pytest.mark.parametrize("passes", ["per-instant", "30s"])
def test_crowds_agree_with_the_oracle(passes: str, solver: str) -> None:
    # The machine has 160 nodes, so a window of six jobs has many free slots to choose from.
    workload = crowd(7, n_jobs=150)
    policy = WindowPolicy(passes=passes, solver=solver, window=6, age_limit=400, slots="all")
    assert_agrees(workload, sw.Torus((8, 5, 4)), policy)


def test_a_machine_of_processors_is_a_line_of_nodes() -> None:
    workload = crowd(11, n_jobs=150)
    assert_agrees(workload, sw.Processors(workload.processors), WindowPolicy(window=4))
