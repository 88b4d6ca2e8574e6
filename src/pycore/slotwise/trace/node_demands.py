"""Demands of a whole trace on a machine with nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from slotwise.trace.demand_rules import Exclusive
from slotwise.trace.demands import Demands
from slotwise.trace.gpu_totals import MOST, Totals, fewest_nodes, units_of
from slotwise.trace.logged_constraints import constraints_on
from slotwise.trace.logged_nodes import divide_evenly, node_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.trace.trace import Trace

    Int64 = NDArray[np.int64]


class WholeNodes(Protocol):
    """A machine on which jobs without demands may take whole nodes."""

    @property
    def resources(self) -> tuple[str, ...]:
        """Names of the resources."""

    @property
    def capacities(self) -> Int64:
        """Amount of each resource on a node of each type, (n_types, n_resources)."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of all features of the nodes."""

    @property
    def whole_nodes(self) -> bool:
        """True if jobs without demands take whole nodes."""

    @property
    def logged_nodes(self) -> bool:
        """True if jobs without demands run on as many nodes as they requested."""

    @property
    def cores_per_node(self) -> int:
        """Cores per node, if all nodes have the same number."""


class DemandsOnNodes(NamedTuple):
    """Demands of a trace on a machine with nodes; a trace caches those for the last machine."""

    machine: WholeNodes
    demands: Demands
    rounded: Int64
    """Jobs whose units have more cores or GPUs than the log states as totals."""


def demands_of(trace: Trace, machine: WholeNodes) -> Demands:
    """Return the demands of a trace on a machine, derived from job totals if the trace has none.

    A job without GPUs has units of one core each, and a unit may be on any node. If the log states
    memory per processor, each unit requests that much. A job with GPUs, on a machine that counts
    them, has the units of `gpu_totals.units_of`. On a machine with ``whole_nodes``, a job requests
    as many whole nodes as its processors, GPUs and logged nodes need. On a machine with
    ``logged_nodes``, a job runs on the number of nodes that `logged_nodes.node_counts` returns. The
    nodes of a job have the features of its constraint in the log.
    """
    return trace.demands if trace.demands is not None else _on_nodes(trace, machine).demands


def rounded_rows(trace: Trace, machine: WholeNodes) -> Int64:
    """Return the jobs whose units together have more cores or GPUs than the log states."""
    if trace.demands is not None:
        return np.zeros(0, dtype=np.int64)
    return _on_nodes(trace, machine).rounded


def _on_nodes(trace: Trace, machine: WholeNodes) -> DemandsOnNodes:
    """Return the cached demands for `machine`; compute them if the cache is for another one."""
    kept: DemandsOnNodes | None = trace._on_nodes
    if kept is None or kept.machine != machine:
        kept = trace._on_nodes = _made(trace, machine)
    return kept


def _made(trace: Trace, machine: WholeNodes) -> DemandsOnNodes:
    none = np.zeros(0, dtype=np.int64)
    rows = _gpu_rows(trace, machine)
    if machine.whole_nodes:
        return DemandsOnNodes(machine, _whole_nodes(trace, machine, rows), none)
    units = trace.processors.copy()
    each = {
        "cores": np.ones(len(trace), dtype=np.int64),
        "memory": np.maximum(trace.requested_memory, 0),
    }
    rounded = none
    if len(rows):
        each["gpus"] = np.zeros(len(trace), dtype=np.int64)
        made = units_of(_totals(trace, rows), machine.resources, machine.capacities)
        units[rows], each["cores"][rows], each["gpus"][rows], each["memory"][rows], _ = made
        rounded = rows[made.is_rounded]
    nodes = np.zeros(len(trace), dtype=np.int64)
    if machine.logged_nodes:
        nodes = node_counts(trace, units)
        divide_evenly(trace, nodes, units, each)
    constraint = constraints_on(trace, machine.features)
    return DemandsOnNodes(
        machine, Demands(units, nodes=nodes, constraint=constraint, **each), rounded
    )


def amount_asked(demands: Demands, row: int, resource: str) -> int:
    """Return how much a job requests of a resource; for nodes, the fewest that it can run on."""
    units = int(demands.units[row])
    if resource != "nodes":
        return units * int(demands.each[resource][row]) if resource in demands.each else 0
    if demands.nodes[row] > 0:
        return int(demands.nodes[row])
    if demands.exclusive[row] == Exclusive.JOB:
        return units
    per_node = int(demands.per_node[row])
    return -(-units // per_node) if per_node else 1


def _gpu_rows(trace: Trace, machine: WholeNodes) -> Int64:
    """Return the jobs with GPUs, if the machine counts any."""
    return np.flatnonzero((trace.gpus > 0) & ("gpus" in machine.resources))


def _totals(trace: Trace, rows: Int64) -> Totals:
    processors = trace.processors[rows]
    memory = np.clip(trace.requested_memory[rows], 0, MOST // processors) * processors
    gpus = np.minimum(trace.gpus[rows], MOST)
    nodes = np.minimum(trace.node_count[rows], np.maximum(processors, gpus))
    return Totals(processors, gpus, memory, nodes)


def _whole_nodes(trace: Trace, machine: WholeNodes, rows: Int64) -> Demands:
    """Return demands for whole nodes; jobs with GPUs take nodes that have enough GPUs each."""
    cores = machine.cores_per_node
    units = -(-trace.processors // cores)
    each = {"cores": np.full(len(trace), cores)}
    if len(rows):
        totals = _totals(trace, rows)
        fewest = fewest_nodes(totals, machine.resources, machine.capacities)
        logged = np.where(totals.node_count > 0, totals.node_count, fewest)
        units[rows] = np.maximum(units[rows], logged)
        each["gpus"] = np.zeros(len(trace), dtype=np.int64)
        each["gpus"][rows] = -(-totals.gpus // units[rows])
    constraint = constraints_on(trace, machine.features)
    return Demands(units, exclusive="job", constraint=constraint, **each)
