"""The parts of a site beside machine and policy: plain values, one a file."""

from __future__ import annotations

from slotwise.sites.clock import Clock
from slotwise.sites.crashes import Crashes
from slotwise.sites.interruption import Interruption
from slotwise.sites.limits import Limits
from slotwise.sites.maintenance import Maintenance
from slotwise.sites.outage import Outage
from slotwise.sites.placement_effect import PlacementEffect
from slotwise.sites.pool import Pool
from slotwise.sites.queue import Queue
from slotwise.sites.reservation import Reservation

__all__ = [
    "Clock",
    "Crashes",
    "Interruption",
    "Limits",
    "Maintenance",
    "Outage",
    "PlacementEffect",
    "Pool",
    "Queue",
    "Reservation",
]
