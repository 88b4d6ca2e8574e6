"""Room for the units of one job on a machine of nodes, at each instant of its wait.

Example: nodes X (4 cores, 1 GPU) and Y (4 cores); a job of one unit of 2 cores and the GPU waits.
While another job has the GPU and 1 core, X has cores for one unit and GPUs for none: gpus are
lacking. Y never counts, as it has no GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise.site.machine.nodes import Nodes
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.explain.run_intervals import RunIntervals
    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]


class _Changes(NamedTuple):
    """Changes of free room on nodes that can hold a unit, by node, then by time.

    `by` has one column per requested resource: the change in units that fit by that resource alone.
    The last column counts units that fit by all resources together.
    """

    type: Int64
    time: Int64
    by: Int64


class NodeRoom:
    """The number of units of a job that fit, at each instant.

    Parameters
    ----------
    result : Result
        Result on a machine of nodes.
    job : int
        Row of the job.
    runs : RunIntervals
        Runs during its wait.
    times : (n,) int64
        Ascending instants, the first no later than those runs.

    Attributes
    ----------
    names : tuple of str
        Requested resources.
    units : int
    cores : int
        Cores per unit.
    types : (n_types,) int64
        Positions of the node types that can hold a unit.
    total : (n, n_names + 1) int64
        Units that fit on these types by each resource alone; last column: by all together.
    """

    def __init__(self, result: ReplayData, job: int, runs: RunIntervals, times: Int64) -> None:
        machine = result.site.machine
        assert isinstance(machine, Nodes)
        assert result._places is not None
        self.nodes, self._times, self._runs = machine, times, runs
        demands = demands_of(result.trace, machine)
        self._each = demands.on(machine)
        self._asked = np.flatnonzero(self._each[job])
        self.names = tuple(machine.resources[column] for column in self._asked)
        self.units, self._of_unit = int(demands.units[job]), self._each[job][self._asked]
        self.cores = int(demands.each["cores"][job])
        self._idle = (machine.capacities[:, self._asked] // self._of_unit).min(axis=1)
        self.types = np.flatnonzero(self._idle > 0)
        self._hold = _Places(result._places, runs.job).on(self._idle[machine.type_of] > 0)
        self._changes = self._found()
        self.total = self._summed(self._changes, self.types)

    def on_type(self, kind: int) -> Int64:
        """Return `total` for the nodes of one type."""
        low, high = np.searchsorted(self._changes.type, [kind, kind + 1])
        its = _Changes(*(column[low:high] for column in self._changes))
        return self._summed(its, np.array([kind]))

    def idle_units(self, kind: int) -> int:
        """Count the units that fit on the idle nodes of a type."""
        return int(self._idle[kind]) * self.nodes.types[kind].count

    def held(self, resource: str) -> Int64:
        """Return the amount of a resource that each run has on nodes that can hold a unit."""
        column = self.nodes.resources.index(resource)
        units = np.bincount(self._hold.run, self._hold.units, len(self._runs.job))
        amount: Int64 = units.astype(np.int64) * self._each[self._runs.job, column]
        return amount

    def _found(self) -> _Changes:
        hold, runs = self._hold, self._runs
        amount = hold.units[:, None] * self._each[runs.job[hold.run]][:, self._asked]
        begin = np.searchsorted(self._times, np.maximum(runs.start, self._times[0]))[hold.run]
        end = np.searchsorted(self._times, runs.end)[hold.run]
        node, time = np.tile(hold.node, 2), np.concatenate([begin, end])
        order = np.lexsort((time, node))
        node, time = node[order], time[order]
        change = np.concatenate([-amount, amount])[order].cumsum(axis=0)
        first = np.flatnonzero(np.diff(node, prepend=-1))
        counts = np.diff(first, append=len(node))
        before = np.vstack([np.zeros((1, amount.shape[1]), np.int64), change])[first]
        kind = self.nodes.type_of[node]
        free = self.nodes.capacities[kind][:, self._asked] + change - np.repeat(before, counts, 0)
        room = np.minimum(free // self._of_unit, self._idle[kind][:, None])
        room = np.column_stack([room, room.min(axis=1)])
        earlier = np.vstack([room[:1], room[:-1]])
        earlier[first] = self._idle[kind[first]][:, None]
        return _Changes(kind, time, room - earlier)

    def _summed(self, changes: _Changes, types: Int64) -> Int64:
        room = np.zeros((len(self._times) + 1, len(self.names) + 1), dtype=np.int64)
        np.add.at(room, changes.time, changes.by)
        summed: Int64 = room[:-1].cumsum(axis=0) + sum(map(self.idle_units, types.tolist()))
        return summed


class _Places:
    """Units of jobs on nodes: one row per job and node."""

    def __init__(self, places: tuple[NDArray[np.integer], ...], jobs: Int64) -> None:
        first, node, units = places
        counts = (first[jobs + 1] - first[jobs]).astype(np.int64)
        self.run = np.repeat(np.arange(len(jobs), dtype=np.int64), counts)
        begins = np.cumsum(counts) - counts
        at = np.arange(len(self.run)) - begins[self.run] + first[jobs][self.run]
        self.node, self.units = node[at].astype(np.int64), units[at].astype(np.int64)

    def on(self, chosen: NDArray[np.bool_]) -> _Places:
        """Drop the rows of other nodes."""
        kept = chosen[self.node]
        self.run, self.node, self.units = self.run[kept], self.node[kept], self.units[kept]
        return self
