"""Describes a site as plain values, including the functions that order its jobs."""

from __future__ import annotations

import hashlib
import json
import pickle
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from slotwise.site.policy.order_functions import CompiledOrder, FunctionOrder, NumPyOrder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.site import Site


def site_values(site: Site) -> dict[str, Any]:
    """Return `Site.to_dict`, plus a hash of each function to tell functions apart.

    The hash of a Python function covers its code, its defaults and the outer variables that it
    reads. It does not cover the code in modules that the function uses. The hash of a compiled
    order covers its name, its columns and `static`.
    """
    values = site.to_dict()
    functions = [_hash_of(order) for order in _function_orders(site)]
    return values | ({"functions": functions} if functions else {})


def _function_orders(site: Site) -> Iterator[FunctionOrder]:
    orders = [getattr(site.policy, "order", None), getattr(site.policy, "backfill_order", None)]
    orders += [queue.order for queue in site.queues]
    yield from (order for order in orders if isinstance(order, FunctionOrder))


def _hash_of(order: FunctionOrder) -> str:
    parts: list[Any] = [order.kind, order.name, order.columns, order.static]
    if isinstance(order, NumPyOrder):
        parts.append(_parts(order.function, {}))
    assert isinstance(order, NumPyOrder | CompiledOrder)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _parts(value: Any, seen: dict[int, Any]) -> Any:
    """Describe a value in JSON types; the results differ for functions that may act differently."""
    if value is None or isinstance(value, bool | int | float | str):
        return [type(value).__name__, repr(value)]
    if isinstance(value, CodeType):
        return [value.co_code.hex(), value.co_names, [_parts(c, seen) for c in value.co_consts]]
    if isinstance(value, type | ModuleType | BuiltinFunctionType):
        return [getattr(value, "__module__", ""), getattr(value, "__qualname__", value.__name__)]
    if id(value) in seen:
        return "again"
    seen[id(value)] = value  # kept alive, so that no other value gets its id
    if isinstance(value, FunctionType):
        cells = [_content(cell) for cell in value.__closure__ or ()]
        read = {name: value.__globals__[name] for name in _names(value.__code__, value.__globals__)}
        outside = [value.__defaults__, value.__kwdefaults__, cells, read]
        return [_parts(value.__code__, seen), _parts(outside, seen)]
    if isinstance(value, list | tuple):
        return [_parts(each, seen) for each in value]
    if isinstance(value, dict):
        return [[_parts(key, seen), _parts(each, seen)] for key, each in value.items()]
    return _of_object(value, seen)


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the closure variable has no value yet
        return None


def _names(code: CodeType, known: dict[str, Any]) -> list[str]:
    """Return the global names that a function and the functions inside it read."""
    found = {name for name in code.co_names if name in known}
    for each in code.co_consts:
        if isinstance(each, CodeType):
            found |= set(_names(each, known))
    return sorted(found)


def _of_object(value: Any, seen: dict[int, Any]) -> Any:
    """Return the type of an object, the code of its ``__call__`` method, and its content."""
    kind = type(value)
    call = getattr(kind, "__call__", None)  # noqa: B004
    parts = [kind.__module__, kind.__qualname__]
    if isinstance(call, FunctionType):
        parts.append(_parts(call, seen))
    try:
        content = hashlib.sha256(pickle.dumps(value)).hexdigest()
    except Exception:
        content = repr(value)  # usually contains an address, so it differs between processes
    return [*parts, content]
