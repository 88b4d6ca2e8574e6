"""Node lists of queues, adapted to node types that grow or shrink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.machine.hostlist import expanded, folded
from slotwise.site.machine.nodes import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotwise.site.machine.nodes import Nodes
    from slotwise.site.parts.queue import Queue


def adapted_queues(
    machine: Nodes, queues: Sequence[Queue], names: Mapping[int, Sequence[str]]
) -> dict[int, list[str]]:
    """Return a new node list for each queue that needs one, by the queue's position.

    A queue that lists every node of a type also gets that type's new nodes. Removed nodes disappear
    from every list.

    Parameters
    ----------
    machine : Nodes
        The machine before the change.
    queues : sequence of Queue
    names : mapping of int to sequence of str
        Names of all nodes of a type after the change, by the type's position.

    Examples
    --------
    >>> import slotwise as sw
    >>> nodes = sw.Nodes([sw.NodeType(hosts="n[1-4]", cores=2)])
    >>> adapted_queues(nodes, [sw.Queue("q", nodes=["n[1-4]"])], {0: ["n1", "n2"]})
    {0: ['n[1-2]']}
    """
    adapted = {}
    for number, queue in enumerate(queues):
        lists = list(queue.nodes)
        for place, after in names.items() if lists else ():
            lists = _adapted(machine, queue.nodes, lists, place, after)
        if lists and lists != list(queue.nodes):
            adapted[number] = lists
    return adapted


def _adapted(
    machine: Nodes, named: Sequence[str], lists: list[str], place: int, after: Sequence[str]
) -> list[str]:
    kind = machine.types[place]
    chosen = set(machine.select(named).tolist())
    before = [
        name
        for name, position in zip(machine.names, machine.type_of, strict=True)
        if position == place
    ]
    gone = set(before).difference(after)
    new = [name for name in after if name not in machine.positions]
    kept = [left for each in lists if (left := _without(each, gone))]
    by_kind = {f"type:{kind.name}", *(f"feature:{name}" for name in kind.features)}
    has_all = chosen.issuperset(machine.positions[name] for name in before)
    if new and has_all and by_kind.isdisjoint(lists):
        kept.append(folded(new))
    return kept


def _without(selector: str, gone: set[str]) -> str:
    """Remove some names from a list of hosts; the result is empty if none is left."""
    if not gone or ":" in selector:
        return selector
    names = expanded(selector, MOST_NODES)
    left = [name for name in names if name not in gone]
    return selector if len(left) == len(names) else folded(left)
