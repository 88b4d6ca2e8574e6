"""Slurm's order of nodes: by name, with numbers compared as numbers; the order of lines is ignored.

Example: ``NodeName=n[9-10]`` followed by ``NodeName=m1,n2`` gives the order m1, n2, n9, n10.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from slotwise.site.machine.hostlist import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.formats.slurm_site.node_lines import NodeGroup

_PARTS = re.compile(r"[0-9]+|[^0-9]")


def in_slurms_order(groups: Sequence[NodeGroup]) -> list[NodeGroup]:
    """Return groups whose nodes, one group after another, are in Slurm's order.

    A group is split where a node of another group lies between two of its nodes.
    """
    group_of = {name: number for number, group in enumerate(groups) for name in group.names}
    ordered = sorted(group_of, key=name_key)
    found: list[NodeGroup] = []
    for number, run in groupby(ordered, key=group_of.__getitem__):
        names = tuple(run)
        group = groups[number]
        if names != group.names:
            group = replace(group, hosts=folded(names), names=names)
        found.append(group)
    return found


def name_key(name: str) -> list[tuple[int, bool, int, str]]:
    """Return the sort key of a node's name.

    Numbers with a leading zero are compared as text, and come before other numbers, which are
    compared by value.
    """
    return [_part_key(part) for part in _PARTS.findall(name)]


def _part_key(part: str) -> tuple[int, bool, int, str]:
    if not part[0].isdigit():
        return ord(part), False, 0, ""
    is_number = part[0] != "0"
    return ord("0"), is_number, len(part) if is_number else 0, part
