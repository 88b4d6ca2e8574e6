"""Orders of a site as core values: names in their tables become codes of one trace.

Example: ``qos_priority = { high = 100 }``, and the trace calls the quality of service high 2. The
core's table is ``{"2": 100}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.faults import dotted
from slotwise.site.order_checks import orders_of
from slotwise.site.policy.order_spec import OrderSpec, to_core
from slotwise.site.policy.order_tables import BETWEEN, OWNERS, names_of_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slotwise._core import OrderSpec as CoreOrderSpec
    from slotwise.replay.site_names import SiteNames
    from slotwise.site import Site
    from slotwise.site.faults import Key

_PRINTED_BY = {
    "qos_priority": "'sacctmgr show qos format=name,priority'",
    "association_priority": "'sacctmgr show assoc format=account,user,priority'",
}
_ABSENT = "?"  # precedes a name that the trace lacks; no job has it


def owner_names(site: Site) -> Iterator[tuple[Key, str, list[str]]]:
    """Yield the names in the tables of orders: the place, the column, and the names."""
    for key, order in orders_of(site):
        for table, entries in order.tables.items():
            if table in OWNERS:
                for column, names in names_of_table(table, entries).items():
                    yield (*key, table), column, names


def idle_weights(site: Site) -> Iterator[str]:
    """Warn about weights without effect, because no priority is given."""
    for key, order in orders_of(site):
        for table in OWNERS:
            weight = table.removesuffix("_priority")
            value = dict(order.parameters).get(weight, 0)
            if value and not any(order.tables.get(table, {}).values()):
                yield (
                    f"{dotted((*key, weight))} {value}: has no effect, because {table} has no "
                    f"priority above 0; give {table} = {{ name = priority }}, with the priorities "
                    f"that {_PRINTED_BY[table]} prints"
                )


def core_order(order: object, names: SiteNames) -> CoreOrderSpec:
    """Return the core's value for a stored order."""
    if not isinstance(order, OrderSpec) or not order.tables:
        return to_core(order)
    return to_core(
        order,
        {
            name: _coded(OWNERS[name], table, names) if name in OWNERS else table
            for name, table in order.tables.items()
        },
    )


def _coded(
    columns: tuple[str, ...], table: Mapping[str, float], names: SiteNames
) -> dict[str, float]:
    """Replace names by codes; a name may have several."""
    found: dict[str, float] = {}
    for name, value in table.items():
        parts = name.split(BETWEEN, len(columns) - 1)
        keys = [""]
        for column, part in zip(columns, parts, strict=False):
            codes = names.codes(column, [part])
            keys = [f"{key}{BETWEEN}{code}".lstrip(BETWEEN) for key in keys for code in codes]
        found |= dict.fromkeys(keys or [_ABSENT + name], value)
    return found
