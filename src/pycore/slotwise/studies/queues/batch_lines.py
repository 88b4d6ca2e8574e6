"""A configuration as lines for PBS (qmgr) and Slurm (slurm.conf)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slotwise.studies.queues.base import longest_of, most_of
from slotwise.studies.queues.shares import apportion

if TYPE_CHECKING:
    from slotwise.studies.queues.layout import Layout, Part

HOUR = 3600


def hms(seconds: int) -> str:
    """Write a length as PBS reads it, hours unbounded: ``72:00:00``."""
    return f"{seconds // HOUR:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def d_hms(seconds: int) -> str:
    """Write a length as Slurm does: ``3-00:00:00``."""
    days, rest = divmod(seconds, 24 * HOUR)
    return f"{days}-{hms(rest)}" if days else hms(rest)


def word(name: str) -> str:
    """Return a queue name both systems take: letters, digits and underscores."""
    return re.sub(r"\W+", "_", name)


def qmgr_lines(layout: Layout) -> list[str]:
    """Return the configuration as input of PBS ``qmgr``.

    A base queue with several parts becomes a routing queue that tries them in turn. The processors
    of a partition are the soft limit of what the jobs of its queues use; with a common pool the
    hard limit is that much higher. Queues that share a partition get its limits each, as PBS has
    none for several queues together.
    """
    lines = ["# PBS: qmgr < this file"]
    common = layout.common if layout.hybrid else 0
    if common:
        lines.append(
            f"# {common} processors are common: PBS does not know the threshold "
            f"{layout.threshold:g} of waiting over length times priority"
        )
    for position, base in enumerate(layout.base.queues):
        parts = [
            (partition, part)
            for partition in layout.partitions
            for part in partition.parts
            if part.base == position
        ]
        if len(parts) > 1:
            names = ",".join(_part_name(base.name, k) for k in range(1, len(parts) + 1))
            lines += [
                f"create queue {word(base.name)} queue_type = Route",
                f'set queue {word(base.name)} route_destinations = "{names}"',
                *_switched_on(word(base.name)),
            ]
        for k, (partition, part) in enumerate(parts, 1):
            name = _part_name(base.name, k) if len(parts) > 1 else word(base.name)
            shared = len(partition.parts) > 1
            lines += _execution(name, part, base.priority)
            if shared:
                lines.append(f"# {name} shares the {partition.size} processors of {partition.name}")
            lines.append(_limit(name, "max_run_res_soft", partition.size))
            if common:
                lines.append(_limit(name, "max_run_res", partition.size + common))
            lines += _switched_on(name)
        if base.spanning:
            whole = sum(layout.sizes)
            lines += _execution_of(
                word(base.name), base.processors[0], most_of(base),
                0, longest_of(base), base.priority,
            )  # fmt: skip
            lines.append(_limit(word(base.name), "max_run_res", whole))
            lines += _switched_on(word(base.name))
    return lines


def _part_name(name: str, number: int) -> str:
    return f"{word(name)}_{number}"


def _execution(name: str, part: Part, priority: float) -> list[str]:
    return _execution_of(name, part.fewest, part.most, part.above, part.longest, priority)


def _execution_of(
    name: str, fewest: int, most: int, above: int, longest: int, priority: float
) -> list[str]:
    return [
        f"create queue {name} queue_type = Execution",
        f"set queue {name} Priority = {round(priority)}",
        f"set queue {name} resources_min.ncpus = {fewest}",
        f"set queue {name} resources_max.ncpus = {most}",
        *([f"set queue {name} resources_min.walltime = {hms(above + 1)}"] if above else []),
        *([f"set queue {name} resources_max.walltime = {hms(longest)}"] if longest else []),
    ]


def _limit(name: str, kind: str, processors: int) -> str:
    return f'set queue {name} {kind}.ncpus = "[o:PBS_ALL={processors}]"'


def _switched_on(name: str) -> list[str]:
    return [f"set queue {name} enabled = True", f"set queue {name} started = True"]


def slurm_lines(layout: Layout, cores: int = 1, prefix: str = "node") -> list[str]:
    """Return the configuration as partition lines of ``slurm.conf``.

    Nodes are given out from the first on, partition after partition, and the common pool's, the
    last, stand in every partition. Slurm does not choose a partition by size and length: that takes
    a job_submit plugin, or users who name it.

    Parameters
    ----------
    cores : int
        Processors of a node.
    prefix : str
        Of the names of nodes: ``node1``, ``node2``, ….

    Raises
    ------
    ValueError
        For less than one processor a node, or a node larger than the smallest partition.
    """
    if cores < 1 or cores > min(layout.sizes):
        raise ValueError(
            f"cores={cores}: a node has at least 1 processor and no more than the smallest "
            f"partition, {min(layout.sizes)}"
        )
    common = layout.common if layout.hybrid else 0
    nodes = apportion([*layout.sizes, layout.common], layout.base.machine // cores)
    first = 1
    ranges = []
    for count in nodes:
        ranges.append(f"{prefix}[{first}-{first + count - 1}]" if count else "")
        first += count
    lines = ["# Slurm: for slurm.conf"]
    if common:
        lines.append(
            f"# {ranges[-1]} is common: Slurm does not know the threshold {layout.threshold:g} of "
            "waiting over length times priority"
        )
    for k, partition in enumerate(layout.partitions):
        where = f"{ranges[k]},{ranges[-1]}" if common and nodes[-1] else ranges[k]
        box = (min(p.fewest for p in partition.parts), partition.largest)
        longest = max(p.longest for p in partition.parts)
        priority = max(layout.base.queues[p.base].priority for p in partition.parts)
        lines.append(_partition(partition.name, where, box, longest, priority, cores))
    everywhere = ",".join(r for r in ranges[: len(layout.partitions)] if r)
    for base in layout.base.queues:
        if base.spanning:
            box = (base.processors[0], most_of(base))
            lines.append(
                _partition(base.name, everywhere, box, longest_of(base), base.priority, cores)
            )
    return lines


def _partition(
    name: str, nodes: str, sizes: tuple[int, int], longest: int, priority: float, cores: int
) -> str:
    low, high = (-(-size // cores) for size in sizes)
    return (
        f"PartitionName={word(name)} Nodes={nodes} MinNodes={low} MaxNodes={high} "
        f"MaxTime={d_hms(longest)} PriorityTier={max(1, round(priority))} State=UP"
    )
