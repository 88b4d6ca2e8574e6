"""Converts the node names that a dispatcher returns to the node numbers of the core."""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

from slotwise._numbers import whole
from slotwise.errors import ReplayError
from slotwise.site.machine.nodes import Nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def asked_on(machine: object, dispatch: Callable[..., Any]) -> Callable[..., Any]:
    """Return a dispatcher like `dispatch` that returns node numbers instead of node names.

    On a machine without node types, `dispatch` itself is returned.
    """
    if not isinstance(machine, Nodes):
        return dispatch
    numbers: dict[str, int] = {}

    @wraps(dispatch)
    def ask(queue: object, view: object) -> Any:
        if not numbers:
            numbers.update({name: number for number, name in enumerate(machine.names)})
        answer = dispatch(queue, view)
        is_iterable = hasattr(answer, "__iter__") and not isinstance(answer, str)
        return _numbered(answer, numbers) if is_iterable else answer

    return ask


def _numbered(answer: Iterable[Any], numbers: dict[str, int]) -> Iterator[Any]:
    for item in answer:
        if isinstance(item, tuple | list) and len(item) == 2:
            job, nodes = item
            yield job, _numbers_of(job, nodes, numbers)
        else:
            yield item


def _numbers_of(job: Any, nodes: Any, numbers: dict[str, int]) -> Any:
    """Convert nodes given by name or number to numbers; return any other value unchanged.

    A mapping from nodes to units becomes a list that contains each node once per unit.
    """
    if isinstance(nodes, Mapping):
        return [
            _number_of(job, node, numbers)
            for node, units in nodes.items()
            for _ in range(_units(job, node, units))
        ]
    if isinstance(nodes, str):
        nodes = [nodes]
    if not hasattr(nodes, "__iter__"):
        return nodes
    found = [_number_of(job, node, numbers) for node in nodes]
    for at, node in enumerate(found):
        if node in found[:at]:
            raise ReplayError(
                f"the dispatcher lists node {node} twice for job {job}; list each node only once"
            )
    return found


def _number_of(job: Any, node: Any, numbers: dict[str, int]) -> Any:
    if isinstance(node, str) and node not in numbers:
        raise ReplayError(
            f"the dispatcher starts job {job} on node {node!r}, but the machine has no node "
            "with that name; use names from site.machine.names"
        )
    return numbers[node] if isinstance(node, str) else node


def _units(job: Any, node: Any, units: Any) -> int:
    number = whole(units)
    if number is None or number < 1:
        raise ReplayError(
            f"the dispatcher starts job {job} with {units!r} units on node {node!r}; use a whole "
            "number, at least 1"
        )
    return number
