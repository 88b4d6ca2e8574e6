"""topology/tree under select/cons_tres, as far as the public run needs it (rule 9).

A job takes nodes below the lowest switch that has enough free nodes and CPUs; if there are several,
below the one with the fewest free nodes. Below this switch, leaf switches are filled one after
another, choosing the tightest leaf that suffices or, if none suffices, the largest. Within a leaf,
the tightest node that suffices is taken first or, if none suffices, the node with the most free
CPUs.

Example: n1 to n4 are all free on one leaf, g1 and b1 on another. A job of one node takes a node on
the second leaf, because this leaf has fewer free nodes; the node is b1, the first by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.slurm.conf import hosts
from reference.slurm.cons_tres import ConsTres
from reference.slurm.node_sets import node_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.rules import Rules
    from reference.slurm.running import Running

FIRST_WINDOW = 30


@dataclass(frozen=True)
class Tree:
    """Leaf switches in the order of topology.conf, below one switch that joins them."""

    leaves: tuple[tuple[int, ...], ...]

    @classmethod
    def read(cls, path: Path, machine: Machine) -> Tree:
        place = {node.name: number for number, node in enumerate(machine.nodes)}
        leaves = []
        for line in path.read_text(encoding="utf-8").splitlines():
            pairs = dict(word.split("=", 1) for word in line.split() if "=" in word)
            if "Nodes" in pairs:
                leaves.append(tuple(sorted(place[name] for name in hosts(pairs["Nodes"]))))
        return cls(tuple(leaves))


class TreeConsTres(ConsTres):
    """Chooses nodes by switches; with `early_groups`, job ends are grouped as in old Slurm."""

    def __init__(
        self, machine: Machine, parameters: Parameters, rules: Rules, tree: Tree | None
    ) -> None:
        super().__init__(machine, parameters, rules)
        self.tree = tree
        self.early_groups = True

    def end_groups(self, running: Sequence[Running], usable: int) -> Iterator[list[Running]]:
        """Yield groups of job ends; the first spans up to 30 s, the next 60 s, then 120 s, etc."""
        if not self.early_groups:
            yield from super().end_groups(running, usable)
            return
        window, group = FIRST_WINDOW, []
        in_order = sorted(running, key=lambda each: (each.end, each.job.number))
        for each, following in zip(in_order, [*in_order[1:], None], strict=True):
            if not each.nodes & usable:
                continue
            group.append(each)
            if following is not None and following.end <= group[0].end + window:
                continue
            yield group
            window, group = window * 2, []
        if group:
            yield group

    def _fill(self, job: Job, free: dict[int, int]) -> int | None:
        if self.tree is None:
            return super()._fill(job, free)
        leaves = [[place for place in leaf if place in free] for leaf in self.tree.leaves]
        fitting = [leaf for leaf in leaves if _suffices(leaf, free, job.nodes, job.cpus)]
        left = [min(fitting, key=len)] if fitting else [leaf for leaf in leaves if leaf]
        if not _suffices([place for leaf in left for place in leaf], free, job.nodes, job.cpus):
            return None
        taken: list[int] = []
        cpus = job.cpus
        while left and len(taken) < job.nodes:
            leaf = min(left, key=lambda each: _leaf_rank(each, free, job.nodes - len(taken), cpus))
            left.remove(leaf)
            while leaf and len(taken) < job.nodes:
                place = min(leaf, key=lambda each: _rank(free[each], cpus))
                leaf.remove(place)
                taken.append(place)
                cpus -= min(free[place], cpus - (job.nodes - len(taken)))
        return node_set(taken) if len(taken) == job.nodes and cpus <= 0 else None


def _suffices(leaf: list[int], free: dict[int, int], nodes: int, cpus: int) -> bool:
    return len(leaf) >= nodes and sum(free[place] for place in leaf) >= cpus


def _leaf_rank(leaf: list[int], free: dict[int, int], nodes: int, cpus: int) -> tuple[bool, int]:
    total = sum(free[place] for place in leaf)
    enough = _suffices(leaf, free, nodes, cpus)
    return not enough, total if enough else -total


def _rank(free: int, cpus: int) -> tuple[bool, int]:
    return free < cpus, free if free >= cpus else -free
