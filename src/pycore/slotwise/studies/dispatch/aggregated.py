"""The aggregated model: units per node as integers, and identical nodes combined.

It follows from the per-node model in two steps.

1. A job's units on a node are interchangeable, so the model needs only their number y(i, k), the
   sum over j of x(v(i, j, k)). The job's single interval demands y(i, k) times a unit's amounts on
   node k. This step is exact.
2. The nodes of a type are identical, so they are combined: y(i, c) units run on the nodes of type
   c, whose capacities are summed. This is a relaxation, because it ignores that a unit must fit on
   one node. Its optimum is never above the per-node optimum. The two optima are equal if every type
   has one node, or if the solution can be placed on the nodes. A further constraint limits units
   that need at least half of a node's amount of a resource. A unit that needs exactly half counts
   as 1, a larger unit as 2, and each node can hold a total of 2.

Because of this relaxation, only the order of the starts in a solution is used. The jobs are placed
on the nodes in that order, each at its earliest time (`list_schedule`). This gives every job its
nodes and its exact start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.studies.dispatch.lists import list_schedule
from slotwise.studies.dispatch.timing import Timing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.studies.dispatch.problem import Plan, Problem

    Int64 = NDArray[np.int64]


class Aggregated:
    """The aggregated model of a problem.

    Parameters
    ----------
    problem : Problem
    hint : Plan, optional
        A known schedule, as a warm start.
    each_node : bool, default False
        True: do only step 1, with every node as a separate class.
    """

    def __init__(
        self, problem: Problem, hint: Plan | None = None, *, each_node: bool = False
    ) -> None:
        self.problem = problem
        self.timing = Timing(problem, None if hint is None else hint.start)
        self.model = self.timing.model
        kind = problem.nodes.type_of
        self._class_of = np.arange(len(kind)) if each_node else kind  # class of each node
        self._type = kind if each_node else np.arange(len(problem.nodes.types))  # of each class
        self._count = np.bincount(self._class_of, minlength=len(self._type))
        self._intervals = [self.timing.interval(job) for job in range(len(problem))]
        self._units = [self._add_units(job, hint) for job in range(len(problem))]
        self._add_capacities()

    def _add_units(self, job: int, hint: Plan | None) -> dict[int, Any]:
        """Return the number of a job's units on each class of nodes, as model variables.

        If the job fits on only one class, this class gets all the units.
        """
        units = int(self.problem.units[job])
        most = self.problem.most_units[job, self._type] * self._count
        able = np.flatnonzero(most)
        if len(able) == 1:
            return {int(able[0]): units}
        known = None
        if hint is not None:
            node, count = hint.places(job)
            known = np.bincount(self._class_of[node], weights=count, minlength=len(self._type))
        chosen = {}
        for c in able:
            chosen[int(c)] = self.model.new_int_var(0, min(units, int(most[c])), f"y{job},{c}")
            if known is not None:
                self.model.add_hint(chosen[int(c)], int(known[c]))
        self.model.add(sum(chosen.values()) == units)
        return chosen

    def _add_capacities(self) -> None:
        capacities = self.problem.nodes.capacities[self._type]
        for c, of_node in enumerate(capacities):
            for r, capacity in enumerate(of_node):
                asked = self.problem.each[:, r]
                self._add_cumulative(c, asked, r, int(capacity) * int(self._count[c]))
                halves = np.where(2 * asked > capacity, 2, np.where(2 * asked == capacity, 1, 0))
                if ((2 * asked > capacity) & (asked < capacity)).any() and self._count[c] > 1:
                    self._add_cumulative(c, halves, r, 2 * int(self._count[c]), int(capacity))

    def _add_cumulative(
        self, c: int, asked: Int64, resource: int, capacity: int, half_of: int = 0
    ) -> None:
        intervals, demands, most = [], [], 0
        for job, units in enumerate(self._units):
            if asked[job] > 0 and c in units:
                intervals.append(self._intervals[job])
                demands.append(int(asked[job]) * units[c])
                most += int(asked[job]) * int(self.problem.units[job])
        if not intervals:
            return
        for end, amount in self._held(c, resource, half_of).items():
            length = end - self.problem.now
            intervals.append(self.model.new_fixed_size_interval_var(0, length, "running"))
            demands.append(amount)
            most += amount
        if most > capacity:
            self.model.add_cumulative(intervals, demands, capacity)

    def _held(self, c: int, resource: int, half_of: int) -> dict[int, int]:
        """Return the amount of a resource held by running jobs on a class of nodes, by end time.

        If `half_of` (a node's capacity) is not 0, count 2 for a unit that holds more than half of
        it, 1 for exactly half, and 0 for less.
        """
        held: dict[int, int] = {}
        for job in self.problem.running:
            amount = job.each[resource]
            if half_of:
                amount = 2 if 2 * amount > half_of else 1 if 2 * amount == half_of else 0
            units = int(job.units[self._class_of[job.node] == c].sum())
            if amount * units > 0:
                held[job.end] = held.get(job.end, 0) + amount * units
        return held

    def starts(self, solved: Any) -> Int64:
        """Read the starts from a solution; they may be infeasible on the individual nodes."""
        return self.timing.starts(solved)

    def plan(self, solved: Any) -> Plan:
        """Place the jobs in the order of their starts in a solution."""
        order = np.argsort(self.starts(solved), kind="stable").astype(np.int64)
        return list_schedule(self.problem, order)
