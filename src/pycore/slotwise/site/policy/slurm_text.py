"""Describes a policy with Slurm's schedulers in one line: the preset, and changes to it.

Example: ``preset slurm-25.11 (order.age = 1000, bf_interval = 60)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise._core import orders as core_orders
from slotwise.site.policy.order_spec import OrderSpec, infos, written
from slotwise.site.policy.policy import Policy
from slotwise.text import plain_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def slurm_text(policy: Policy) -> str:
    """Describe the policy by its differences from the preset with the same ``select_type``."""
    own = _values(policy)
    is_linear = own.get("select_type", "cons_tres") == "linear"
    version = "22.05" if is_linear else "25.11"
    preset = Policy.preset("slurm", version=version)
    usual = _values(preset)
    changed = {**dict(_order_changes(policy, preset)), **_changes(own, usual)}
    name = f"preset slurm-{version}"
    return f"{name} ({', '.join(f'{k} = {v}' for k, v in changed.items())})" if changed else name


def _values(policy: Policy) -> dict[str, Any]:
    """Return the fields and parameters that differ from their defaults, excluding the order."""
    fields = policy.to_dict()
    fields.pop("order", None)
    backfill = fields.pop("backfill")
    parameters = {k: v for k, v in backfill.items() if k != "name"} if backfill != "slurm" else {}
    return {**fields, **parameters}


def _changes(own: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, str]:
    from slotwise.site.policy.policy import policy_defaults

    names = [*own, *(name for name in usual if name not in own)]
    values = {name: own.get(name, policy_defaults()[name]) for name in names}
    return {name: _written(v) for name, v in values.items() if usual.get(name, _NONE) != v}


_NONE = object()


def _order_changes(policy: Policy, preset: Policy) -> Iterator[tuple[str, str]]:
    order, usual = policy.order, str(preset.order)
    name = order.name if isinstance(order, OrderSpec) else str(order)
    if name != usual:
        yield "order", name
    if isinstance(order, OrderSpec):
        known = next(info for info in infos(core_orders()) if info.name == name)
        defaults = {each.name: each.default for each in known.parameters}
        for key, value in order.parameters:
            if value != defaults[key] and value != ():
                yield f"order.{key}", written(value)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return plain_number(value) if isinstance(value, int | float) else str(value)
