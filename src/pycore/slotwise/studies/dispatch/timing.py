"""Starts, objectives and limits, which the per-node and aggregated models share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise.studies.dispatch import objectives

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from slotwise.studies.dispatch.problem import Problem

    Int64 = NDArray[np.int64]


class Timing:
    """A CP-SAT model with the start of every job; time 0 is the problem's instant (footnote 1).

    Parameters
    ----------
    problem : Problem
    hint : (n_jobs,) int64, optional
        Starts of a known schedule, as a warm start.
    """

    def __init__(self, problem: Problem, hint: Int64 | None = None) -> None:
        self.problem = problem
        self.model: Any = extras.load("ortools.sat.python.cp_model").CpModel()
        self._hint = None if hint is None else hint - problem.now
        self._terms: dict[str, Any] = {}
        last = problem.last_running_end - problem.now
        self.horizon = last + int(problem.duration.sum())
        self.start = [
            self._variable(f"s{i}", self.horizon - int(d), self._hint_of(i))
            for i, d in enumerate(problem.duration)
        ]

    def _hint_of(self, job: int) -> int | None:
        return None if self._hint is None else int(self._hint[job])

    def _variable(self, name: str, most: int, hint: int | None) -> Any:
        variable = self.model.new_int_var(0, most, name)
        if hint is not None:
            self.model.add_hint(variable, hint)
        return variable

    def interval(self, job: int) -> Any:
        """Return the interval of a job."""
        return self.model.new_fixed_size_interval_var(
            self.start[job], int(self.problem.duration[job]), f"tau{job}"
        )

    def term(self, objective: str) -> Any:
        """Return an expression that is at least the value of an objective."""
        if objective not in self._terms:
            build = {
                objectives.MAKESPAN: self._makespan,
                objectives.TARDINESS: self._tardiness,
                objectives.LATE: self._late,
            }
            self._terms[objective] = build[objective]()
        return self._terms[objective]

    def _makespan(self) -> Any:
        problem = self.problem
        hint = None
        if self._hint is not None:
            hint = objectives.value(problem, objectives.MAKESPAN, self._hint + problem.now)
        makespan = self._variable("makespan", self.horizon, hint)
        self.model.add(makespan >= problem.last_running_end - problem.now)
        for start, duration in zip(self.start, problem.duration, strict=True):
            self.model.add(makespan >= start + int(duration))
        return makespan

    def _due(self) -> list[int]:
        return [int(d) for d in self.problem.tardiness.due - self.problem.now]

    def _tardiness(self) -> Any:
        weight = self.problem.tardiness.weight
        terms = []
        for i, due in enumerate(self._due()):
            hint = self._hint_of(i)
            most = max(self.horizon - due, 0)
            late = self._variable(f"late{i}", most, None if hint is None else max(hint - due, 0))
            self.model.add(late >= self.start[i] - due)
            terms.append(int(weight[i]) * late)
        return sum(terms)

    def _late(self) -> Any:
        terms = []
        for i, due in enumerate(self._due()):
            if due < 0:
                terms.append(1)
                continue
            late = self.model.new_bool_var(f"is_late{i}")
            self.model.add(self.start[i] <= due).only_enforce_if(~late)
            hint = self._hint_of(i)
            if hint is not None:
                self.model.add_hint(late, hint > due)
            terms.append(late)
        return sum(terms)

    def aim(self, objective: str, limits: Mapping[str, int] | None = None) -> None:
        """Minimise an objective, under limits on others (equations 9-14)."""
        for other, most in (limits or {}).items():
            self.model.add(self.term(other) <= most)
        self.model.minimize(self.term(objective))

    def starts(self, solved: Any) -> Int64:
        """Read the starts of a solution."""
        values = [solved.value(start) for start in self.start]
        return np.array(values, dtype=np.int64) + self.problem.now
