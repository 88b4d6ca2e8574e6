"""Orders and the values of their parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from slotwise._core import OrderSpec as CoreOrderSpec, check_order, orders as core_orders
from slotwise._numbers import real, whole
from slotwise.errors import SiteError
from slotwise.site.faults import Fault, FaultsError
from slotwise.site.meant_keys import unknown_key
from slotwise.site.names import check_name
from slotwise.site.parts.times import seconds_of
from slotwise.site.policy.order_functions import FunctionOrder, function_order, refuse_from_file
from slotwise.site.policy.order_tables import Table, read_table, written_table
from slotwise.site.policy.packaged_orders import (
    described,
    name_of_packaged,
    packaged_names,
    packaged_order,
)
from slotwise.text import plain_number
from slotwise.written_values import written_value


class ParameterInfo(NamedTuple):
    """A parameter of an order or a backfill rule; `minimum` is -inf if there is no lower bound.

    `kind` is ``"table"`` for a table of numbers, and ``"name"`` for one of `names`.
    """

    name: str
    doc: str
    default: float | str | dict[str, float]
    minimum: float
    kind: str = "number"
    names: tuple[str, ...] = ()


class PolicyInfo(NamedTuple):
    """Facts about an order or a backfill rule, from the registry."""

    name: str
    doc: str
    reference: str
    parameters: tuple[ParameterInfo, ...]


Value: TypeAlias = float | str | Table


@dataclass(frozen=True, slots=True)
class OrderSpec:
    """An order with values for its parameters; parameters left out have their defaults.

    A policy creates it from a mapping such as ``{"name": "priority", "cores": 0}``.

    Parameters
    ----------
    name : str
        The name of one of the `orders`.
    parameters : tuple of (str, float, str or tuple) pairs
        Values as written, in the sequence in which the parameters are declared. A table is a tuple
        of pairs.
    """

    name: str
    parameters: tuple[tuple[str, Value], ...]

    def __str__(self) -> str:
        values = ", ".join(f"{name} = {written(value)}" for name, value in self.parameters)
        return f"{self.name} ({values})"

    @property
    def tables(self) -> dict[str, dict[str, float]]:
        """The parameters that are tables."""
        return {name: dict(value) for name, value in self.parameters if isinstance(value, tuple)}

    def to_dict(self) -> dict[str, Any]:
        """Return the mapping that describes this order in a site file."""
        return {"name": self.name, **dict(self.parameters), **self.tables}

    def _to_core(self, tables: Mapping[str, Mapping[str, float]] | None = None) -> CoreOrderSpec:
        """Convert the order to the core's type; `tables` replaces the order's own tables."""
        known = {each.name: each for each in own_orders()[self.name].parameters}
        given = dict(self.parameters)
        numbers = {name: float(v) for name, v in given.items() if isinstance(v, int | float)}
        for name, value in given.items():
            if known[name].kind == "name":
                numbers[name] = float(known[name].names.index(str(value)))
        made = {name: dict(table) for name, table in (tables or self.tables).items()}
        return CoreOrderSpec(self.name, numbers, str(given.get("key", "")), tables=made)


def written(value: Value) -> str:
    """Write a parameter's value as in a site file, but without quotes."""
    if isinstance(value, tuple):
        return written_table(value)
    return value if isinstance(value, str) else plain_number(value)


Order: TypeAlias = str | OrderSpec | FunctionOrder
"""The form in which a policy stores its order: just the name if no parameter is given."""


def orders() -> list[PolicyInfo]:
    """Return every queue order: the built-in orders, then those of installed packages."""
    packaged = [PolicyInfo(name, *described(name), ()) for name in packaged_names()]
    return [*own_orders().values(), *packaged]


@cache
def own_orders() -> dict[str, PolicyInfo]:
    """Return the built-in orders, by name."""
    return {info.name: info for info in infos(core_orders())}


def order_names() -> list[str]:
    """Return the names of all orders, without importing any package."""
    return [*own_orders(), *packaged_names()]


def infos(
    facts: list[tuple[str, str, str, list[tuple[str, str, float | str, float, str, list[str]]]]],
) -> list[PolicyInfo]:
    """Convert entries of the core's registries to `PolicyInfo` values."""
    return [
        PolicyInfo(name, doc, reference, tuple(_parameter(*p) for p in parameters))
        for name, doc, reference, parameters in facts
    ]


