"""Pairs of policies under which the reference simulator must give the same outcomes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings

from reference import Outcome, Policy, simulate
from reference.workloads import Workload, cases

EXAMPLES = settings(max_examples=150, derandomize=True, database=None, deadline=None)


def outcomes(workload: Workload, policy: Policy) -> list[Outcome]:
    return simulate(workload.jobs, workload.processors, policy)


@EXAMPLES
@given(case=cases(backfill="depth", depth=1))
def test_one_reservation_is_easy(case: tuple[Workload, Policy]) -> None:
    workload, depth = case
    assert outcomes(workload, depth) == outcomes(workload, replace(depth, backfill="easy"))


@EXAMPLES
@given(case=cases(backfill="replan"))
def test_endless_reservations_are_replanning(case: tuple[Workload, Policy]) -> None:
    workload, replan = case
    depth = replace(replan, backfill="depth", depth=len(workload.jobs))
    assert outcomes(workload, replan) == outcomes(workload, depth)


@EXAMPLES
@given(case=cases(backfill="easy", frozen_reservation=True))
def test_a_frozen_reservation_is_a_relaxed_one_that_may_not_slip(
    case: tuple[Workload, Policy],
) -> None:
    workload, frozen = case
    relaxed = replace(frozen, backfill="relaxed", relaxation=0.0, frozen_reservation=False)
    assert outcomes(workload, frozen) == outcomes(workload, relaxed)


@EXAMPLES
@given(case=cases(passes="per-instant", promises="per-pass"))
def test_with_one_pass_an_instant_the_order_of_its_events_is_nothing(
    case: tuple[Workload, Policy],
) -> None:
    workload, policy = case
    first, second = (
        replace(policy, event_order=order) for order in ("completions-first", "arrivals-first")
    )
    assert outcomes(workload, first) == outcomes(workload, second)
