"""Finds the orders with parameters in a site, and checks their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Fault, dotted, sound
from slotwise.site.machine.nodes import Nodes
from slotwise.site.names import unknown_name
from slotwise.site.policy import Policy
from slotwise.site.policy.order_spec import OrderSpec
from slotwise.site.policy.order_tables import OWNERS, names_of_table
from slotwise.site.policy.policy_checks import ORDER_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.faults import Key

_PRINTED_BY = {
    "qos_priority": "'sacctmgr show qos format=name,priority'",
    "association_priority": "'sacctmgr show assoc format=account,user,priority'",
}
_IN_SLURM = {"cpu": "cores", "mem": "memory", "node": "nodes", "gres/gpu": "gpus", "gpu": "gpus"}
"""Resources that have other names in slurm.conf than in a site."""


def orders_of(site: Any) -> Iterator[tuple[Key, OrderSpec]]:
    """Yield the orders with parameters, each with its place in the site."""
    policy = site.policy
    orders: list[tuple[Key, Any]] = []
    if isinstance(policy, Policy):
        orders += [(("policy", name), getattr(policy, name)) for name in ORDER_FIELDS]
    queues = sound(site.queues, "order")
    orders += [(("queue", index, "order"), queue.order) for index, queue in queues]
    for key, order in orders:
        if isinstance(order, OrderSpec):
            yield key, order


def owner_names(site: Any) -> Iterator[tuple[Key, str, list[str]]]:
    """Yield the owners that tables of orders name: place in the site, trace column, names."""
    for key, order in orders_of(site):
        for table, entries in order.tables.items():
            if table in OWNERS:
                for column, names in names_of_table(table, entries).items():
                    yield (*key, table), column, names


def idle_weights(site: Any) -> Iterator[str]:
    """Warn about weights that have no effect because no priority in their table is above 0."""
    for key, order in orders_of(site):
        for table in _PRINTED_BY if order.name == "multifactor" else ():
            weight = table.removesuffix("_priority")
            value = dict(order.parameters).get(weight, 0)
            if value and not any(order.tables.get(table, {}).values()):
                yield (
                    f"{dotted((*key, weight))} {value} has no effect, because {table} has no "
                    f"priority above 0; set {table} = {{ name = priority }}, with the priorities "
                    f"that {_PRINTED_BY[table]} prints"
                )


def order_faults(site: Any) -> Iterator[Fault]:
    """Find weights for resources that the machine does not have."""
    machine = site.machine
    known = [*machine.resources, "nodes"] if isinstance(machine, Nodes) else ["cores", "nodes"]
    for key, order in orders_of(site):
        for name in order.tables.get("tres", {}):
            if name in known:
                continue
            said = unknown_name("machine resource", name, known)
            here = _IN_SLURM.get(name.lower())
            hint = f"; Slurm's {name} is {here} here" if here in known else ""
            yield Fault((*key, "tres", name), f"{said}{hint}; correct it, or leave it out")
