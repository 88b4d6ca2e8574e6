"""Converts a site's orders to the form of the core: names in tables become numeric codes.

Example: the order has ``qos_priority = { high = 100 }``, and the trace has the code 2 for the QOS
``high``. The core's table is ``{"2": 100}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.policy.order_spec import OrderSpec, to_core
from slotwise.site.policy.order_tables import BETWEEN, OWNERS, with_root

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise._core import OrderSpec as CoreOrderSpec
    from slotwise.replay.site_names import SiteNames

_ABSENT = "?"  # prefix of a name that is not in the trace; no job matches it


def core_order(order: object, names: SiteNames) -> CoreOrderSpec:
    """Convert the order of a policy or queue to the core's form."""
    if not isinstance(order, OrderSpec) or not order.tables:
        return to_core(order)
    return to_core(
        order,
        {
            name: _coded(OWNERS[name], with_root(table) if name == "shares" else table, names)
            if name in OWNERS
            else table
            for name, table in order.tables.items()
        },
    )


def _coded(
    columns: tuple[str, ...], table: Mapping[str, float], names: SiteNames
) -> dict[str, float]:
    """Replace names with codes; a name may have several codes."""
    found: dict[str, float] = {}
    for name, value in table.items():
        parts = name.split(BETWEEN, len(columns) - 1)
        keys = [""]
        for column, part in zip(columns, parts, strict=False):
            codes: list[int | str] = [*names.codes(column, [part])]
            keys = [
                f"{key}{BETWEEN}{code}".lstrip(BETWEEN)
                for key in keys
                for code in codes or [_ABSENT + part]
            ]
        found |= dict.fromkeys(keys, value)
    return found
