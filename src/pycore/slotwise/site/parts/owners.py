"""The owners (users, groups, accounts and QOSes) that a part of a site lists.

Example: ``users = ["alice", 17]`` lists the log's user alice and the user with number 17.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.parts import readers

if TYPE_CHECKING:
    from slotwise.site.parts.part import Reader

OWNER_COLUMNS = {"users": "user", "groups": "group", "accounts": "account", "qos": "qos"}
"""Fields that list owners, each with the trace column that contains them."""

OWNER_READERS: dict[str, Reader] = {
    "users": readers.many(readers.named("that identifies a user"), "users"),
    "groups": readers.many(readers.named("that identifies a group"), "groups"),
    "accounts": readers.many(readers.named("that identifies an account"), "accounts"),
    "qos": readers.many(
        readers.named("that identifies a quality of service"), "qualities of service"
    ),
}
"""Readers for the fields that list owners."""


def owners_of(part: Any) -> dict[str, tuple[int | str, ...]]:
    """Return the owners that a part lists, by trace column."""
    return {
        column: getattr(part, field)
        for field, column in OWNER_COLUMNS.items()
        if getattr(part, field)
    }
