"""Orders that installed packages add through entry points in the group ``slotwise.orders``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from slotwise._core import orders as core_orders
from slotwise.entry_points import fault_of, loaded, package_of, points_of
from slotwise.site.policy.order_functions import (
    FunctionOrder,
    NumPyOrder,
    function_order,
    is_capsule,
)

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "slotwise.orders"
"""Group of entry points for orders: functions of NumPy columns, `NumPyOrder`, `CompiledOrder`,
capsules, or mappings such as ``{"name": "expression", "key": "-submit"}``."""

PackagedOrder = FunctionOrder | Mapping[str, Any]


_loaded: dict[str, PackagedOrder] = {}


@cache
def _points() -> tuple[EntryPoint, ...]:
    return tuple(points_of(GROUP))


def packaged_names() -> list[str]:
    """Return the names of the orders in installed packages, without importing them."""
    return sorted({point.name for point in _points()})


def packaged_order(name: str) -> PackagedOrder:
    """Import an order by its name, once.

    Raises
    ------
    PackageError
        For an entry point that cannot be imported, is not an order, or has another order's name.
    """
    if name not in _loaded:
        _loaded[name] = _order_of(_point(name))
    return _loaded[name]


def _point(name: str) -> EntryPoint:
    point, *others = (each for each in _points() if each.name == name)
    if others:
        raise fault_of(point, f"has the same name as an order from {package_of(others[0])}")
    if name in _own_names():
        raise fault_of(point, "has the name of a built-in order, which is used instead")
    return point


def _own_names() -> list[str]:
    return [name for name, *_ in core_orders()]


def _order_of(point: EntryPoint) -> PackagedOrder:
    given = loaded(point)
    plain = inspect.isfunction(given) or isinstance(given, FunctionOrder)
    if plain or is_capsule(given):
        try:
            function = function_order("order", given)
        except ValueError as fault:
            raise fault_of(point, f"is refused: {fault}") from fault
        if function is not None:
            return NumPyOrder(given, name=point.name) if inspect.isfunction(given) else function
    if isinstance(given, Mapping) and given.get("name") in _own_names():
        return given
    text = (
        f"is {given!r:.80}; it must be a function of NumPy columns, a NumPyOrder, a CompiledOrder, "
        "or a mapping with the name of a built-in order"
    )
    raise fault_of(point, text)


def name_of_packaged(order: FunctionOrder) -> str | None:
    """Return the name of an order that was imported from a package; None for any other order."""
    return next((name for name, known in _loaded.items() if known == order), None)


def described(name: str) -> tuple[str, str]:
    """Return a one-line description of an order, and the name of the package that contains it."""
    order = packaged_order(name)
    line = (
        (inspect.getdoc(order.function if isinstance(order, NumPyOrder) else None) or "")
        .partition("\n")[0]
        .rstrip(".")
    )
    if isinstance(order, Mapping):
        line = ", ".join(f"{key} = {value}" for key, value in order.items())
    return line or str(order), package_of(_point(name))
