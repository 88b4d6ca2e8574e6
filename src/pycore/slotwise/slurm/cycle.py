"""One cycle of Slurm's backfill scheduler, or one pass of its main scheduler, on a given state."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from slotwise._core import Queue as CoreQueue, slurm_decision
from slotwise.replay.site_names import SiteNames
from slotwise.replay.to_core import core_queue
from slotwise.site import Site
from slotwise.slurm.counted_jobs import limits_of, owner_columns
from slotwise.slurm.cycle_checks import check_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slotwise.site.machine.nodes import Nodes
    from slotwise.site.parts import Limits, Queue
    from slotwise.site.policy import Policy

    Int64 = NDArray[np.int64]

_KILOBYTES = 1024  # per MB


class CycleResult(NamedTuple):
    """Jobs that a scheduler started, and its plans for other jobs.

    Attributes
    ----------
    rows : (n_started,) int64
        Rows of the waiting jobs, in the order in which they started.
    nodes_first : (n_started + 1,) int64
        Position in `nodes` at which the nodes of each started job begin.
    nodes : (n,) int32
        Node numbers, in ascending order for each job.
    planned : list of (row, begin, end, nodes)
        Plans of the backfill scheduler, with times not yet rounded down to its resolution.
    gpu_weights : (n_nodes,) int32
        For each node, the number of GPUs by which its weight is lowered in the next decision.
        Empty if nodes have no GPUs.
    """

    rows: Int64
    nodes_first: Int64
    nodes: NDArray[np.int32]
    planned: list[tuple[int, int, int, list[int]]]
    gpu_weights: NDArray[np.int32]


def cycle(
    machine: Nodes,
    queues: Sequence[Queue],
    policy: Policy,
    scheduler: Literal["backfill", "main"] = "backfill",
    *,
    now: int,
    running: Mapping[str, Any],
    waiting: Mapping[str, Any],
    completing: Sequence[int] = (),
    full: bool = False,
    gpu_weights: Sequence[int] | NDArray[np.int32] = (),
    submitted: Sequence[int] = (),
    limits: Limits | None = None,
) -> CycleResult:
    """Decide which waiting jobs start now.

    Parameters
    ----------
    machine : Nodes
    queues : sequence of Queue
        The partitions, with the limits on their jobs.
    policy : Policy
        A policy from the ``slurm`` preset. Its order and its intervals have no effect.
    scheduler : {"backfill", "main"}
    now : int
    running : mapping of str to array
        One entry per running job: ``start``, ``limit`` (seconds), ``queue`` (position),
        ``processors``; ``nodes_first`` and ``nodes``, which list its nodes. Optional: ``memory``
        (MB on each node), ``gpus`` (on each node), ``exclusive``, ``node_processors`` (for each
        entry of ``nodes``), and ``job`` (number). Jobs with the same end time end in the order of
        their numbers. Without ``job``, they end in row order, before jobs that start now.
    waiting : mapping of str to array
        One entry per waiting job: ``priority``, ``submit``, ``job`` (number), ``limit``, ``queue``,
        ``nodes``, ``processors`` (spread evenly over the nodes). Optional: ``memory``, ``gpus``,
        ``exclusive``, ``user`` (number) and ``feature``, and the owners by which limits count jobs.
    completing : sequence of int, optional
        Nodes whose last job has ended but that are not yet free; no job starts on them.
    full : bool, default False
        True: the main scheduler examines every job, as it does once per ``sched_interval``.
    gpu_weights : sequence of int, optional
        `CycleResult.gpu_weights` of the previous decision. By default, no weight is lowered.
    submitted : sequence of int, optional
        Rows of the waiting jobs submitted since the previous decision, in order.
    limits : Limits, optional
        Limits on all jobs together. Limits on submitted jobs have no effect on a decision.

    Raises
    ------
    ValueError
        For a policy without the ``slurm`` backfill, an unknown scheduler, a missing column, columns
        of different lengths, a queue that does not exist, and a limit below 0. Also if a running
        job is on a node that the machine does not have, or if a limit counts jobs by an owner for
        which there is no column.
    FaultsError
        For a limit that the preset does not support.
    """
    check_state(policy, scheduler, now, running, waiting, len(queues))
    known = _Machine(machine)
    constraints = known.allowed(waiting.get("feature"))
    core_limits = limits_of(machine, queues, policy, limits)
    ran, waits = _numbered(known.running(running, queues, policy), known.waiting(waiting), running)
    counted: dict[str, Int64] = {}
    if core_limits is not None:
        n_jobs = len(ran["job"]) + len(waits["job"])
        owners = owner_columns(limits, queues, running, waiting, n_jobs)
        numbers = np.concatenate([ran["job"], waits["job"]])
        counted = known.counted(running, waiting, owners, np.argsort(numbers))
    answer = slurm_decision(
        machine._core,
        [kind.weight for kind in machine.types],
        _core_queues(machine, tuple(queues)),
        constraints,
        policy._to_core(),
        now,
        ran,
        waits,
        [int(node) for node in completing],
        scheduler == "main",
        full,
        [int(gpus) for gpus in gpu_weights],
        [int(row) for row in submitted],
        core_limits,
        counted,
    )
    return CycleResult(**answer)


@lru_cache(maxsize=8)
def _core_queues(machine: Nodes, queues: tuple[Queue, ...]) -> list[CoreQueue]:
    """Convert partitions to the core's queues, without routing: every job states its queue."""
    site = Site(machine=machine)
    return [core_queue(queue, site, {}, SiteNames(None)) for queue in queues]


