"""Fields of a site that hold parts, each with its table in a site file and its class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.parts import (
    Clock,
    Crashes,
    Interruption,
    Limits,
    Maintenance,
    NamedLimits,
    Outage,
    PlacementEffect,
    Pool,
    Queue,
    Reservation,
)

if TYPE_CHECKING:
    from slotwise.site.parts.part import SitePart

LISTS: dict[str, tuple[str, type[SitePart]]] = {
    "pools": ("pool", Pool),
    "queues": ("queue", Queue),
    "named_limits": ("named_limit", NamedLimits),
    "maintenance": ("maintenance", Maintenance),
    "outages": ("outage", Outage),
    "reservations": ("reservation", Reservation),
}
"""Fields that hold any number of parts, each with its table in a site file and its class."""

SINGLES: dict[str, type[SitePart]] = {
    "limits": Limits,
    "crashes": Crashes,
    "interruption": Interruption,
    "clock": Clock,
    "placement": PlacementEffect,
}
"""Fields that hold one part, each with its class; the table in a site file has the same name."""
