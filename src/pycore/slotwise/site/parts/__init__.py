"""The parts of a site other than its machine and policy: plain values, each in its own module."""

from __future__ import annotations

from slotwise.site.parts.clock import Clock
from slotwise.site.parts.crashes import Crashes
from slotwise.site.parts.interruption import Interruption
from slotwise.site.parts.limits import Limits
from slotwise.site.parts.maintenance import Maintenance
from slotwise.site.parts.named_limits import NamedLimits
from slotwise.site.parts.outage import Outage
from slotwise.site.parts.placement_effect import PlacementEffect
from slotwise.site.parts.pool import Pool
from slotwise.site.parts.queue import Queue
from slotwise.site.parts.reservation import Reservation

__all__ = [
    "Clock",
    "Crashes",
    "Interruption",
    "Limits",
    "Maintenance",
    "NamedLimits",
    "Outage",
    "PlacementEffect",
    "Pool",
    "Queue",
    "Reservation",
]