class _Machine:
    """Converts columns of jobs on a machine to the form that the core reads."""

    def __init__(self, machine: Nodes) -> None:
        self.machine = machine
        self.capacity = machine._node_capacities
        self.features: dict[str, int] = {}

    def running(
        self, jobs: Mapping[str, Any], queues: Sequence[Queue], policy: Policy
    ) -> dict[str, Int64]:
        first = _column(jobs["nodes_first"])
        nodes = _column(jobs["nodes"])
        wrong = np.flatnonzero((nodes < 0) | (nodes >= len(self.capacity)))
        if len(wrong):
            row = int(np.searchsorted(first, wrong[0], side="right")) - 1
            last = len(self.capacity) - 1
            msg = f"running job {row} is on node {nodes[wrong[0]]}: nodes are numbered 0 to {last}"
            raise ValueError(msg)
        n_nodes = np.diff(first)
        row_of = np.repeat(np.arange(len(n_nodes)), n_nodes)
        shares = np.zeros((len(nodes), len(self.machine.resources)), dtype=np.int64)
        shares[:, 0] = self._processors(jobs, first, row_of)
        for name, scale in (("memory", _KILOBYTES), ("gpus", 1)):
            if name in jobs and name in self.machine.resources:
                amounts = _column(jobs[name])[row_of] * scale
                shares[:, self.machine.resources.index(name)] = amounts
        whole = _flags(jobs.get("exclusive"), len(n_nodes))
        whole |= np.array([queue.exclusive for queue in queues])[_column(jobs["queue"])]
        if _is_linear(policy):
            whole[:] = True
        shares = np.where(whole[row_of][:, None], self.capacity[nodes], shares)
        minutes = -(-np.maximum(_column(jobs["limit"]), 0) // 60)
        return {
            "end": _column(jobs["start"]) + minutes * 60,
            "nodes_first": first,
            "nodes": nodes,
            "shares": np.ascontiguousarray(shares),
            "queue": _column(jobs["queue"]),
        }

    def _processors(self, jobs: Mapping[str, Any], first: Int64, row_of: Int64) -> Int64:
        """Return the processors of each job on each of its nodes."""
        if "node_processors" in jobs:
            return _column(jobs["node_processors"])
        in_all = _column(jobs["processors"])
        n_nodes = np.maximum(np.diff(first), 1)
        place = np.arange(len(row_of)) - first[row_of]
        return in_all[row_of] // n_nodes[row_of] + (place < in_all[row_of] % n_nodes[row_of])

    def _on_each_node(self, jobs: Mapping[str, Any], n: int) -> Int64:
        """Return the amounts of memory and GPUs that jobs request on each of their nodes."""
        amounts = np.zeros((n, len(self.machine.resources)), dtype=np.int64)
        for name, scale in (("memory", _KILOBYTES), ("gpus", 1)):
            if name in jobs and name in self.machine.resources:
                amounts[:, self.machine.resources.index(name)] = _column(jobs[name]) * scale
        return amounts

    def counted(
        self, running: Mapping[str, Any], waiting: Mapping[str, Any], owners: Int64, order: Int64
    ) -> dict[str, Int64]:
        """Return the owners and amounts by which limits count the jobs, in the given order."""
        n_nodes = np.concatenate(
            [np.diff(_column(running["nodes_first"])), _column(waiting["nodes"])]
        )
        processors = np.concatenate([_column(jobs["processors"]) for jobs in (running, waiting)])
        amounts = np.concatenate(
            [self._on_each_node(jobs, len(jobs["limit"])) for jobs in (running, waiting)]
        )
        amounts[:, 0] = -(-processors // np.maximum(n_nodes, 1))
        return {
            "owners": np.ascontiguousarray(owners[order]),
            "processors": processors[order],
            "nodes": n_nodes[order],
            "on_each_node": np.ascontiguousarray(amounts[order]),
        }

    def allowed(self, features: Sequence[str] | None) -> list[list[int]]:
        """Add new features to `self.features`, and return the nodes that have each feature."""
        for name in features or ():
            if name and name not in self.features:
                self.features[name] = len(self.features)
        return [np.flatnonzero(self.machine.allowed(name)).tolist() for name in self.features]

    def waiting(self, jobs: Mapping[str, Any]) -> dict[str, Int64]:
        n = len(jobs["limit"])
        per_node = self._on_each_node(jobs, n)
        nodes = _column(jobs["nodes"])
        names = jobs.get("feature") or [""] * n
        return {
            **{name: _column(jobs[name]) for name in ("priority", "submit", "job", "limit")},
            "queue": _column(jobs["queue"]),
            "nodes": nodes,
            "units": np.maximum(nodes, 1),
            "each": -(-_column(jobs["processors"]) // np.maximum(nodes, 1)),
            "user": _column(jobs["user"]) if "user" in jobs else np.zeros(n, dtype=np.int64),
            "exclusive": _flags(jobs.get("exclusive"), n).astype(np.int64),
            "constraint": np.array([self.features.get(name, -1) for name in names], dtype=np.int64),
            "per_node": per_node,
        }


def _numbered(
    running: dict[str, Int64], waiting: dict[str, Int64], given: Mapping[str, Any]
) -> tuple[dict[str, Int64], dict[str, Int64]]:
    """Replace job numbers with their ranks among all jobs, as the core expects."""
    n = len(running["end"])
    order = np.argsort(waiting["job"], kind="stable") + n
    order = np.concatenate([np.arange(n), order])
    if "job" in given:
        numbers = np.concatenate([_column(given["job"]), waiting["job"]])
        order = np.argsort(numbers, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return running | {"job": place[:n]}, waiting | {"job": place[n:]}


def _is_linear(policy: Policy) -> bool:
    backfill = policy.to_dict()["backfill"]
    return not isinstance(backfill, str) and backfill.get("select_type") == "linear"


def _column(values: Any) -> Int64:
    return np.ascontiguousarray(np.asarray(values), dtype=np.int64)


def _flags(values: Any, n: int) -> NDArray[np.bool_]:
    return np.zeros(n, dtype=bool) if values is None else np.array(values, dtype=bool)
