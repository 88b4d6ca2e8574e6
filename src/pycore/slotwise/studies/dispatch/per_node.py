"""The per-node model: section 3.2 as printed.

It has an interval per job, and an optional interval v(i, j, k) per unit and node. All intervals of
a job share one start variable. The number of present intervals equals the number of units, which
replaces the alternative constraint (equations 5 and 7). Each node and resource has a cumulative
constraint (equation 8).

Equation 6 is applied per node, to the resources that a unit requests: p(i, k) = min(rn_i, min over
r with rq(i, r) > 0 of floor(cap(k, r) / rq(i, r))). The interval v(i, j, k) exists only if
j < p(i, k), so nodes that are too small for a unit have none. The units of a job are equal, so
v(i, j + 1, k) is present only if v(i, j, k) is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.studies.dispatch.problem import Plan
from slotwise.studies.dispatch.timing import Timing

if TYPE_CHECKING:
    from slotwise.studies.dispatch.problem import Problem


class PerNode:
    """The per-node model of a problem.

    Parameters
    ----------
    problem : Problem
    hint : Plan, optional
        A known schedule, as a warm start.
    """

    def __init__(self, problem: Problem, hint: Plan | None = None) -> None:
        self.problem = problem
        self.timing = Timing(problem, None if hint is None else hint.start)
        self.model = self.timing.model
        # For each job and node, the variables that state whether v(i, j, k) is present.
        self._present: list[dict[int, list[Any]]] = []
        # For each node, the intervals of units on it, each with its demand.
        self._stays: dict[int, list[tuple[Any, Any]]] = {}
        for job in range(len(problem)):
            self._add_job(job, {} if hint is None else _units_by_node(hint, job))
        self._add_running()
        self._add_capacities()

    def _add_job(self, job: int, hint: dict[int, int]) -> None:
        problem, model = self.problem, self.model
        self.timing.interval(job)
        start, duration = self.timing.start[job], int(problem.duration[job])
        present: dict[int, list[Any]] = {}
        for node, kind in enumerate(problem.nodes.type_of):
            for j in range(problem.most_units[job, kind]):
                is_here = model.new_bool_var(f"x{job},{j},{node}")
                interval = model.new_optional_fixed_size_interval_var(
                    start, duration, is_here, f"v{job},{j},{node}"
                )
                before = present.setdefault(node, [])
                if before:
                    model.add_implication(is_here, before[-1])
                before.append(is_here)
                if hint:
                    model.add_hint(is_here, hint.get(node, 0) > j)
                self._stays.setdefault(node, []).append((interval, problem.each[job]))
        all_units = [is_here for of_node in present.values() for is_here in of_node]
        model.add(sum(all_units) == int(problem.units[job]))
        self._present.append(present)

    def _add_running(self) -> None:
        for running in self.problem.running:
            for node, units in zip(running.node, running.units, strict=True):
                length = running.end - self.problem.now
                interval = self.model.new_fixed_size_interval_var(0, length, "running")
                demand = [amount * int(units) for amount in running.each]
                self._stays.setdefault(int(node), []).append((interval, demand))

    def _add_capacities(self) -> None:
        nodes = self.problem.nodes
        for node, stays in self._stays.items():
            for r, capacity in enumerate(nodes.capacities[nodes.type_of[node]]):
                asking = [(v, int(demand[r])) for v, demand in stays if demand[r] > 0]
                if sum(amount for _, amount in asking) > capacity:
                    intervals, demands = zip(*asking, strict=True)
                    self.model.add_cumulative(intervals, demands, int(capacity))

    def plan(self, solved: Any) -> Plan:
        """Read the plan of a solution."""
        places = [
            {node: n for node, v in present.items() if (n := sum(map(solved.value, v))) > 0}
            for present in self._present
        ]
        return Plan.of_places(self.timing.starts(solved), places)


def _units_by_node(plan: Plan, job: int) -> dict[int, int]:
    nodes, units = plan.places(job)
    return dict(zip(nodes.tolist(), units.tolist(), strict=True))
