"""Dispatchers for the rolling horizon: constraint programming and list schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.studies.dispatch import lists
from slotwise.studies.dispatch.models import Planner, brought_up_to_date

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from slotwise.studies.dispatch.problem import Plan, Problem

    Int64 = NDArray[np.int64]
    Int32 = NDArray[np.int32]
    Start = tuple[int, Int32, Int32]


def starting_now(problem: Problem, plan: Plan) -> list[Start]:
    """Return the jobs that a plan starts immediately, with their placement."""
    return [(int(i), *plan.places(int(i))) for i in np.flatnonzero(plan.start == problem.now)]


class Proactive:
    """Replans all waiting jobs at each activation, and starts those planned for now.

    Parameters
    ----------
    planner : Planner
    """

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self._planned: dict[int, int] = {}  # start of each job in the last plan, by row

    def activate(self, problem: Problem, rows: Int64) -> Iterable[Start]:
        """Plan the jobs, and start those planned for now."""
        last = None
        if any(int(row) in self._planned for row in rows):
            never = np.iinfo(np.int64).max
            start = np.array([self._planned.get(int(row), never) for row in rows])
            last = brought_up_to_date(problem, start)
        plan = self.planner.plan(problem, last)
        self._planned = {int(row): int(s) for row, s in zip(rows, plan.start, strict=True)}
        return starting_now(problem, plan)


class MultiStart:
    """Takes the best of many list schedules at each activation.

    Parameters
    ----------
    objective : str
        A name from `objectives`.
    draws : int, default 32
        Number of random orders tried in addition to the sorted orders.
    seed : int, default 0
    """

    def __init__(self, objective: str, draws: int = 32, seed: int = 0) -> None:
        self.objective = objective
        self.draws = draws
        self.seed = seed

    def activate(self, problem: Problem, rows: Int64) -> Iterable[Start]:
        """Plan the jobs, and start those planned for now."""
        plan = lists.best_list_schedule(problem, self.objective, draws=self.draws, seed=self.seed)
        return starting_now(problem, plan)
