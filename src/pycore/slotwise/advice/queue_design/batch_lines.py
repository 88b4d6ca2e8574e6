"""A configuration as lines for PBS (qmgr) and Slurm (slurm.conf)."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from slotwise.advice.queue_design.base import longest_of, most_of
from slotwise.advice.queue_design.layout import LIMITS_KEPT
from slotwise.advice.queue_design.parameters import HOUR
from slotwise.advice.queue_design.shares import at_least
from slotwise.errors import SiteError
from slotwise.formats.slurm_times import written_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.advice.queue_design.layout import Layout, Part, Partition

YEAR = 365 * 24 * HOUR
"""Requested times longer than this count as unlimited."""


def hms(seconds: int) -> str:
    """Write a duration as PBS reads it, with any number of hours: ``72:00:00``."""
    return f"{seconds // HOUR:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def word(name: str) -> str:
    """Return a queue name that PBS and Slurm accept: letters, digits and underscores."""
    return re.sub(r"\W+", "_", name)


def unique_words(names: Sequence[str]) -> list[str]:
    """Return distinct names that PBS and Slurm accept.

    An acceptable name stays unchanged at its first occurrence. Names that would collide get a
    number: ``a-1``, ``a_1`` and ``a.1`` become ``a_1_2``, ``a_1`` and ``a_1_3``.
    """
    found: dict[int, str] = {}
    for row, name in enumerate(names):
        if word(name) == name and name not in found.values():
            found[row] = name
    taken = set(found.values())
    for row, name in enumerate(names):
        if row not in found:
            free = (word(f"{name}_{k}") if k > 1 else word(name) for k in itertools.count(1))
            found[row] = next(each for each in free if each not in taken)
            taken.add(found[row])
    return [found[row] for row in range(len(names))]


def _explanations(words: Sequence[str], names: Sequence[str], what: Sequence[str]) -> list[str]:
    """Explain the names that were changed to avoid a collision."""
    plain = [word(name) for name in names]
    return [
        f"# {each} is {of}"
        for each, name, first, of in zip(words, names, plain, what, strict=True)
        if each != name and (each != first or plain.count(first) > 1)
    ]


def _missing_rules(layout: Layout) -> list[str]:
    """List the queue rules that lines for PBS and Slurm cannot express."""
    return [
        f"# no equivalent here: {name} (queues: {', '.join(queues)})"
        for name in ("starvation", *LIMITS_KEPT)
        if (queues := [q.name for q in layout.base.queues if name in q.to_dict()])
    ]


def qmgr_lines(layout: Layout) -> list[str]:
    """Return the configuration as input for PBS ``qmgr``.

    A base queue with several parts becomes a routing queue that tries the parts in turn. The size
    of a partition limits how many processors its queues use. With a common pool, the partition size
    is the soft limit, and the hard limit is the partition plus the pool. Queues that share a
    partition each get its full limit, because PBS has no joint limit for several queues.
    """
    lines = [
        "# PBS, input for qmgr; omit the create line of a queue that already exists",
        *_missing_rules(layout),
    ]
    common = layout.common if layout.hybrid else 0
    if common:
        lines.append(
            f"# {common} processors form the common pool: PBS cannot express its threshold of "
            f"{layout.threshold:g} for (wait / length) x priority"
        )
    if any(len(partition.parts) > 1 for partition in layout.partitions):
        lines.append(
            "# Queues that share processors each get the full limit, because PBS has no joint limit"
        )
    own, of_parts, explained = _pbs_names(layout)
    lines += explained
    for position, base in enumerate(layout.base.queues):
        parts = _parts_of(position, layout)
        if len(parts) > 1:
            names = ",".join(of_parts[position])
            lines += [
                f"create queue {own[position]} queue_type = Route",
                f'set queue {own[position]} route_destinations = "{names}"',
                *_switched_on(own[position]),
            ]
        for name, (partition, part) in zip(of_parts[position], parts, strict=True):
            shared = len(partition.parts) > 1
            lines += _execution(name, part, layout.priority_of(partition))
            if shared:
                lines.append(f"# {name} shares the {partition.size} processors of {partition.name}")
            if common:
                lines.append(_limit(name, "max_run_res_soft", partition.size))
            lines.append(_limit(name, "max_run_res", partition.size + common))
            lines += _switched_on(name)
        if base.spanning:
            whole = sum(layout.sizes)
            lines += _execution_of(
                own[position], base.processors[0], most_of(base),
                0, longest_of(base), base.priority,
            )  # fmt: skip
            lines.append(_limit(own[position], "max_run_res", whole))
            lines += _switched_on(own[position])
    return lines


def _parts_of(position: int, layout: Layout) -> list[tuple[Partition, Part]]:
    """Return the parts of a base queue, with their partitions."""
    return [
        (partition, part)
        for partition in layout.partitions
        for part in partition.parts
        if part.base == position
    ]


def _pbs_names(layout: Layout) -> tuple[list[str], list[list[str]], list[str]]:
    """Return names of base queues, names of their parts, and explanations of changed names.

    A single part has the name of its queue; several parts are numbered: ``small_1``, ….
    """
    queues = layout.base.queues
    counts = [len(_parts_of(k, layout)) for k in range(len(queues))]
    numbered = [(k, n) for k, c in enumerate(counts) if c > 1 for n in range(1, c + 1)]
    names = [q.name for q in queues] + [f"{word(queues[k].name)}_{n}" for k, n in numbered]
    what = [f"queue {q.name}" for q in queues]
    what += [f"part {n} of queue {queues[k].name}" for k, n in numbered]
    words = unique_words(names)
    own, rest = words[: len(queues)], iter(words[len(queues) :])
    of_parts = [
        [next(rest) for _ in range(c)] if c > 1 else own[k : k + c] for k, c in enumerate(counts)
    ]
    return own, of_parts, _explanations(words, names, what)


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

    Whole nodes are assigned in order, one partition after another. Each partition gets enough nodes
    for its largest job. The last nodes form the common pool and appear in every partition. Slurm
    does not choose a partition by a job's size and length; a job_submit plugin or the user must
    name it.

    Parameters
    ----------
    cores : int
        Processors per node.
    prefix : str
        Prefix of the node names: ``node1``, ``node2``, ….

    Raises
    ------
    ValueError
        For fewer than one processor per node, a machine that is not a whole number of nodes, and
        nodes so large that there are too few for the largest jobs of all partitions.
    """
    nodes = _whole_nodes(layout, cores)
    common = layout.common if layout.hybrid else 0
    first = 1
    ranges = []
    for count in nodes:
        ranges.append(f"{prefix}[{first}-{first + count - 1}]" if count else "")
        first += count
    lines = ["# Slurm: for slurm.conf", *_missing_rules(layout)]
    if common:
        lines.append(
            f"# {ranges[-1]} is the common pool: Slurm cannot express its threshold of "
            f"{layout.threshold:g} for (wait / length) x priority"
        )
    spanning = [base for base in layout.base.queues if base.spanning]
    names = [p.name for p in layout.partitions] + [base.name for base in spanning]
    words = unique_words(names)
    lines += _explanations(words, names, names)
    for k, partition in enumerate(layout.partitions):
        where = f"{ranges[k]},{ranges[-1]}" if common and nodes[-1] else ranges[k]
        box = (min(p.fewest for p in partition.parts), partition.largest)
        longest = max(p.longest for p in partition.parts)
        lines += [f"# {_served(part, layout)}" for part in partition.parts]
        lines.append(
            _partition(words[k], where, box, longest, layout.priority_of(partition), cores)
        )
    everywhere = ",".join(r for r in ranges[: len(layout.partitions)] if r)
    for name, base in zip(words[len(layout.partitions) :], spanning, strict=True):
        box = (base.processors[0], most_of(base))
        lines.append(_partition(name, everywhere, box, longest_of(base), base.priority, cores))
    return lines


