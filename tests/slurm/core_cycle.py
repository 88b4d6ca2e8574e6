"""The core's schedulers on recorded states, through `slotwise.slurm.cycle`, one step per call."""

from __future__ import annotations

import dataclasses
import importlib
import re
from typing import TYPE_CHECKING, Any

import slotwise as sw
from reference.slurm.node_sets import members, node_set
from reference.slurm.state import Decision, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine, Node, Partition
    from reference.slurm.parameters import Parameters
    from reference.slurm.running import Running
    from reference.slurm.state import State
    from slurm.steps import Step


class CoreJudge:
    """Decides with the `slurm` preset; `given` sets parameters of the preset by name."""

    def __init__(self, machine: Machine, given: dict[str, Any], version: str = "22.05") -> None:
        self.partitions = list(machine.partitions.values())
        self.machine = machine
        self.resolution = given.get("bf_resolution", 60)
        self.nodes = sw.Nodes(types=node_types(machine.nodes))
        self.queues = tuple(queue_of(each, machine) for each in self.partitions)
        self.policy = sw.Policy.preset("slurm", version=version, **given)
        self.limits = sw.Limits()
        self.cycle = importlib.import_module("slotwise.slurm").cycle
        self.weights: Sequence[int] = ()
        self.next_weights: Sequence[int] = ()
        self.submitted: Sequence[Job] = ()

    @classmethod
    def of_conf(cls, conf: Path, machine: Machine, parameters: Parameters) -> CoreJudge:
        judge = cls(machine, _scheduler_parameters(conf, machine, parameters))
        judge.limit(parameters)
        return judge

    def limit(self, parameters: Parameters) -> None:
        """Set the limits that `parameters` lists, overall and per partition."""
        self.limits = sw.Limits(**limit_fields(parameters, partition=""))
        self.queues = tuple(
            dataclasses.replace(queue, **limit_fields(parameters, partition=queue.name))
            for queue in self.queues
        )

    def begin(self, step: Step) -> None:
        """Store the weights that the previous step left, and the jobs submitted since then."""
        self.weights, self.submitted = self.next_weights, step.submitted

    def decide(self, kind: str, state: State) -> Decision:
        decision = self.cycle(
            self.nodes,
            self.queues,
            self.policy,
            "backfill" if kind == "backfill" else "main",
            now=state.now,
            running=self._running(state.running),
            waiting=self._waiting(state),
            completing=members(state.completing),
            full=kind == "main full",
            gpu_weights=self.weights,
            submitted=[state.waiting.index(job) for job in self.submitted if job in state.waiting],
            limits=self.limits,
        )
        self.next_weights = decision.gpu_weights
        jobs = state.waiting
        first = decision.nodes_first.tolist()
        taken = decision.nodes.tolist()
        starts = [
            (jobs[row], node_set(taken[first[place] : first[place + 1]]))
            for place, row in enumerate(decision.rows.tolist())
        ]
        step = self.resolution
        plans = [
            Plan(jobs[row], begin, end // step * step, node_set(nodes))
            for row, begin, end, nodes in decision.planned or ()
        ]
        return Decision(starts, plans)

    def _place(self, job: Job) -> int:
        names = [each.name for each in self.partitions]
        return names.index(job.partition)

    def _running(self, running: Sequence[Running]) -> dict[str, Any]:
        jobs = [each.job for each in running]
        nodes = [members(each.nodes) for each in running]
        first = [0]
        for each in nodes:
            first.append(first[-1] + len(each))
        return self._request(jobs) | {
            "job": [each.job.number for each in running],
            "start": [each.start for each in running],
            "nodes_first": first,
            "nodes": [node for each in nodes for node in each],
        }

    def _waiting(self, state: State) -> dict[str, Any]:
        jobs = state.waiting
        return self._request(jobs) | {
            "priority": [int(state.priority.get(job.number, 0)) for job in jobs],
            "submit": [job.submit for job in jobs],
            "job": [job.number for job in jobs],
            "nodes": [job.nodes for job in jobs],
            "feature": [job.feature for job in jobs],
        }

    def _request(self, jobs: Sequence[Job]) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "limit": [job.limit for job in jobs],
            "queue": [self._place(job) for job in jobs],
            "processors": [job.cpus for job in jobs],
            # Jobs in an exclusive partition need no flag: their queue is exclusive.
            "exclusive": [
                job.exclusive and not self.machine.partitions[job.partition].exclusive
                for job in jobs
            ],
            "user": [int(job.user) for job in jobs],
        }
        if self.machine.counts_memory:  # a job without a memory request takes all memory
            most = max(node.memory for node in self.machine.nodes)
            columns["memory"] = [job.memory or most for job in jobs]
        if any(node.gpus for node in self.machine.nodes):
            columns["gpus"] = [job.gpus for job in jobs]
        return columns


