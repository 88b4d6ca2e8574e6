"""The tables of a site file: their keys, and the values that each key may have."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise.site.faults import Fault, Key, faults_at
from slotwise.site.fields import LISTS, SINGLES
from slotwise.site.meant_keys import unknown_key
from slotwise.site.parts.readers import plain
from slotwise.site.policy import policy_defaults
from slotwise.site.policy.backfill_facts import parameters
from slotwise.site.policy.order_spec import own_orders
from slotwise.site.policy.policy_checks import ORDER_FIELDS, as_written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slotwise.site.parts.part import Reader, SitePart

_KINDS = {
    bool: plain("true or false", bool),
    int: plain("a whole number", int),
    float: plain("a number", float, int),
    str: plain("a string in quotes", str),
}
_PARAMETER_KINDS = {  # readers by kind of backfill parameter
    "number": _KINDS[float],
    "flag": _KINDS[bool],
    "name": _KINDS[str],
    "length": plain("a whole number", int, str),
}


class _Table(NamedTuple):
    """The readers for the values of a table, by key, and the required keys."""

    readers: Mapping[str, Reader]
    required: frozenset[str] = frozenset()


def _whole_numbers(value: Any) -> Any:
    """Read a list of whole numbers; the fault names the first value of another type."""
    for item in plain("a list of whole numbers", list)(value):
        _KINDS[int](item)
    return value


def _node_types(value: Any) -> Any:
    """Read a list of tables; the fault names the first value that is not a table."""
    rule = "a list of tables, such as [{ count = 32, cores = 16 }]"
    for item in plain(rule, list)(value):
        plain(rule, dict)(item)
    return value


def _machine_table() -> _Table:
    """Return the readers for the keys of a machine; they check only the types."""
    return _Table(
        {
            "processors": _KINDS[int],
            "torus": _whole_numbers,
            "order": plain("a name", str),
            "processors_per_node": _KINDS[int],
            "nodes": _node_types,
            "placement": _KINDS[str],
            "whole_nodes": _KINDS[bool],
            "logged_nodes": _KINDS[bool],
        }
    )


def _policy_table() -> _Table:
    """Return the readers for the fields of a policy; they check only the types."""
    readers: dict[str, Reader] = {"preset": _KINDS[str]}
    known = parameters()
    for name, default in policy_defaults().items():
        if name in known and known[name].kind == "whole":
            readers[name] = plain(f"a whole number of {known[name].unit}", int)
        elif name in known:
            readers[name] = _PARAMETER_KINDS[known[name].kind]
        elif name in (*ORDER_FIELDS, "backfill"):
            readers[name] = plain("a name, or a table with a name", str, dict)
        else:
            readers[name] = _KINDS.get(type(default), _KINDS[str])
    return _Table(readers)


def _part_table(part: type[SitePart]) -> _Table:
    fields = dataclasses.fields(part)
    required = frozenset(field.name for field in fields if _required(field))
    return _Table(part.READERS, required)


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


_TABLES = {
    "machine": _machine_table(),
    "policy": _policy_table(),
    **{table: _part_table(part) for table, part in LISTS.values()},
    **{table: _part_table(part) for table, part in SINGLES.items()},
}
LIST_TABLES = {table: (field, part) for field, (table, part) in LISTS.items()}
"""For each table that a file may contain several times: the site's field, and the part's class."""

_VALUES = {"dependencies": _KINDS[bool]}
"""Keys of a site file that are not tables."""


def known_keys(table: str | None = None) -> list[str]:
    """List the keys of a table, or the tables of a site."""
    return [*_TABLES, *_VALUES] if table is None else list(_TABLES[table].readers)


def unknown_key_of(what: str, name: str, table: str | None = None) -> str:
    """Return the message for an unknown key of a table, or for an unknown table."""
    infos = own_orders().values() if table == "policy" else ()
    of_order = {parameter.name for info in infos for parameter in info.parameters}
    return unknown_key(what, name, known_keys(table), of_order)


def shape_faults(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Find unknown tables, unknown and missing keys, and values that their key does not allow."""
    for table in _TABLES:
        if table in document:
            find = _list_faults if table in LIST_TABLES else _table_faults
            yield from find((table,), document[table])
    for name, read in _VALUES.items():
        if name in document:
            yield from _value_faults((name,), document[name], read)
    known = known_keys()
    for table in document:
        if table not in known:
            yield Fault((table,), unknown_key_of("table", table))


def _list_faults(key: Key, tables: Any) -> Iterator[Fault]:
    if not isinstance(tables, list):
        heading = _heading(str(key[0]))
        yield Fault(key, f"{as_written(tables)} is not a list of tables; write {heading}")
        return
    for index, table in enumerate(tables):
        yield from _table_faults((*key, index), table)


def _table_faults(key: Key, given: Any) -> Iterator[Fault]:
    """Find faults in one table, in the order of its keys, unknown ones last."""
    table = str(key[0])
    if not isinstance(given, dict):
        yield Fault(key, f"{as_written(given)} is not a table; write {_heading(table)}")
        return
    readers, required = _TABLES[table]
    for name, read in readers.items():
        if name in given:
            yield from _value_faults((*key, name), given[name], read)
        elif name in required:
            yield Fault((*key, name), f"the value is missing; every {_heading(table)} needs it")
    for name in given:
        if name not in readers:
            what = f"{_heading(table)} key"
            yield Fault((*key, name), unknown_key_of(what, name, table))


def _value_faults(key: Key, value: Any, read: Reader) -> Iterator[Fault]:
    try:
        read(value)
    except ValueError as fault:
        yield from faults_at(key, fault)


def _heading(table: str) -> str:
    return f"[[{table}]]" if table in LIST_TABLES else f"[{table}]"
