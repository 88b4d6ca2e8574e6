"""Checks that find site parts unsuited to node types, and parts that require node types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Fault, all_sound, faults_at, sound
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.site.names import unknown_name
from slotwise.site.parts.limits import RESOURCE_LIMITS
from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import backfill_facts, name_of
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.faults import Key

CALENDAR = {"maintenance": "maintenance", "outages": "outage", "reservations": "reservation"}
"""Fields of a site whose parts can apply to some nodes, each with its table in a site file."""

_DESCRIBE = "describe the machine with [machine] nodes = [{ count = 32, cores = 16 }]"


def node_faults(site: Any) -> Iterator[Fault]:
    """Find parts that do not suit the machine, such as pools on node types.

    A site without a machine is checked later, when the trace gives the number of processors.
    """
    if isinstance(site.machine, Nodes):
        yield from _pools_on_nodes(site)
        yield from _sizes_on_nodes(site, site.machine)
        yield from _resources(site, site.machine)
        yield from _queues_without_room(site, site.machine)
    elif site.machine is not None:
        yield from needs_nodes(site)


def node_name_faults(site: Any) -> Iterator[Fault]:
    """Find references to missing nodes; for this check, only the machine must be valid."""
    if isinstance(site.machine, Nodes):
        yield from _names_of_nodes(site, site.machine)


def needs_nodes(site: Any) -> Iterator[Fault]:
    """Find parts that require a machine with node types."""
    for key, value in _uses_of_nodes(site):
        yield Fault(
            key, f"{value} requires a machine with node types; omit the setting, or {_DESCRIBE}"
        )


def _uses_of_nodes(site: Any) -> Iterator[tuple[Key, str]]:
    if not isinstance(site.machine, Torus):  # for a torus, torus_checks reports these parts
        yield from _places(site)
    for key, amounts in _resource_limits(site):
        if amounts:
            yield key, "a limit on a resource"
    if isinstance(site.policy, Policy) and site.policy.reserve != "numbers":
        yield ("policy", "reserve"), "reserving nodes by name"


def _places(site: Any) -> Iterator[tuple[Key, str]]:
    for index, queue in sound(site.queues, "nodes", "nodes_per_job"):
        if queue.nodes:
            yield ("queue", index, "nodes"), "a set of nodes"
        if tuple(queue.nodes_per_job) != (1, None):
            yield ("queue", index, "nodes_per_job"), "a number of nodes"
    for field, table in CALENDAR.items():
        for index, part in sound(getattr(site, field), "nodes", "node_type"):
            if part.nodes:
                yield (table, index, "nodes"), "a set of nodes"
            if part.node_type is not None:
                yield (table, index, "node_type"), "a node type"
    if site.crashes.per_node is True:
        yield ("crashes", "per_node"), "generating crashes of individual nodes"


def _pools_on_nodes(site: Any) -> Iterator[Fault]:
    """Find pools, spanning queues and backfill rules for a torus; none suits node types."""
    remedy = 'list the nodes of each queue, for example nodes = ["gpu[01-16]"]'
    if site.pools:
        yield Fault(
            ("pool",),
            "pools divide processors, but this machine has node types; omit the pools, and "
            f"{remedy}",
        )
    for index, queue in sound(site.queues, "spanning", "pools"):
        if queue.spanning:
            yield Fault(
                ("queue", index, "spanning"),
                "a queue spans pools, but this machine has node types; omit spanning, and "
                f"{remedy}",
            )
        if queue.pools and not site.pools:
            yield Fault(
                ("queue", index, "pools"),
                f"pools divide processors, not nodes; omit the pools, and {remedy}",
            )
    if isinstance(site.policy, Policy):
        backfill = name_of(site.policy.backfill)
        if backfill_facts()[backfill].places_jobs:
            yield Fault(
                ("policy", "backfill"),
                f"'{backfill}' does not support node types; choose another backfill",
            )


def _names_of_nodes(site: Any, machine: Nodes) -> Iterator[Fault]:
    """Find unknown node types, selectors that match no node, and node counts that are too large."""
    for key, selectors in _selectors(site):
        try:
            machine.select(selectors)
        except ValueError as fault:
            yield from faults_at(key, fault)
    for field, table in CALENDAR.items():
        for index, part in sound(getattr(site, field), "node_type", "node_count"):
            if part.node_type is None:
                continue
            known = [kind.name for kind in machine.types if kind.name]
            if part.node_type not in known:
                text = unknown_name("node type", part.node_type, known)
                yield Fault((table, index, "node_type"), text)
                continue
            count = sum(kind.count for kind in machine.types if kind.name == part.node_type)
            if (part.node_count or 0) > count:
                yield Fault(
                    (table, index, "node_count"),
                    f"{part.node_count} is more than the {plural(count, 'node')} of type "
                    f"'{part.node_type}'; use a smaller number",
                )


def _selectors(site: Any) -> Iterator[tuple[Key, tuple[str, ...]]]:
    for index, queue in sound(site.queues, "nodes"):
        if queue.nodes:
            yield ("queue", index, "nodes"), queue.nodes
    for field, table in CALENDAR.items():
        for index, part in sound(getattr(site, field), "nodes"):
            if part.nodes:
                yield (table, index, "nodes"), part.nodes


def _sizes_on_nodes(site: Any, machine: Nodes) -> Iterator[Fault]:
    """Find parts that give a number of processors although nodes have several cores."""
    if all(kind.resources["cores"] == 1 for kind in machine.types):
        return
    for field, table in CALENDAR.items():
        for index, part in sound(getattr(site, field), "processors"):
            if getattr(part, "processors", None) is not None:
                yield Fault(
                    (table, index, "processors"),
                    f"{part.processors}: a number of processors does not say which nodes are "
                    'meant; list them, as in nodes = ["n[1-4]"], or set node_type and node_count',
                )


def _resource_limits(site: Any) -> Iterator[tuple[Key, Any]]:
    for name in RESOURCE_LIMITS:
        amounts = getattr(site.limits, name)
        yield ("limits", name), amounts if hasattr(amounts, "items") else {}
        for index, queue in sound(site.queues, name):
            yield ("queue", index, name), getattr(queue, name)
        for index, part in sound(site.named_limits, name):
            yield ("named_limit", index, name), getattr(part, name)


def _resources(site: Any, machine: Nodes) -> Iterator[Fault]:
    known = ["nodes", *machine.resources]
    for key, amounts in _resource_limits(site):
        for name in amounts:
            if name not in known:
                yield Fault((*key, name), unknown_name("node resource", name, known))


def _queues_without_room(site: Any, machine: Nodes) -> Iterator[Fault]:
    """Find queues whose smallest job needs more nodes or cores than the queue has."""
    cores = [kind.resources["cores"] for kind in machine.types]
    for index, queue in sound(site.queues, "nodes", "nodes_per_job", "processors"):
        try:
            nodes = machine.select(queue.nodes) if queue.nodes else None
        except ValueError:
            continue  # node_name_faults() reports it
        count = machine.n_nodes if nodes is None else len(nodes)
        if queue.nodes_per_job[0] > count:
            yield Fault(
                ("queue", index, "nodes_per_job"),
                f"{queue.nodes_per_job[0]} is more than the {plural(count, 'node')} of the queue, "
                "so no job in the queue can ever start; use a smaller number, or add nodes",
            )
        if nodes is not None and queue.has_ranges:
            total = sum(cores[kind] for kind in machine.type_of[nodes].tolist())
            if queue.processors[0] > total:
                yield Fault(
                    ("queue", index, "processors"),
                    f"{queue.processors[0]} is more than the {total} cores of the queue's nodes, "
                    "so no job in the queue can ever start; use a smaller number, or add nodes",
                )


def named_in_several(site: Any) -> dict[str, list[str]]:
    """Return the nodes that are in more than one outage or maintenance window.

    Returns
    -------
    dict of str to list of str
        The tables that contain each node, in node order:
        ``{"n1": ["maintenance[0]", "outage[1]"]}``. Nodes of a torus are named by their position.
    """
    machine = site.machine
    found: dict[str, list[str]] = {}
    if not isinstance(machine, Nodes | Torus) or not all_sound(site.outages, "nodes"):
        return {}
    for field in ("maintenance", "outages"):
        for index, part in sound(getattr(site, field), "nodes"):
            for number in machine.select(part.nodes).tolist() if part.nodes else []:
                name = str(number) if isinstance(machine, Torus) else machine.names[number]
                found.setdefault(name, []).append(f"{CALENDAR[field]}[{index}]")
    return {name: tables for name, tables in found.items() if len(tables) > 1}
