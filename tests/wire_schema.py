"""Validation of messages against the schema on the page about external schedulers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "outside-schedulers.md"
_TYPES: dict[str, Any] = {"object": dict, "array": list, "integer": int, "string": str}


def schema_faults(message: object) -> list[str]:
    """List a message's violations of the schema; only keywords that the schema uses are checked."""
    found = re.search(r"```json\n(\{\n  \"\$schema.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found is not None
    schema = json.loads(found[1])
    return list(_faults(message, schema, schema, "message"))


def _faults(value: Any, schema: Any, root: Any, where: str) -> list[str]:
    if "$ref" in schema:
        return _faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, where)
    if "anyOf" in schema:
        tried = [_faults(value, each, root, where) for each in schema["anyOf"]]
        return [] if [] in tried else [fault for each in tried for fault in each]
    kind = schema.get("type")
    if kind and (not isinstance(value, _TYPES[kind]) or isinstance(value, bool)):
        return [f"{where}: {value!r} is not of type {kind}"]
    if "const" in schema and value != schema["const"]:
        return [f"{where}: {value!r} is not {schema['const']!r}"]
    faults = [f"{where}: no {name}" for name in schema.get("required", ()) if name not in value]
    if kind == "object":
        further = schema.get("additionalProperties", True)
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, further)
            if inner is False:
                faults.append(f"{where}: unknown {name}")
            elif inner is not True:
                faults += _faults(each, inner, root, f"{where}.{name}")
    if kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            faults.append(f"{where}: {len(value)} items")
        for number, each in enumerate(value):
            faults += _faults(each, schema["items"], root, f"{where}[{number}]")
    return faults