def check_nodes(machine: int, cores: int) -> None:
    """Refuse a node size if the machine is not a whole number of such nodes.

    Raises
    ------
    ValueError
    """
    if cores < 1 or machine % cores:
        raise ValueError(
            f"cores={cores}: the machine's {machine} processors do not form whole nodes of this "
            f"many cores; use a divisor of {machine}"
        )


def _whole_nodes(layout: Layout, cores: int) -> list[int]:
    """Return the number of nodes of each partition and of the common pool."""
    machine = layout.base.machine
    check_nodes(machine, cores)
    least = [-(-partition.largest // cores) for partition in layout.partitions]
    try:
        return at_least([*layout.sizes, layout.common], [*least, 0], machine // cores)
    except SiteError:
        raise ValueError(
            f"cores={cores}: the largest jobs of the partitions need {sum(least)} whole nodes in "
            f"total, but the machine has {machine // cores}; use fewer cores per node"
        ) from None


def _served(part: Part, layout: Layout) -> str:
    """Describe the sizes and lengths of the jobs in a part of a queue."""
    above = f"above {written_time(part.above)} " if part.above else ""
    longest = f"up to {written_time(part.longest)}" if part.longest <= YEAR else ""
    length = f", {above}{longest}".rstrip() if above or longest else ""
    return f"{layout.base.queues[part.base].name}: {part.fewest} to {part.most} processors{length}"


def _partition(
    name: str, nodes: str, sizes: tuple[int, int], longest: int, priority: float, cores: int
) -> str:
    low, high = (-(-size // cores) for size in sizes)
    most = written_time(longest) if longest <= YEAR else "UNLIMITED"
    return (
        f"PartitionName={name} Nodes={nodes} MinNodes={low} MaxNodes={high} "
        f"MaxTime={most} PriorityTier={max(1, round(priority))} State=UP"
    )
