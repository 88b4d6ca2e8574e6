"""Node lists from a ``slurm.conf``, rewritten for a site.

Example: ``n[8-010]``, whose leading zero a site does not accept, becomes ``n[8-10]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.machine.hostlist import checked_hosts, expanded, folded
from slotwise.site.machine.node_type import MOST_NODES
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def sound_list(hosts: str, names: Sequence[str]) -> str:
    """Return a list in the form that a site accepts, which is stricter than Slurm's."""
    try:
        checked_hosts(hosts)
    except ValueError:
        return folded(names)
    return hosts.strip(",")


def parts_of(hosts: str) -> Iterator[str]:
    """Split a list at the commas outside brackets."""
    depth, begin = 0, 0
    for at, character in enumerate(hosts + ","):
        depth += (character == "[") - (character == "]")
        if character == "," and not depth:
            if hosts[begin:at]:
                yield hosts[begin:at]
            begin = at + 1


def kept_nodes(hosts: str, known: set[str], absent: set[str]) -> str:
    """Return a list without nodes that do not exist yet, in the form that a site accepts.

    Raises
    ------
    ValueError
        If the list names a node that no ``NodeName`` line defines.
    """
    names = expanded(hosts, MOST_NODES)
    if known.issuperset(names) and absent.isdisjoint(names):
        return sound_list(hosts, names)
    strange = [name for name in names if name not in known]
    if strange:
        others = plural(len(strange) - 1, "other node")
        more = f" or {others} in the list" if len(strange) > 1 else ""
        raise ValueError(
            f"no NodeName line defines the node {strange[0]!r:.60}{more}; correct the list, or add "
            "the line"
        )
    return folded([name for name in names if name not in absent])
