"""Dispatchers for the rolling horizon: constraint programming, list schedules, and PBS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.studies.dispatch import lists
from slotwise.studies.dispatch.models import Planner, brought_up_to_date

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from slotwise.site.machine.nodes import Nodes
    from slotwise.studies.dispatch.problem import Plan, Problem
    from slotwise.studies.dispatch.sites import DispatchSite

    Int64 = NDArray[np.int64]
    Int32 = NDArray[np.int32]
    Start = tuple[int, Int32, Int32]

DAY = 86400
DEBUG = 1
"""Number of the queue that may use the nodes reserved for it."""


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
        self._planned: dict[int, int] = {}  # start of each row's job in the last plan

    def next_due(self, now: int) -> int | None:
        """Return None: arrivals and ends suffice."""
        return None

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
        Number of random orders in addition to the usual ones.
    seed : int, default 0
    """

    def __init__(self, objective: str, draws: int = 32, seed: int = 0) -> None:
        self.objective = objective
        self.draws = draws
        self.seed = seed

    def next_due(self, now: int) -> int | None:
        """Return None: arrivals and ends suffice."""
        return None

    def activate(self, problem: Problem, rows: Int64) -> Iterable[Start]:
        """Plan the jobs, and start those planned for now."""
        plan = lists.best_list_schedule(problem, self.objective, draws=self.draws, seed=self.seed)
        return starting_now(problem, plan)


class PBS:
    """The dispatcher in use on EURORA, as far as the paper describes it (section 2).

    Each cycle tries the jobs in turn, by the priority of their queue, then by submit time. If a
    job's nodes are not free, it returns to the queue without a reservation, and the next job is
    tried. A unit takes the first node on which it fits. Some nodes accept only debug jobs; longpar
    jobs start only at night.

    Parameters
    ----------
    queue : (n_jobs,) int
        Queue of each row of the trace: 1 debug, 2 parallel, 3 longpar; others count as minor
        queues.
    site : DispatchSite
        The rules; those that the paper does not print are ours.
    """

    def __init__(self, queue: NDArray[np.integer], site: DispatchSite) -> None:
        self._queue = queue
        self._site = site
        self._rules = site.pbs

    def next_due(self, now: int) -> int | None:
        """Return the next pass."""
        return (now // self._rules.cycle + 1) * self._rules.cycle

    def is_night(self, now: int) -> bool:
        """Return True if jobs of queues that wait for the night may start."""
        begin, end = self._rules.night
        time = (now + self._rules.begin) % DAY
        return begin <= time < end if begin < end else time >= begin or time < end

    def activate(self, problem: Problem, rows: Int64) -> Iterable[Start]:
        """Try every job in turn; do nothing between two passes."""
        if problem.now % self._rules.cycle != 0:
            return []
        free = problem.nodes._node_capacities.copy()
        for running in problem.running:
            np.subtract.at(free, running.node, np.outer(running.units, running.each))
        kept = self._debug_nodes(problem.nodes)
        turns = [(self._turn(row), row, job) for job, row in enumerate(rows.tolist())]
        starts = []
        held_back: set[int] = set()
        for _, row, job in sorted(turns):
            queue = int(self._queue[row])
            waits_for_night = self._site.queue(queue).night_only and not self.is_night(problem.now)
            if waits_for_night or queue in held_back:
                continue
            found = _first_fit(problem, job, free, [] if queue == DEBUG else kept)
            if found is not None:
                node, units = found
                free[node] -= np.outer(units, problem.each[job])
                starts.append((job, node, units))
            elif self._rules.strict:
                held_back.add(queue)
        return starts

    def _turn(self, row: int) -> int:
        return -self._site.queue(int(self._queue[row])).priority

    def _debug_nodes(self, nodes: Nodes) -> list[int]:
        """Return the first nodes of each type."""
        first = np.unique(nodes.type_of, return_index=True)[1]
        return [int(k) + more for k in first for more in range(self._rules.debug_nodes)]


def _first_fit(
    problem: Problem, job: int, free: Int64, left_out: Sequence[int]
) -> tuple[Int32, Int32] | None:
    """Return nodes and units of a job on the first suitable nodes, except those in `left_out`."""
    each = problem.each[job]
    asked = each > 0
    room = (free[:, asked] // each[asked]).min(axis=1)
    room[list(left_out)] = 0
    needed = int(problem.units[job])
    before = np.cumsum(room) - room
    units = np.clip(np.minimum(room, needed - before), 0, None)
    if int(units.sum()) < needed:
        return None
    node = np.flatnonzero(units)
    return node.astype(np.int32), units[node].astype(np.int32)
