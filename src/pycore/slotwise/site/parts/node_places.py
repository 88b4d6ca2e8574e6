"""Nodes to which a part of the calendar applies, given by name or by type and number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Check, Fault
from slotwise.site.machine.node_selection import selector
from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PLACE_READERS = {
    "nodes": readers.many(selector, "nodes"),
    "node_type": readers.optional(readers.name),
    "node_count": readers.optional(readers.nodes),
}
"""Readers for the fields of `NodePlaces`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePlaces(SitePart):
    """A part of the calendar that can apply to nodes of a machine with node types."""

    nodes: str | Sequence[str] = ()
    node_type: str | None = None
    node_count: int | None = None


def _half_a_count(part: Any) -> Iterator[Fault]:
    if part.node_type is not None and part.node_count is None:
        yield Fault(
            ("node_count",),
            f"the value is missing; set the number of nodes of type '{part.node_type}', such as 4",
        )
    if part.node_count is not None and part.node_type is None:
        yield Fault(
            ("node_type",), f"the value is missing; set the type of the {part.node_count} nodes"
        )


def _one_place(part: Any) -> Iterator[Fault]:
    given = [
        name
        for name in ("processors", "pool", "nodes", "node_type")
        if getattr(part, name, None) not in (None, ())
    ]
    if "nodes" in given or "node_type" in given:
        for name in given:
            if name != given[-1]:
                yield Fault(
                    (name,), f"it is given together with {given[-1]}; leave one of the two out"
                )


def _no_size(part: Any) -> Iterator[Fault]:
    if part.processors is None and not part.nodes and part.node_type is None:
        yield Fault(
            ("processors",),
            "the value is missing; set processors, nodes, or node_type and node_count",
        )


PLACE_CHECKS = (
    Check(frozenset({"node_type", "node_count"}), _half_a_count),
    Check(frozenset({"processors", "pool", "nodes", "node_type"}), _one_place),
)
"""The checks that every part with nodes must pass."""

SIZE_CHECK = Check(frozenset({"processors", "nodes", "node_type"}), _no_size)
"""The check for every part that makes processors or nodes unavailable to others."""