def node_types(nodes: Sequence[Node]) -> list[sw.NodeType]:
    """Return a type for each run of consecutive equal nodes, which keeps the nodes in order."""
    runs: list[list[Node]] = []
    for node in nodes:
        if runs and _kind(runs[-1][0]) == _kind(node):
            runs[-1].append(node)
        else:
            runs.append([node])
    types = []
    for place, run in enumerate(runs):
        node = run[0]
        given: dict[str, Any] = {"memory": f"{node.memory}MB"}
        if node.gpus:
            given["gpus"] = node.gpus
        if node.features:
            given["features"] = sorted(node.features)
        hosts = ",".join(each.name for each in run)
        types.append(
            sw.NodeType(name=f"type{place}", hosts=hosts, cores=node.cpus, weight=node.weight,
                        **given)
        )  # fmt: skip
    return types


def _kind(node: Node) -> tuple[object, ...]:
    return node.cpus, node.memory, node.gpus, node.features, node.weight


def queue_of(partition: Partition, machine: Machine, trace_queue: int | None = None) -> sw.Queue:
    """Return the queue for a partition; `trace_queue` is its number in a trace."""
    names = ",".join(machine.nodes[place].name for place in members(partition.nodes))
    given: dict[str, Any] = {"nodes": names, "tier": partition.tier, "priority": partition.factor}
    if trace_queue is not None:
        given["trace_queues"] = [trace_queue]
    if partition.exclusive:
        given["exclusive"] = True
    if partition.max_time is not None:
        given["walltime"] = (0, partition.max_time)
    if partition.max_nodes is not None:
        given["nodes_per_job"] = (1, partition.max_nodes)
    return sw.Queue(partition.name, **given)


def limit_fields(parameters: Parameters, partition: str) -> dict[str, Any]:
    """Return slotwise's limits on a partition or, if `partition` is empty, on all jobs."""
    found: dict[str, Any] = {}
    if parameters.jobs_per_user and not partition:
        found["running_per_user"] = parameters.jobs_per_user
    for limit in parameters.limits:
        if limit.partition != partition:
            continue
        per = "" if limit.per == "all" else f"_per_{limit.per}"
        if limit.counts == "jobs":
            found[f"running{per}"] = limit.most
        elif limit.counts == "cpus":
            found[f"processors{per}" if per else "processors_in_use"] = limit.most
        else:
            found.setdefault(per[1:] or "total", {})[limit.counts] = limit.most
    for limit in parameters.submit_limits:
        if limit.partition == partition:
            found["submitted" if limit.per == "all" else f"submitted_per_{limit.per}"] = limit.most
    return found


def _scheduler_parameters(conf: Path, machine: Machine, parameters: Parameters) -> dict[str, Any]:
    """Return SchedulerParameters and the select type, by their names in the preset."""
    text = conf.read_text(encoding="utf-8")
    found = re.search(r"(?m)^SchedulerParameters=+(\S+)", text)
    given: dict[str, Any] = {"select_type": "cons_tres" if machine.shares else "linear"}
    for word in found[1].split(",") if found else ():
        name, _, value = word.partition("=")
        if hasattr(parameters, name):
            given[name] = int(value) if value else True
    return given
