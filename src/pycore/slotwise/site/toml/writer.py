"""A site as TOML text, which reads back as the same site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Fault, FaultsError
from slotwise.site.fields import LISTS, SINGLES
from slotwise.site.parts.times import written_duration
from slotwise.site.policy.external import External
from slotwise.site.policy.order_functions import FunctionOrder
from slotwise.site.policy.policy_checks import ORDER_FIELDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.site.faults import Key
    from slotwise.site.parts import Queue
    from slotwise.site.policy import Policy

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STEERING = re.compile(r"[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_DURATIONS = {table: part.DURATIONS for table, part in (*LISTS.values(), *SINGLES.items())}


def site_text(tables: dict[str, Any], policy: Policy, queues: Sequence[Queue]) -> str:
    """Write a site as TOML without defaults; durations are written as ``24:00:00`` or ``7d``.

    Raises
    ------
    SiteError
        If the site contains functions; the message lists them.
    """
    if faults := list(_functions(policy, queues)):
        raise FaultsError(faults)
    lines: list[str] = []
    if tables.pop("dependencies", False):  # plain keys come before the first table
        lines += ["dependencies = true", ""]
    for table, value in tables.items():
        several = isinstance(value, list)
        for entry in value if several else [value]:
            lines.append(f"[[{table}]]" if several else f"[{table}]")
            lines += _keys(entry, _DURATIONS.get(table, frozenset()))
            lines.append("")
    return "\n".join(lines)


def _functions(policy: Policy, queues: Sequence[Queue]) -> Iterator[Fault]:
    """Find dispatchers and orders that are functions, which TOML cannot represent."""
    if isinstance(policy, External):
        yield Fault(
            ("policy",),
            f"the external dispatcher {policy.to_dict()['external']} is a function, which a site "
            "file cannot contain; write the site with a Policy, and pass the dispatcher in "
            "Python: site.replace(policy=External(...))",
        )
    orders: list[tuple[Key, object]] = [
        (("policy", name), getattr(policy, name)) for name in ORDER_FIELDS
    ]
    orders += [(("queue", i, "order"), queue.order) for i, queue in enumerate(queues)]
    for key, order in orders:
        if isinstance(order, FunctionOrder):
            yield Fault(
                key,
                f"{order} is a function, which a site file cannot contain; use a name, "
                "parameters, or "
                "an expression",
            )


def _keys(table: Mapping[str, Any], durations: frozenset[str]) -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, list) and len(value) > 1 and isinstance(value[0], Mapping):
            yield f"{_key(name)} = ["
            yield from (f"    {toml_value(item)}," for item in value)
            yield "]"
        else:
            yield f"{_key(name)} = {toml_value(_readable(value) if name in durations else value)}"


def _readable(value: Any) -> Any:
    return (
        [_readable(item) for item in value] if isinstance(value, list) else written_duration(value)
    )


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def toml_value(value: Any) -> str:
    """Write a value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(n)} = {toml_value(v)}" for n, v in value.items()) + " }"
    return repr(value)


def _text(text: str) -> str:
    """Write a string; escape JSON's special characters, and characters that control terminals."""
    written = json.dumps(text, ensure_ascii=False)
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04X}", written)
