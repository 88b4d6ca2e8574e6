"""Selects nodes of a machine by the selectors in a site and the constraints of jobs.

Example: nodes n1 to n4, of which n3 and n4 have the feature "ib". The selectors ``n[1-2]`` and
``feature:ib`` together choose all four; the constraint ``ib`` allows n3 and n4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from slotwise.errors import SiteError
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.machine.hostlist import checked_hosts, expanded, folded, number_of_hosts
from slotwise.site.names import unknown_name
from slotwise.trace.constraints import alternatives
from slotwise.written_values import written_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from slotwise.site.machine.node_type import NodeType


class NamedNodes(Protocol):
    """A machine whose nodes have names, types and features."""

    @property
    def types(self) -> tuple[NodeType, ...]:
        """The node types."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes, in node order."""

    @property
    def features(self) -> tuple[str, ...]:
        """Every feature that a node has."""

    @property
    def type_of(self) -> NDArray[np.int64]:
        """Position of each node's type in `types`."""

    @property
    def positions(self) -> Mapping[str, int]:
        """Node number by name; if several nodes have the same name, the highest number."""


_MOST_NAMED_APART = 100_000
"""Maximum length of a list of nodes for which the error message names the missing ones."""

OF_TYPE, OF_FEATURE = "type:", "feature:"
"""Prefixes of selectors that are not lists of nodes."""

_NO_FEATURES = "no node has features: add it to the features of a node type"


def selector(value: object) -> str:
    """Check a selector as far as possible without a machine.

    Raises
    ------
    ValueError
        For an empty selector or a malformed list of nodes.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError(
            f"{written_value(value)} must be a list of nodes, such as gpu[001-016], type:fat or "
            "feature:ib"
        )
    text = value.strip()
    if text.startswith((OF_TYPE, OF_FEATURE)):
        if not text.partition(":")[2]:
            raise ValueError(f"the name after {text!r} is missing; write {text}NAME")
    else:
        checked_hosts(text)
    return text


def select_nodes(machine: NamedNodes, selectors: Iterable[str]) -> NDArray[np.int64]:
    """Return the numbers of the nodes that match at least one selector; see `Nodes.select`."""
    chosen = np.zeros(machine.n_nodes, dtype=bool)
    faults: list[Fault] = []
    several = [*selectors]
    for place, text in enumerate(several):
        try:
            chosen[_chosen_by(machine, selector(text))] = True
        except ValueError as fault:
            faults.append(Fault((place,) if len(several) > 1 else (), str(fault)))
    if faults:
        raise FaultsError(faults)
    return np.flatnonzero(chosen)


def _chosen_by(machine: NamedNodes, text: str) -> NDArray[np.bool_] | list[int]:
    kind, _, name = text.partition(":")
    if text.startswith(OF_TYPE):
        known = [each.name for each in machine.types if each.name]
        if name not in known:
            raise ValueError(
                _unknown(
                    "node type", name, known, "no node type has a name: give the node type a name"
                )
            )
        return _of_types(machine, [each.name == name for each in machine.types])
    if text.startswith(OF_FEATURE):
        if name not in machine.features:
            raise ValueError(_unknown("feature", name, machine.features, _NO_FEATURES))
        return _of_types(machine, [name in each.features for each in machine.types])
    if kind != text:
        raise ValueError(f"{text!r:.60} must be type:NAME, feature:NAME, or nodes such as n[1-4]")
    if (count := number_of_hosts(text)) > machine.n_nodes:
        raise ValueError(_too_long(machine, text, count))
    return [_position_of(machine, name) for name in expanded(text, machine.n_nodes)]


def _too_long(machine: NamedNodes, text: str, count: int) -> str:
    counted = f"it lists {count:,} nodes, but the machine has {machine.n_nodes:,}"
    if count > _MOST_NAMED_APART:
        return f"{counted}; shorten the list"
    missing = [name for name in expanded(text, count) if name not in machine.positions]
    if not missing:
        return f"{counted}, and names some nodes twice; list each node only once"
    those = f"there is no node {folded(missing)!r:.60}"
    return f"{counted}; {those}: shorten the list, or add nodes to the hosts of a node type"


def _of_types(machine: NamedNodes, chosen: list[bool]) -> NDArray[np.bool_]:
    return np.array(chosen)[machine.type_of]


def _position_of(machine: NamedNodes, name: str) -> int:
    number = machine.positions.get(name)
    if number is None:
        names = machine.names
        raise ValueError(
            f"there is no node {name!r:.60}; the nodes are {names[0]} to {names[-1]}: use one "
            f"of them, or add {name!r:.60} to the hosts of a node type"
        )
    if len(machine.positions) < machine.n_nodes and machine.names.count(name) > 1:
        raise ValueError(
            f"two nodes are named {name!r:.60}; set `hosts` or `name` on their node types"
        )
    return number


def _unknown(what: str, name: str, known: Iterable[str], remedy: str) -> str:
    names = [*known]
    if names:
        return unknown_name(what, name, names)
    return f"unknown {what} '{name:.60}'; {remedy}"


def allowed_by(machine: NamedNodes, constraint: str) -> NDArray[np.bool_]:
    """Return which nodes satisfy a constraint; see `Nodes.allowed`."""
    try:
        read = alternatives(constraint)
    except ValueError as fault:
        raise SiteError(str(fault)) from None
    for name in _names(read):
        if name not in machine.features:
            why = _unknown("feature", name, machine.features, _NO_FEATURES)
            raise SiteError(f"constraint {constraint!r:.60}: {why}")
    return _of_types(machine, [allows(constraint, kind.features) for kind in machine.types])


def allows(constraint: str, features: Collection[str]) -> bool:
    """Return whether a node with these features satisfies a constraint."""
    return any({*part} <= {*features} for part in alternatives(constraint))


def _names(read: list[list[str]]) -> Iterator[str]:
    for part in read:
        yield from part
