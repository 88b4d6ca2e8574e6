"""Numeric defaults of keys that a site file leaves out, for changes such as ``--with KEY=*2``.

Example: under the ``slurm-25.11`` preset, ``policy.bf_max_job_test`` is 500.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.policy import Policy, flat, orders, policy_defaults
from slotwise.site.policy.order_spec import OrderSpec

if TYPE_CHECKING:
    from slotwise.site import Site
    from slotwise.site.faults import Key


def default_number(site: Site, path: Key) -> int | float | None:
    """Return the numeric default of a key, or None if it has none or the key is unknown.

    Parameters
    ----------
    site : Site
    path : Key
        The key, with queues given by position instead of name.
    """
    value = _value(site, path)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def named_order(site: Site) -> str:
    """Return the name of the site's order if it takes parameters, otherwise an empty string."""
    order = site.policy.order if isinstance(site.policy, Policy) else ""
    name = order.name if isinstance(order, OrderSpec) else str(order)
    return name if any(info.name == name and info.parameters for info in orders()) else ""


def _value(site: Site, path: Key) -> Any:
    if path[0] == "queue" and len(path) == 3 and isinstance(path[1], int):
        return getattr(site.queues[path[1]], str(path[2]), None)
    if path[0] != "policy" or not isinstance(site.policy, Policy):
        return None
    if len(path) == 2:
        return {**policy_defaults(), **flat(site.policy.to_dict())}.get(str(path[1]))
    if path[1] == "order" and len(path) == 3:
        name = named_order(site)
        known = next((info.parameters for info in orders() if info.name == name), ())
        return next((each.default for each in known if each.name == path[2]), None)
    return None
