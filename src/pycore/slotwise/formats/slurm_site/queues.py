"""Queues of a cluster: one per partition, on the nodes that the partition names.

Example: ``PartitionName=long Nodes=n[1-8] MaxTime=7-0 Default=YES`` becomes the first queue, on
n[1-8], for requests of up to 7 days.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.formats.slurm_site.host_lists import kept_nodes
from slotwise.formats.slurm_site.left_out import some_of
from slotwise.site.faults import FaultsError
from slotwise.site.parts import Queue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.formats.slurm_site.left_out import LeftOut
    from slotwise.formats.slurm_site.node_lines import NodeGroup
    from slotwise.formats.slurm_site.partition_lines import Partition, PartitionLines
    from slotwise.formats.slurm_site.settings import Faults


def queues_of(
    lines: PartitionLines,
    groups: Sequence[NodeGroup],
    nodes: tuple[set[str] | None, set[str]],
    faults: Faults,
    left_out: LeftOut,
    *,
    is_slurm: bool,
) -> list[tuple[Partition, Queue]]:
    """Build the queues; the first is for jobs without a partition. Faults are added to `faults`.

    `nodes` has two sets: all nodes (None if not every line was read), and the nodes that do not
    exist yet. `is_slurm` is True if the queues are for the ``slurm`` preset.
    """
    known, future = nodes
    features = {name for group in groups for name in group.features}
    found: list[tuple[Partition, tuple[str, ...]]] = []
    empty: list[str] = []
    for partition in lines.partitions:
        selectors: list[str] = []
        for selector in [] if partition.has_all or known is None else lines.selectors(partition):
            try:
                selectors += _kept(selector, known or set(), features, future)
            except ValueError as fault:
                faults.add(partition.place, fault)
        if selectors or partition.has_all:
            found.append((partition, tuple(selectors)))
        else:
            empty.append(partition.name)
    if empty:
        left_out.remarks.append(f"Left out: partitions without nodes ({some_of(empty)}).")
    return _made(found, faults, is_slurm=is_slurm)


def _kept(selector: str, known: set[str], features: set[str], future: set[str]) -> list[str]:
    """Return the selector in the form that a site accepts, or an empty list if no node is left.

    Raises
    ------
    ValueError
        For unknown nodes and features.
    """
    if selector.startswith("feature:"):
        if selector.removeprefix("feature:") not in features:
            raise ValueError(f"no node has the {selector.replace(':', ' ', 1):.60}")
        return [selector]
    hosts = kept_nodes(selector, known, future)
    return [hosts] if hosts else []


def _made(
    nodes: Sequence[tuple[Partition, tuple[str, ...]]], faults: Faults, *, is_slurm: bool
) -> list[tuple[Partition, Queue]]:
    default = next((p for p, _ in reversed(nodes) if p.is_default), None)
    tiers = {partition.tier for partition, _ in nodes}
    made: list[tuple[Partition, Queue]] = []
    for partition, selectors in nodes:
        fields: dict[str, Any] = {"priority": partition.tier} if len(tiers) > 1 else {}
        if is_slurm:
            fields = {
                "priority": partition.job_factor,
                "tier": partition.tier,
                "exclusive": partition.is_exclusive,
            }
        try:
            queue = Queue(
                partition.name,
                nodes=selectors,
                nodes_per_job=partition.nodes_per_job,
                walltime=(0, partition.max_time),
                default_walltime=partition.default_time,
                trace_queues=(partition.name,),
                **fields,
            )
        except FaultsError as wrong:
            for fault in wrong.faults:
                faults.add(partition.place, fault)
            continue
        made.append((partition, queue))
    return sorted(made, key=lambda each: each[0] is not default)


def idle_nodes(queues: Sequence[Queue], groups: Sequence[NodeGroup], machine: Any) -> list[str]:
    """Return the nodes that belong to no queue."""
    if not queues or not all(queue.nodes for queue in queues):
        return []
    used = {number for queue in queues for number in machine.select(queue.nodes).tolist()}
    names = (name for group in groups for name in group.names)
    return [name for number, name in enumerate(names) if number not in used]
