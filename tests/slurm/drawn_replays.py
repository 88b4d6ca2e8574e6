"""A random workload, replayed by the oracle and under the preset, to compare starts and nodes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import slotwise as sw
from reference.slurm.node_sets import members
from reference.slurm.preset_replay import PresetReplay
from slurm.core_cycle import limit_fields, node_types, queue_of
from slurm.drawn_decisions import preset_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.slurm.drawing_replays import DrawnReplay
    from reference.slurm.job import Job

KILOBYTES = 1024  # kilobytes in a megabyte
FIRST_ARRAY = 10_000  # number of the first job array; job numbers start at 1


def differences(drawn: DrawnReplay) -> list[str]:
    """Return the jobs whose start or nodes differ."""
    replay = PresetReplay(drawn.machine, drawn.parameters, drawn.jobs, drawn.epilog)
    expected = {number: (start, members(nodes)) for number, (start, nodes) in replay.run().items()}
    if not expected:
        return []  # the core refuses a trace in which no job starts
    found = by_core(drawn)
    return [
        f"job {number}: the oracle {expected.get(number)}, the core {found.get(number)}"
        for number in range(len(drawn.jobs))
        if expected.get(number) != found.get(number)
    ]


def by_core(drawn: DrawnReplay) -> dict[int, tuple[int, list[int]]]:
    """Return the start and the nodes of each job that starts under the preset, by job number."""
    result = sw.simulate(trace_of(drawn), site_of(drawn))
    return {
        number: (int(result.start[number]), sorted(result.places(number)[0].tolist()))
        for number in range(len(drawn.jobs))
        if result.start[number] >= 0
    }


def site_of(drawn: DrawnReplay, **changes: Any) -> sw.Site:
    """Return the drawn site as a Slotwise site; `changes` are further preset parameters."""
    given = preset_parameters(drawn.machine, drawn.parameters) | changes
    stops = drawn.parameters.assoc_limit_stop
    policy = sw.Policy.preset(
        "slurm", version="22.05", epilog_time=drawn.epilog, assoc_limit_stop=stops, **given
    )
    partitions = drawn.machine.partitions.values()
    queues = [
        queue_of(each, drawn.machine, trace_queue=place)
        for place, each in enumerate(partitions, start=1)
    ]
    machine = sw.Nodes(types=node_types(drawn.machine.nodes))
    depends = any(job.after or job.array >= 0 for job in drawn.jobs)
    queues = [
        dataclasses.replace(queue, **limit_fields(drawn.parameters, partition=queue.name))
        for queue in queues
    ]
    limits = sw.Limits(**limit_fields(drawn.parameters, partition=""))
    return sw.Site(
        machine=machine, policy=policy, queues=queues, limits=limits, dependencies=depends
    )


def dependency_columns(jobs: Sequence[Job]) -> dict[str, Any]:
    """Return the columns that describe dependencies and arrays, if there are any."""
    if not any(job.after or job.array >= 0 for job in jobs):
        return {}
    texts = [",".join(f"{kind}:{number + 1}" for kind, number in job.after) for job in jobs]
    columns: dict[str, Any] = {"status": [0 if job.fails else 1 for job in jobs]}
    if any(texts):
        columns["dependency"] = texts
    if any(job.array >= 0 for job in jobs):
        columns["array_id"] = [FIRST_ARRAY + job.array if job.array >= 0 else -1 for job in jobs]
        columns["array_task"] = [row if job.array >= 0 else -1 for row, job in enumerate(jobs)]
        columns["array_limit"] = [job.array_limit or -1 for job in jobs]
    return columns


def trace_of(drawn: DrawnReplay, unix_start_time: int | None = None) -> sw.Trace:
    """Return the jobs, with one unit on each of their nodes."""
    jobs, machine = drawn.jobs, drawn.machine
    each = {"cores": [job.cpus_per_node for job in jobs]}
    if machine.counts_memory:
        most = max(node.memory for node in machine.nodes)
        each["memory"] = [(job.memory or most) * KILOBYTES for job in jobs]
    if any(node.gpus for node in machine.nodes):
        each["gpus"] = [job.gpus for job in jobs]
    alone = [job.exclusive and not machine.partitions[job.partition].exclusive for job in jobs]
    demands = sw.Demands(
        [job.nodes for job in jobs],
        nodes=[job.nodes for job in jobs],
        exclusive=["job" if each_alone else "no" for each_alone in alone],
        constraint=[job.feature for job in jobs],
        **each,
    )
    names = list(machine.partitions)
    trace = sw.Trace.from_columns(
        [job.submit for job in jobs],
        [job.run for job in jobs],
        demands.processors,
        [job.limit for job in jobs],
        user=[int(job.user) for job in jobs],
        queue=[names.index(job.partition) + 1 for job in jobs],
        unix_start_time=unix_start_time,
        **dependency_columns(jobs),
    )
    return trace.with_demands(demands)
