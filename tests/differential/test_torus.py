"""Replays on a torus against the reference simulator: starts, ends, states and every node."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import slotwise as sw
from reference.torus import Effect, no_effect, permutation, saving, simulate_on_nodes, slowing
from reference.workloads import UNITS, Workload, boxes, policies, workloads
from slotwise.site.policy.policy_checks import unread

if TYPE_CHECKING:
    from reference.policy import Policy

GIVEN = os.environ.get("SLOTWISE_EXAMPLES")
HURRIED = settings(
    max_examples=int(GIVEN or 30),
    derandomize=GIVEN is None,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
COUNTING = ("none", "first-fit", "easy", "depth", "conservative", "replan", "relaxed")


def replayed(
    workload: Workload, torus: sw.Torus, policy: Policy, placement: sw.PlacementEffect
) -> sw.Result:
    """Replay the workload with slotwise; omit options without effect, which slotwise rejects."""
    values = asdict(policy)
    read = {name: value for name, value in values.items() if name not in unread(values)}
    site = sw.Site(machine=torus, policy=sw.Policy(**read), placement=placement)
    return sw.simulate(workload.trace(), site)


def assert_agrees(
    workload: Workload,
    torus: sw.Torus,
    policy: Policy,
    effect: Effect = no_effect,
    placement: sw.PlacementEffect | None = None,
) -> None:
    """Compare every job and its nodes; on failure, show the jobs and the policy."""
    per_node = torus.processors_per_node
    expected = simulate_on_nodes(workload.jobs, torus.nodes, per_node, policy, effect)
    result = replayed(workload, torus, policy, placement or sw.PlacementEffect())
    lines = []
    for row, placed in enumerate(expected):
        columns = (result.start, result.end, result.state, result.backfilled)
        outcome = tuple(column[row].item() for column in columns)
        nodes = [int(p) for begin, end in result.nodes(row) for p in range(begin, end)]
        if (outcome, nodes) != (tuple(placed.outcome), placed.nodes):
            lines.append(f"    {row:3} {placed}\n        {outcome} {nodes}")
    shown = [repr(workload), repr(torus), repr(policy), "    job oracle, then core", *lines]
    assert not lines, "\n".join(shown)


@st.composite
def cases(draw: st.DrawFn, **fixed: Any) -> tuple[Workload, sw.Torus, Policy]:
    """Draw jobs, a torus on which at least one of them fits, and a policy."""
    unit = draw(st.sampled_from(UNITS))
    per_node = draw(st.sampled_from((1, 1, 2, 3)))
    torus = sw.Torus(draw(boxes()), order=draw(st.sampled_from(("row", "snake", "hilbert"))),
                     processors_per_node=per_node)  # fmt: skip
    workload = draw(workloads(unit, torus.count))
    smallest = min(job.processors for job in workload.jobs)
    if smallest > torus.count:
        torus = sw.Torus((smallest,))
    return workload, torus, draw(policies(unit, ending_now="busy", **fixed))


@pytest.mark.parametrize("allocation", ["first", "least-spread"])
@pytest.mark.parametrize("backfill", COUNTING)
@HURRIED
@given(data=st.data())
def test_counting_schedulers_agree_with_the_oracle(
    backfill: str, allocation: str, data: st.DataObject
) -> None:
    assert_agrees(*data.draw(cases(backfill=backfill, allocation=allocation)))


PLAIN: dict[str, Any] = {"spare_processors": True, "strict_end": False, "frozen_reservation": False}


@pytest.mark.parametrize("allocation", ["contiguous", "contiguous-best", "contiguous-worst"])
@pytest.mark.parametrize("backfill", ["none", "first-fit", "easy"])
@settings(HURRIED, max_examples=int(GIVEN or 50))
@given(data=st.data())
def test_contiguous_planning_agrees_with_the_oracle(
    backfill: str, allocation: str, data: st.DataObject
) -> None:
    assert_agrees(*data.draw(cases(backfill=backfill, allocation=allocation, **PLAIN)))


@pytest.mark.parametrize("allocation", ["first", "contiguous"])
@HURRIED
@given(data=st.data())
def test_placement_effects_agree_with_the_oracle(allocation: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(("requested", "user-history")))
    fixed = {"estimates": name, "waiting_estimates": None, "backfill": "easy", **PLAIN}
    workload, torus, policy = data.draw(cases(allocation=allocation, **fixed))
    alpha = data.draw(st.sampled_from((0.1, 0.3, 0.5, 0.53, 1.0)))
    beta = data.draw(st.sampled_from((0.3, 0.5, 1.0)))
    seed = data.draw(st.integers(0, 2**64 - 1))
    n_jobs = len(workload.jobs)
    chosen = permutation(seed, n_jobs)[: int(beta * n_jobs + 0.5)]
    sensitive = [int(job.position in chosen) for job in workload.jobs]
    placement = sw.PlacementEffect(alpha=alpha, beta=beta, seed=seed)
    assert_agrees(workload, torus, policy, saving(alpha, sensitive), placement)


@HURRIED
@given(data=st.data())
def test_run_times_that_grow_with_distance_agree_with_the_oracle(data: st.DataObject) -> None:
    allocation = data.draw(st.sampled_from(("first", "least-spread", "contiguous")))
    fixed = {"estimates": "requested", "waiting_estimates": None, "backfill": "easy", **PLAIN}
    workload, torus, policy = data.draw(cases(allocation=allocation, **fixed))
    gamma = data.draw(st.sampled_from((0.1, 0.5, 2.0)))
    coordinates = torus.coordinates(range(torus.nodes)).tolist()
    effect = slowing(gamma, torus.shape, coordinates)
    assert_agrees(workload, torus, policy, effect, sw.PlacementEffect(gamma=gamma))
