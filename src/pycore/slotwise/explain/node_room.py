"""Number of one job's units that fit on a machine with nodes, at each instant of its wait.

Example: node X has 4 cores and 1 GPU, and node Y has 4 cores. A job waits; its only unit needs 2
cores and 1 GPU. While another job uses the GPU and 1 core, X has enough cores but no GPU, so the
missing resource is gpus. Y never counts, because it has no GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slotwise.site.machine.hostlist import folded
from slotwise.site.machine.nodes import Nodes
from slotwise.trace.demand_rules import Exclusive
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.explain.run_intervals import RunIntervals
    from slotwise.replay.replay_data import ReplayData

    Int64 = NDArray[np.int64]


class _Changes(NamedTuple):
    """Changes in the number of units that fit, by node and time.

    `by` has one column per requested resource: the change in units that fit if only that resource
    is checked. In the last column, all resources are checked together.
    """

    type: Int64
    time: Int64
    by: Int64


class NodesAway(NamedTuple):
    """Nodes that the job cannot use in [start, end)."""

    nodes: Int64
    start: int
    end: int


class NodeRoom:
    """The number of units of a job that fit, at each instant.

    Parameters
    ----------
    result : Result
        Result on a machine with nodes.
    job : int
        Row of the job.
    runs : RunIntervals
        Runs that overlap its wait.
    times : (n,) int64
        Instants in ascending order. A run that started earlier counts from the first one.
    away : sequence of NodesAway
        Nodes that are unavailable for a time, for reasons other than the runs.

    Attributes
    ----------
    names : tuple of str
        Requested resources.
    units : int
    cores : int
        Cores per unit.
    may_hold : (n_nodes,) bool
        Nodes that can take a unit, given the queue, the constraint and the size of the unit.
    types : (n_types,) int64
        Indices of the node types to which these nodes belong.
    total : (n, n_names + 1) int64
        Units that fit on these nodes: one column for each resource alone, then one for all
        resources together.
    """

    def __init__(
        self,
        result: ReplayData,
        job: int,
        runs: RunIntervals,
        times: Int64,
        away: Sequence[NodesAway] = (),
    ) -> None:
        machine = result.site.machine
        assert isinstance(machine, Nodes)
        assert result._places is not None
        self.nodes, self._times, self._runs = machine, times, runs
        demands = demands_of(result.trace, machine)
        self._each, self._away, self._exclusive = demands.on(machine), away, demands.exclusive
        self._user, self._job = result.trace.user, job
        self._asked = np.flatnonzero(self._each[job])
        self.names = tuple(machine.resources[column] for column in self._asked)
        self.units, self._of_unit = int(demands.units[job]), self._each[job][self._asked]
        self.cores = int(demands.each["cores"][job])
        self._idle = (machine.capacities[:, self._asked] // self._of_unit).min(axis=1)
        most = 1 if demands.exclusive[job] == Exclusive.JOB else int(demands.per_node[job])
        self._idle = np.minimum(self._idle, most) if most else self._idle
        allowed = machine.allowed(demands.constraints[demands.constraint_id[job]])
        self.may_hold = allowed & _of_queue(result, job) & (self._idle[machine.type_of] > 0)
        self._n_held = np.bincount(machine.type_of[self.may_hold], minlength=len(machine.types))
        self.types = np.flatnonzero(self._n_held)
        self._hold = _Places(result._places, runs.job).on(self.may_hold)
        self._changes = self._found()
        self.total = self._summed(self._changes, self.types)

    def on_type(self, kind: int) -> Int64:
        """Return `total` for the nodes of one type."""
        low, high = np.searchsorted(self._changes.type, [kind, kind + 1])
        its = _Changes(*(column[low:high] for column in self._changes))
        return self._summed(its, np.array([kind]))

    def idle_units(self, kind: int) -> int:
        """Count the units that fit on the idle nodes of a type."""
        return int(self._idle[kind]) * int(self._n_held[kind])

    def hosts_of(self, rows: Int64) -> str:
        """Name the nodes that can take a unit and are used by any of the runs in `rows`."""
        held = np.unique(self._hold.node[np.isin(self._hold.run, rows)])
        return folded([self.nodes.names[node] for node in held])

    def held(self, resource: str) -> Int64:
        """Return the amount of a resource that each run uses on nodes that can take a unit."""
        column = self.nodes.resources.index(resource)
        units = np.bincount(self._hold.run, self._hold.units, len(self._runs.job))
        amount: Int64 = units.astype(np.int64) * self._each[self._runs.job, column]
        return amount

    def _found(self) -> _Changes:
        held, amount, starts, ends = self._in_use()
        begin = np.searchsorted(self._times, np.maximum(starts, self._times[0]))
        end = np.searchsorted(self._times, ends)
        node, time = np.tile(held, 2), np.concatenate([begin, end])
        order = np.lexsort((time, node))
        node, time = node[order], time[order]
        change = np.concatenate([-amount, amount])[order].cumsum(axis=0)
        first = np.flatnonzero(np.diff(node, prepend=-1))
        counts = np.diff(first, append=len(node))
        before = np.vstack([np.zeros((1, amount.shape[1]), np.int64), change])[first]
        kind = self.nodes.type_of[node]
        free = self.nodes.capacities[kind][:, self._asked] + change - np.repeat(before, counts, 0)
        room = np.clip(free // self._of_unit, 0, self._idle[kind][:, None])
        room = np.column_stack([room, room.min(axis=1)])
        earlier = np.vstack([room[:1], room[:-1]])
        earlier[first] = self._idle[kind[first]][:, None]
        return _Changes(kind, time, room - earlier)

    def _in_use(self) -> tuple[Int64, Int64, Int64, Int64]:
        """Return the resources that runs and outages take, as columns: node, amounts, begin, end.

        A node that the job may not share counts as taken completely.
        """
        hold, runs = self._hold, self._runs
        job = runs.job[hold.run]
        amount = hold.units[:, None] * self._each[job][:, self._asked]
        of_user = (self._exclusive[job] == Exclusive.USER) | (
            self._exclusive[self._job] == Exclusive.USER
        )
        same = (self._user[job] == self._user[self._job]) & (self._user[job] >= 0)
        whole = (self._exclusive[job] == Exclusive.JOB) | (of_user & ~same)
        whole |= self._exclusive[self._job] == Exclusive.JOB
        capacity = self.nodes.capacities[:, self._asked]
        amount[whole] = capacity[self.nodes.type_of[hold.node[whole]]]
        rows = [(hold.node, amount, runs.start[hold.run], runs.end[hold.run])]
        for away in self._away:
            nodes = away.nodes[self.may_hold[away.nodes]]
            begin, end = (np.full(len(nodes), at, np.int64) for at in (away.start, away.end))
            rows.append((nodes, capacity[self.nodes.type_of[nodes]], begin, end))
        node, amounts, begin, end = (np.concatenate(column) for column in zip(*rows, strict=True))
        return node, amounts, begin, end

    def _summed(self, changes: _Changes, types: Int64) -> Int64:
        room = np.zeros((len(self._times) + 1, len(self.names) + 1), dtype=np.int64)
        np.add.at(room, changes.time, changes.by)
        summed: Int64 = room[:-1].cumsum(axis=0) + sum(map(self.idle_units, types.tolist()))
        return summed


def _of_queue(result: ReplayData, job: int) -> NDArray[np.bool_]:
    """Mark the nodes of a job's queue, or all nodes if the site has no queues."""
    machine = result.site.machine
    assert isinstance(machine, Nodes)
    queue = int(result.queue[job])
    if not result.site.queues or queue < 0:
        return np.ones(len(machine.type_of), dtype=bool)
    marked = np.zeros(len(machine.type_of), dtype=bool)
    marked[machine.select(result.site.queues[queue].nodes)] = True
    return marked


class _Places:
    """The number of units that each job has on each of its nodes, one row per job and node."""

    def __init__(self, places: tuple[NDArray[np.integer], ...], jobs: Int64) -> None:
        first, node, units = places
        counts = (first[jobs + 1] - first[jobs]).astype(np.int64)
        self.run = np.repeat(np.arange(len(jobs), dtype=np.int64), counts)
        begins = np.cumsum(counts) - counts
        at = np.arange(len(self.run)) - begins[self.run] + first[jobs][self.run]
        self.node, self.units = node[at].astype(np.int64), units[at].astype(np.int64)

    def on(self, chosen: NDArray[np.bool_]) -> _Places:
        """Keep only the rows of the chosen nodes."""
        kept = chosen[self.node]
        self.run, self.node, self.units = self.run[kept], self.node[kept], self.units[kept]
        return self