def _parameter(
    name: str,
    doc: str,
    default: float | str,
    minimum: float,
    kind: str = "number",
    names: Sequence[str] = (),
) -> ParameterInfo:
    own: float | str | dict[str, float] = {} if kind == "table" else default
    return ParameterInfo(name, doc, own, minimum, kind, tuple(names))


def order_of(what: str, value: object) -> Order:
    """Check an order given as a name, a mapping or a function, and return it as policies store it.

    Parameters
    ----------
    what : str
        The field for which the order is given, for messages.

    Raises
    ------
    SiteError
        For an unknown order, and for missing or wrong parameters; the message names all of them.
    """
    if isinstance(value, OrderSpec):
        value = value.to_dict()
    if (function := function_order(what, value)) is not None:
        return function
    name = value
    if isinstance(value, Mapping):
        refuse_from_file(what, value)
        name = value.get("name")
        if not isinstance(name, str):
            text = 'the name is missing; write the name of the order, such as { name = "sjf" }'
            raise FaultsError([Fault((what, "name"), text)])
    info = own_orders().get(name) if isinstance(name, str) else None
    if info is None:
        check_name(what, name, order_names())
        return _packaged(what, str(name), value)
    if not isinstance(value, Mapping) or len(value) == 1:
        return info.name
    spec = OrderSpec(info.name, _parameters(what, info, value))
    try:
        check_order(spec._to_core())
    except ValueError as fault:  # only the key of an expression can be wrong here
        text = str(fault).removeprefix("key ")
        raise FaultsError([Fault((what, "key"), text)]) from None
    return spec


def _packaged(what: str, name: str, value: object) -> Order:
    """Return an order from a package; such orders take no parameters."""
    if isinstance(value, Mapping):
        _parameters(what, PolicyInfo(name, "", "", ()), value)
    return order_of(what, packaged_order(name))


def to_core(
    order: object, tables: Mapping[str, Mapping[str, float]] | None = None
) -> CoreOrderSpec:
    """Convert a stored order to the core's type; `tables` replaces the tables of an `OrderSpec`."""
    order = _stored(order)
    if isinstance(order, OrderSpec):
        return order._to_core(tables)
    return CoreOrderSpec(order) if isinstance(order, str) else order._to_core()


def to_plain(order: object) -> str | dict[str, Any]:
    """Convert a stored order to the form used in site files."""
    order = _stored(order)
    if isinstance(order, FunctionOrder) and (name := name_of_packaged(order)) is not None:
        return name
    return order if isinstance(order, str) else order.to_dict()


def _stored(order: object) -> Order:
    return order if isinstance(order, (str, OrderSpec, FunctionOrder)) else order_of("order", order)


def _parameters(
    what: str, info: PolicyInfo, given: Mapping[str, Any]
) -> tuple[tuple[str, Value], ...]:
    known = {parameter.name: parameter for parameter in info.parameters}
    faults = [
        Fault(
            (what, str(key)),
            unknown_key(f"'{info.name}' parameter", str(key), list(known))
            if known
            else f"unknown key '{key}'; set only name: order '{info.name}' has no parameters",
        )
        for key in given
        if key != "name" and key not in known
    ]
    values = []
    for name in (name for name in known if name in given):
        try:
            values.append((name, _value(known[name], given[name])))
        except SiteError as fault:
            faults.append(Fault((what, name), str(fault)))
    if faults:
        raise FaultsError(faults)
    return tuple(values)


def _value(parameter: ParameterInfo, value: object) -> Value:
    if parameter.kind == "table":
        return read_table(parameter.name, parameter.doc, parameter.minimum, value)
    if parameter.kind == "name":
        check_name("value", value, list(parameter.names))
        return str(value)
    if isinstance(parameter.default, str):
        if isinstance(value, str) and value.strip():
            for place, letter in enumerate(value.strip(), 1):
                if not letter.isascii():
                    raise SiteError(f"character {place}: an expression cannot contain {letter!r}")
            return value.strip()
        raise SiteError(f"{written_value(value)}: {parameter.doc} must be text")
    number = real(value)
    is_duration = "seconds" in parameter.doc
    if is_duration and isinstance(value, str):
        with suppress(ValueError):
            value = number = seconds_of(value)
    least = parameter.minimum
    if number is not None and math.isfinite(number) and number >= least:
        exact = whole(value)
        return number if exact is None else exact
    rule = f"a number of at least {least:g}" if math.isfinite(least) else "a finite number"
    rule += ', or a duration such as "7d"' if is_duration else ""
    raise SiteError(
        f"{written_value(value)}: the {parameter.doc} must be {rule}; "
        f"its default is {parameter.default:g}"
    )
