"""Builds sites from tables like those of a site file or of `Site.to_dict`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.site import Site
from slotwise.site.toml.reader import fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from slotwise.site.faults import Key


def build(
    document: Mapping[str, Any],
    places: Mapping[Key, str] | None = None,
    *,
    default_place: str | Path = "site",
) -> Site:
    """Build a site from tables; parameters and errors are those of `fields_of`."""
    return Site(**fields_of(document, places, default_place=default_place))
