"""Parameters of an order that are tables: a number per name, such as the priority of each QOS.

Example: ``qos_priority = { normal = 0, high = 100 }`` of the ``multifactor`` order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from slotwise._numbers import real
from slotwise.errors import SiteError
from slotwise.text import plain_number
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

Table: TypeAlias = tuple[tuple[str, float], ...]
"""The numbers of a table as written, in the order given."""

OWNERS = {
    "qos_priority": ("qos",),
    "association_priority": ("account", "user"),
    "shares": ("account", "user"),
}
"""Tables whose keys are names from a log, each with the log columns that contain these names."""

BETWEEN = "/"
"""Separator between account and user in a key such as ``account/user``."""


def read_table(name: str, doc: str, minimum: float, value: object) -> Table:
    """Check a table given for a parameter of an order, and return it.

    Raises
    ------
    SiteError
        If an entry is invalid; the message gives the entry, the rule and the remedy.
    """
    if not isinstance(value, Mapping):
        raise SiteError(
            f"{shown(value)}: the {doc} must be a table of numbers, such as {name} = {{ name = 1 }}"
        )
    found = []
    for key, given in value.items():
        if not isinstance(key, str) or not key.strip():
            raise SiteError(f"name {shown(key)}: a name must be text; correct it, or leave it out")
        number = real(given)
        if number is None or not minimum <= number < float("inf"):
            rule = "a number" if minimum < 0 else f"a number of at least {minimum:g}"
            raise SiteError(f"{key} {shown(given)}: it must be {rule}; correct it, or leave it out")
        found.append((key, int(number) if number == int(number) else number))
    return tuple(found)


def written_table(table: Table) -> str:
    """Write a table as in a site file."""
    return "{ " + ", ".join(f"{key} = {plain_number(value)}" for key, value in table) + " }"


def with_root(shares: Mapping[str, float]) -> dict[str, float]:
    """Return the shares, with 1 for root if root has none; an empty table stays empty."""
    return {"root": 1, **shares} if shares else {}


def names_of_table(table: str, keys: Iterable[str]) -> dict[str, list[str]]:
    """Return the names that occur in the keys of one of the `OWNERS` tables, by log column."""
    columns = OWNERS[table]
    parts: list[Any] = [key.split(BETWEEN, 1) if len(columns) > 1 else [key] for key in keys]
    return {
        column: list(dict.fromkeys(each[place] for each in parts if len(each) > place))
        for place, column in enumerate(columns)
    }
