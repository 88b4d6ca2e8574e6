"""The tables of a site file, as pydantic checks them: what keys there are, and what each may be."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

from slotwise.errors import MissingExtraError
from slotwise.site.backfill_facts import parameters
from slotwise.site.faults import Fault, Key, faults_at
from slotwise.site.fields import LISTS, SINGLES
from slotwise.site.names import unknown_name
from slotwise.site.policy import policy_defaults
from slotwise.site.policy_checks import ORDER_FIELDS, as_written

try:
    from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError, create_model
except ImportError as missing:
    raise MissingExtraError(
        "checking a site needs pydantic, which is not installed; install it with: "
        "pip install 'slotwise[cli]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic_core import ErrorDetails

    from slotwise.site.parts.part import SitePart

_KINDS: dict[str, Any] = {
    "number": float, "whole": int, "flag": bool, "name": str, "length": int | str
}  # fmt: skip
_STRICT = ConfigDict(extra="forbid", strict=True)
_RULES = {
    "dict": "a table",
    "list": "a list of whole numbers",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "a text in quotes",
}


def _machine_fields() -> dict[str, Any]:
    """Give the plain types of the keys that describe a machine; the machines say the rest."""
    return {
        "processors": (int, None),
        "torus": (list[int], None),
        "order": (str, None),
        "processors_per_node": (int, None),
        "nodes": (list[dict[str, Any]], None),
        "placement": (str, None),
    }


def _policy_fields() -> dict[str, Any]:
    """Give the plain types of a policy's fields; what their values may be, `Policy` says."""
    kinds: dict[str, Any] = {"preset": (str, None)}
    known = parameters()
    for name, default in policy_defaults().items():
        if name in known:
            kinds[name] = (_KINDS[known[name].kind], None)
            continue
        kind: Any = type(default) if isinstance(default, bool | int | float) else str
        may_be_table = name in (*ORDER_FIELDS, "backfill")
        kinds[name] = (kind | dict[str, Any] if may_be_table else kind, None)
    return kinds


def _part_fields(part: type[SitePart]) -> dict[str, Any]:
    """Give the fields of a part, each checked by the reader that the part itself uses."""

    def kind(name: str) -> Any:
        return Annotated[Any, PlainValidator(part.READERS[name])]

    return {
        field.name: (kind(field.name), ... if _required(field) else None)
        for field in dataclasses.fields(part)
    }


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    return create_model(name, __config__=_STRICT, **fields)


_TABLES: dict[str, type[BaseModel]] = {
    "machine": _model("MachineTable", _machine_fields()),
    "policy": _model("PolicyTable", _policy_fields()),
    **{table: _model(part.__name__, _part_fields(part)) for table, part in LISTS.values()},
    **{table: _model(part.__name__, _part_fields(part)) for table, part in SINGLES.items()},
}
LIST_TABLES = {table: (field, part) for field, (table, part) in LISTS.items()}
"""Tables of which a file may hold several: the field of a site, and the class."""

_Document = _model(
    "SiteTable",
    {
        name: (list[model] if name in LIST_TABLES else model, None)  # type: ignore[valid-type]
        for name, model in _TABLES.items()
    }
    | {"dependencies": (bool, None)},
)


def known_keys(table: str | None = None) -> list[str]:
    """List the keys of a table, or the tables of a site."""
    return list((_Document if table is None else _TABLES[table]).model_fields)


def shape_faults(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Find unknown tables and keys, missing ones, and values that are wrong by themselves."""
    try:
        _Document.model_validate(document)
    except ValidationError as invalid:
        found: dict[Key, ErrorDetails] = {}
        for fault in invalid.errors(include_url=False):
            # What follows the key is pydantic's own word for one of several types it may have.
            depth = 3 if fault["loc"][0] in LIST_TABLES else 2
            found.setdefault(tuple(fault["loc"][:depth]), fault)
        for key, fault in found.items():
            if fault["type"] == "value_error":
                yield from faults_at(key, fault["ctx"]["error"])
            else:
                yield Fault(key, _sentence(key, fault))


def _sentence(key: Key, fault: ErrorDetails) -> str:
    """Turn one fault of pydantic's own into the wrong value and the rule."""
    table, value, kind = str(key[0]), fault["input"], fault["type"]
    if kind == "extra_forbidden":
        what = "table" if len(key) == 1 else f"key of {_heading(table)}"
        return unknown_name(what, key[-1], known_keys(None if len(key) == 1 else table))
    if kind == "missing":
        return f"is missing; every {_heading(table)} needs it"
    if len(key) == 1 and table in _TABLES:
        several = "a list of tables" if table in LIST_TABLES else "a table"
        return f"{as_written(value)} is not {several}; write {_heading(table)}"
    if len(key) == 2 and table in LIST_TABLES:
        return f"{as_written(value)} is not a table; write {_heading(table)}"
    if key[-1] in ORDER_FIELDS:
        return f"{as_written(value)} must be a name, or a table with a name"
    if table == "machine" and "nodes" in key[:2]:
        return f"{as_written(value)} must be a list of tables, as [{{ count = 32, cores = 16 }}]"
    return f"{as_written(value)} must be {_RULES.get(kind.partition('_')[0], fault['msg'])}"


def _heading(table: str) -> str:
    return f"[[{table}]]" if table in LIST_TABLES else f"[{table}]"
