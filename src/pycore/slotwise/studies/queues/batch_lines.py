"""A configuration as lines for PBS (qmgr) and Slurm (slurm.conf)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slotwise.errors import SiteError
from slotwise.studies.queues.base import longest_of, most_of
from slotwise.studies.queues.shares import at_least

if TYPE_CHECKING:
    from slotwise.studies.queues.layout import Layout, Part, Partition

HOUR = 3600
YEAR = 365 * 24 * HOUR
"""A longest request beyond it is no limit: in logs it stands for none."""


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
    of a partition are the limit of what the jobs of its queues use; with a common pool they are the
    soft limit, and the hard one is that much higher. Queues that share a partition get its limits
    each, as PBS has none for several queues together.
    """
    lines = ["# PBS: qmgr < this file"]
    common = layout.common if layout.hybrid else 0
    if common:
        lines.append(
            f"# {common} processors are common: PBS does not know the threshold "
            f"{layout.threshold:g} of waiting over length times priority"
        )
    if any(len(partition.parts) > 1 for partition in layout.partitions):
        lines.append(
            "# Queues that share processors are limited each: PBS has no limit of several together"
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
            lines += _execution(name, part, priority_of(partition, layout))
            if shared:
                lines.append(f"# {name} shares the {partition.size} processors of {partition.name}")
            if common:
                lines.append(_limit(name, "max_run_res_soft", partition.size))
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


def priority_of(partition: Partition, layout: Layout) -> float:
    """Return the priority of a partition's jobs, the highest of the base queues it serves."""
    return max(layout.base.queues[part.base].priority for part in partition.parts)


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
        *([f"set queue {name} resources_max.walltime = {hms(longest)}"] if longest <= YEAR else []),
    ]


def _limit(name: str, kind: str, processors: int) -> str:
    return f'set queue {name} {kind}.ncpus = "[o:PBS_ALL={processors}]"'


def _switched_on(name: str) -> list[str]:
    return [f"set queue {name} enabled = True", f"set queue {name} started = True"]


def slurm_lines(layout: Layout, cores: int = 1, prefix: str = "node") -> list[str]:
    """Return the configuration as partition lines of ``slurm.conf``.

    Nodes are given out whole and from the first on, partition after partition, each at least those
    of its largest job; the common pool's, the last, stand in every partition. Slurm does not choose
    a partition by size and length: that takes a job_submit plugin, or users who name it.

    Parameters
    ----------
    cores : int
        Processors of a node.
    prefix : str
        Of the names of nodes: ``node1``, ``node2``, ….

    Raises
    ------
    ValueError
        For less than one processor a node, for nodes that do not make up the machine, and for nodes
        so large that the partitions have too few for their largest jobs.
    """
    nodes = _whole_nodes(layout, cores)
    common = layout.common if layout.hybrid else 0
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
        lines += [f"# {_served(part, layout)}" for part in partition.parts]
        lines.append(
            _partition(partition.name, where, box, longest, priority_of(partition, layout), cores)
        )
    everywhere = ",".join(r for r in ranges[: len(layout.partitions)] if r)
    for base in layout.base.queues:
        if base.spanning:
            box = (base.processors[0], most_of(base))
            lines.append(
                _partition(base.name, everywhere, box, longest_of(base), base.priority, cores)
            )
    return lines


def check_nodes(machine: int, cores: int) -> None:
    """Refuse nodes that do not make up the machine.

    Raises
    ------
    ValueError
    """
    if cores < 1 or machine % cores:
        raise ValueError(
            f"cores={cores}: nodes of so many processors do not make up the machine's {machine}"
        )


def _whole_nodes(layout: Layout, cores: int) -> list[int]:
    """Return the nodes of each partition, and of the common pool."""
    machine = layout.base.machine
    check_nodes(machine, cores)
    least = [-(-partition.largest // cores) for partition in layout.partitions]
    try:
        return at_least([*layout.sizes, layout.common], [*least, 0], machine // cores)
    except SiteError:
        raise ValueError(
            f"cores={cores}: the largest jobs of the partitions take {sum(least)} whole nodes "
            f"together, the machine has {machine // cores}"
        ) from None


def _served(part: Part, layout: Layout) -> str:
    """Say of which jobs a part is."""
    above = f"above {d_hms(part.above)} " if part.above else ""
    longest = f"up to {d_hms(part.longest)}" if part.longest <= YEAR else ""
    length = f", {above}{longest}".rstrip() if above or longest else ""
    return f"{layout.base.queues[part.base].name}: {part.fewest} to {part.most} processors{length}"


def _partition(
    name: str, nodes: str, sizes: tuple[int, int], longest: int, priority: float, cores: int
) -> str:
    low, high = (-(-size // cores) for size in sizes)
    most = d_hms(longest) if longest <= YEAR else "UNLIMITED"
    return (
        f"PartitionName={word(name)} Nodes={nodes} MinNodes={low} MaxNodes={high} "
        f"MaxTime={most} PriorityTier={max(1, round(priority))} State=UP"
    )
