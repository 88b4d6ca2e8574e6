"""List schedules: jobs are placed in a given order, each as early as the previous ones allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import PlacementRule
from slotwise.studies.dispatch import objectives
from slotwise.studies.dispatch.problem import Plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.studies.dispatch.problem import Problem

    Int64 = NDArray[np.int64]

LEAST_SCARCE = PlacementRule.least_scarce


def list_schedule(problem: Problem, order: Int64, rule: PlacementRule = LEAST_SCARCE) -> Plan:
    """Plan the jobs one after another in `order`, each as early as possible."""
    plan = problem.plan.copy()
    start, first, node, units = plan.schedule(
        problem.units, problem.each, problem.duration, order, problem.now, rule
    )
    return Plan(start, first, node, units)


def orders(problem: Problem, draws: int = 0, seed: int = 0) -> Iterator[Int64]:
    """Yield five sorted orders of the jobs, then `draws` random variations of the due-time order.

    The sorted orders are by submit time, by due time, longest first, largest first (by core
    seconds), and shortest first.
    """
    tardiness = problem.tardiness
    area = problem.duration * problem.units * problem.each[:, 0]
    for key in (problem.submit, tardiness.due, -problem.duration, -area, problem.duration):
        yield np.argsort(key, kind="stable").astype(np.int64)
    random = np.random.default_rng([seed, problem.now, len(problem)])
    ranks = np.argsort(np.argsort(tardiness.due, kind="stable"))
    for _ in range(draws):
        noise = random.uniform(0, max(len(problem) / 2, 1), len(problem))
        yield np.argsort(ranks + noise, kind="stable").astype(np.int64)


def best_list_schedule(problem: Problem, objective: str, *, draws: int = 0, seed: int = 0) -> Plan:
    """Return the list schedule with the lowest objective over `orders`; on a tie, the first."""
    best = None
    best_value = 0
    for order in orders(problem, draws, seed):
        plan = list_schedule(problem, order)
        its_value = objectives.value(problem, objective, plan.start)
        if best is None or its_value < best_value:
            best, best_value = plan, its_value
        if best_value == objectives.least(problem, objective):
            break
    assert best is not None
    return best
