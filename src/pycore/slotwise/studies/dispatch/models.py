"""The six models of the paper: three pure ones and three composites."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np

from slotwise import extras
from slotwise.studies.dispatch import lists, objectives, solver
from slotwise.studies.dispatch.aggregated import Aggregated
from slotwise.studies.dispatch.objectives import LATE, MAKESPAN, OBJECTIVES, TARDINESS
from slotwise.studies.dispatch.paper import BEST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from slotwise.studies.dispatch.problem import Plan, Problem

MODELS = {
    "MKS": (MAKESPAN, False),
    "MKS WT/NL": (MAKESPAN, True),
    "NL": (LATE, False),
    "NL MKS/WT": (LATE, True),
    "WT": (TARDINESS, False),
    "WT MKS/NL": (TARDINESS, True),
}
"""Models by name (Tables 4 and 5): the objective, and True if it limits the other objectives."""

DELTA = Fraction(6, 5)
"""Limit on a secondary objective in a composite model, divided by the objective's optimum."""


class Formulation(Protocol):
    """A model of a problem: `PerNode` or `Aggregated`."""

    timing: Any
    model: Any

    def plan(self, solved: Any) -> Plan:
        """Read a plan from a solution."""


@dataclass
class Counts:
    """Counts of what happened at the activations of a dispatcher.

    Attributes
    ----------
    events : Counter
        ``solves``: a model was solved. ``proved``: the solution is optimal. ``bound``: a list
        schedule meets the lower bound, so no solve was needed. ``kept``: a list schedule or the
        last plan is kept, because the solution, once placed on the nodes, is no better or violates
        the limits. ``unknown``: the solve found nothing, so a list schedule or the last plan is
        used.

        If a composite model finds no plan within its limits, the pure model is used. The event is
        ``infeasible`` if there is no such plan, ``undecided`` if the solve found nothing, and
        ``broken`` if the solution violates the limits once placed on the nodes. If the pure solve
        also finds nothing, the event is ``fallback list`` instead of ``unknown``.
    """

    events: Counter[str] = field(default_factory=Counter)

    def note(self, event: str) -> None:
        """Count one more event."""
        self.events[event] += 1


class Planner:
    """Plans all waiting jobs of a problem with one of the six models.

    Parameters
    ----------
    name : str
        A key of `MODELS`.
    limits : Limits, optional
        Limits of each solve.
    draws : int, default 4
        Random list schedules tried in addition to those of `lists.orders`, for the warm start.
    formulation : callable, default Aggregated
        Builds a model from a problem and a hint.

    Raises
    ------
    ValueError
        For an unknown model.
    MissingExtraError
        If OR-tools is not installed.
    """

    def __init__(
        self,
        name: str,
        limits: solver.Limits | None = None,
        *,
        draws: int = 4,
        formulation: Callable[[Problem, Plan | None], Formulation] = Aggregated,
    ) -> None:
        if name not in MODELS:
            msg = f"unknown model {name!r}; choose one of: {', '.join(MODELS)}"
            raise ValueError(msg)
        extras.load("ortools.sat.python.cp_model")
        self.objective, self.is_composite = MODELS[name]
        self.limits = limits or solver.Limits()
        self.draws = draws
        self.formulation = formulation
        self.counts = Counts()

    def plan(self, problem: Problem, last: Plan | None = None) -> Plan:
        """Plan every job of a problem; `last` is the previous plan, adapted to this problem."""
        if not self.is_composite:
            return self._pure(problem, self.objective, last)
        others = [other for other in OBJECTIVES if other != self.objective]
        pure = {other: self._pure(problem, other, last) for other in others}
        bounds = {o: limit(problem, o, _value(problem, o, plan)) for o, plan in pure.items()}
        found = self._composite(problem, bounds, [*pure.values(), *([last] if last else [])])
        if found is not None:
            return found
        return self._pure(problem, self.objective, last, unknown="fallback list")

    def _pure(
        self, problem: Problem, objective: str, last: Plan | None, unknown: str = "unknown"
    ) -> Plan:
        known = lists.best_list_schedule(
            problem, objective, draws=self.draws, seed=self.limits.seed
        )
        if last is not None and _value(problem, objective, last) < _value(
            problem, objective, known
        ):
            known = last
        if _value(problem, objective, known) == objectives.least(problem, objective):
            self.counts.note("bound")
            return known
        _, found = self._solve(problem, objective, {}, known)
        return self._better(problem, objective, {}, found, known, unknown)

    def _composite(
        self, problem: Problem, bounds: Mapping[str, int], known: list[Plan]
    ) -> Plan | None:
        """Return a plan within the limits; if there is none, count the reason and return None."""
        mine = lists.best_list_schedule(
            problem, self.objective, draws=self.draws, seed=self.limits.seed
        )
        known = [plan for plan in (*known, mine) if _keeps(problem, bounds, plan)]
        hint = min(known, key=lambda p: _value(problem, self.objective, p)) if known else None
        least = objectives.least(problem, self.objective)
        if hint is not None and _value(problem, self.objective, hint) == least:
            self.counts.note("bound")
            return hint
        status, found = self._solve(problem, self.objective, bounds, hint or mine)
        if hint is not None:
            return self._better(problem, self.objective, bounds, found, hint)
        if found is None:
            self.counts.note("infeasible" if status == "INFEASIBLE" else "undecided")
        elif not _keeps(problem, bounds, found):
            self.counts.note("broken")
        else:
            return found
        return None

    def _solve(
        self, problem: Problem, objective: str, bounds: Mapping[str, int], hint: Plan
    ) -> tuple[str, Plan | None]:
        formulation = self.formulation(problem, hint)
        formulation.timing.aim(objective, bounds)
        status, solved = solver.solve(formulation.model, self.limits)
        self.counts.note("solves")
        if status == "OPTIMAL":
            self.counts.note("proved")
        if status not in ("OPTIMAL", "FEASIBLE"):
            return status, None
        return status, formulation.plan(solved)

    def _better(
        self,
        problem: Problem,
        objective: str,
        bounds: Mapping[str, int],
        found: Plan | None,
        known: Plan,
        unknown: str = "unknown",
    ) -> Plan:
        if found is None:
            self.counts.note(unknown)
            return known
        is_better = _value(problem, objective, found) < _value(problem, objective, known)
        if is_better and _keeps(problem, bounds, found):
            return found
        self.counts.note("kept")
        return known


def limit(problem: Problem, objective: str, theta: int) -> int:
    """Return the limit on an objective in a composite model: 1.2 theta (equations 13 and 14).

    `theta` is the value of the pure model. The limit is at least what `least_limit` returns.
    """
    return max(int(DELTA * theta), objectives.least_limit(problem, objective))


def _value(problem: Problem, objective: str, plan: Plan) -> int:
    return objectives.value(problem, objective, plan.start)


def _keeps(problem: Problem, bounds: Mapping[str, int], plan: Plan) -> bool:
    return all(_value(problem, other, plan) <= most for other, most in bounds.items())


def brought_up_to_date(problem: Problem, start: np.ndarray) -> Plan:
    """Place the jobs again, in the order of their starts in an earlier plan."""
    return lists.list_schedule(problem, np.argsort(start, kind="stable").astype(np.int64))


def models_of(quick: bool) -> Sequence[str]:
    """Return the models to compare: all six, or two under ``--quick``."""
    return ("MKS", BEST) if quick else tuple(MODELS)
