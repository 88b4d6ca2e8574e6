"""A random workload, replayed by the oracle and under the preset, to compare starts and nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import slotwise as sw
from reference.slurm.node_sets import members
from reference.slurm.preset_replay import PresetReplay
from slurm.core_cycle import node_types, queue_of
from slurm.drawn_decisions import preset_parameters

if TYPE_CHECKING:
    from reference.slurm.drawing_replays import DrawnReplay

KILOBYTES = 1024  # per MB


def differences(drawn: DrawnReplay) -> list[str]:
    """Return the jobs whose start or nodes differ."""
    replay = PresetReplay(drawn.machine, drawn.parameters, drawn.jobs, drawn.epilog)
    expected = {number: (start, members(nodes)) for number, (start, nodes) in replay.run().items()}
    if not expected:
        return []  # the core refuses such a trace
    found = by_core(drawn)
    return [
        f"job {number}: the oracle {expected.get(number)}, the core {found.get(number)}"
        for number in range(len(drawn.jobs))
        if expected.get(number) != found.get(number)
    ]


def by_core(drawn: DrawnReplay) -> dict[int, tuple[int, list[int]]]:
    """Return start and nodes by job number, of the jobs that start under the preset."""
    result = sw.simulate(trace_of(drawn), site_of(drawn))
    return {
        number: (int(result.start[number]), sorted(result.places(number)[0].tolist()))
        for number in range(len(drawn.jobs))
        if result.start[number] >= 0
    }


def site_of(drawn: DrawnReplay) -> sw.Site:
    """Return the site as slotwise defines it."""
    given = preset_parameters(drawn.machine, drawn.parameters)
    policy = sw.Policy.preset("slurm", version="22.05", epilog_time=drawn.epilog, **given)
    partitions = drawn.machine.partitions.values()
    queues = [
        queue_of(each, drawn.machine, trace_queue=place)
        for place, each in enumerate(partitions, start=1)
    ]
    machine = sw.Nodes(types=node_types(drawn.machine.nodes))
    return sw.Site(machine=machine, policy=policy, queues=queues)


def trace_of(drawn: DrawnReplay) -> sw.Trace:
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
    )
    return trace.with_demands(demands)
