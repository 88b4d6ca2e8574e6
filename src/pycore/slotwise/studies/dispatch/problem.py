"""The dispatching problem at an instant, and its solution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from slotwise._core import NodePlan
from slotwise.studies.dispatch.tardiness import Tardiness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.site.machine.nodes import Nodes

    Int64 = NDArray[np.int64]
    Int32 = NDArray[np.int32]


@dataclass(frozen=True)
class Running:
    """A running job, which occupies its nodes until its estimated end.

    Attributes
    ----------
    end : int, seconds
        Later than the instant of the problem.
    each : tuple of int
        Amount of each resource held by a unit.
    node, units : (n_places,) int32
        Nodes, and the units on each.
    """

    end: int
    each: tuple[int, ...]
    node: Int32
    units: Int32


@dataclass(frozen=True)
class Problem:
    """The waiting and running jobs at an instant.

    Attributes
    ----------
    nodes : Nodes
        The machine.
    now : int, seconds
        No job starts earlier.
    units : (n_jobs,) int64
        Units of each waiting job.
    each : (n_jobs, n_resources) int64
        Amounts requested by a unit, in the order of ``nodes.resources``.
    duration : (n_jobs,) int64, seconds
        The requested times, at least 1.
    submit : (n_jobs,) int64, seconds
    expected_wait : (n_jobs,) int64, seconds
        Expected wait of the job's queue, at least 1.
    running : sequence of Running
    """

    nodes: Nodes
    now: int
    units: Int64
    each: Int64
    duration: Int64
    submit: Int64
    expected_wait: Int64
    running: Sequence[Running] = ()

    def __len__(self) -> int:
        return len(self.units)

    @cached_property
    def plan(self) -> NodePlan:
        """The plan of the running jobs; read-only, so copy it before adding jobs."""
        plan = NodePlan(self.nodes._core, self.now)
        for job in self.running:
            plan.occupy(job.node, job.units, list(job.each), self.now, job.end)
        return plan

    @cached_property
    def tardiness(self) -> Tardiness:
        """Weights and due times of the jobs."""
        return Tardiness.of(self.submit, self.expected_wait)

    @cached_property
    def last_running_end(self) -> int:
        """Estimated end of the last running job; `now` if no job is running."""
        return max((job.end for job in self.running), default=self.now)

    @cached_property
    def most_units(self) -> Int64:
        """Number of each job's units that fit on one node of each type, (n_jobs, n_types).

        By equation 6, this is the smallest ratio of capacity to demand among the requested
        resources, rounded down. It never exceeds the number of the job's units.
        """
        asked = self.each[:, None, :]
        room = self.nodes.capacities[None, :, :] // np.maximum(asked, 1)
        by_resource = np.where(asked > 0, room, self.units[:, None, None])
        most: Int64 = np.minimum(by_resource.min(axis=2), self.units[:, None])
        return most


@dataclass(frozen=True)
class Plan:
    """Start and nodes of every waiting job.

    Attributes
    ----------
    start : (n_jobs,) int64, seconds
    first : (n_jobs + 1,)
        Job i uses entries ``first[i]`` to ``first[i + 1]`` of `node` and `units`.
    node, units : (n_places,) int32
        Nodes, and the units on each.
    """

    start: Int64
    first: NDArray[np.integer]
    node: Int32
    units: Int32

    def places(self, job: int) -> tuple[Int32, Int32]:
        """Return the nodes of a job, and the units on each."""
        span = slice(int(self.first[job]), int(self.first[job + 1]))
        return self.node[span], self.units[span]

    @classmethod
    def of_places(cls, start: Int64, places: Sequence[dict[int, int]]) -> Plan:
        """Build a plan from each job's units by node."""
        node = [k for of_job in places for k in sorted(of_job)]
        units = [of_job[k] for of_job in places for k in sorted(of_job)]
        first = np.cumsum([0, *(len(of_job) for of_job in places)])
        return cls(start, first, np.array(node, np.int32), np.array(units, np.int32))
