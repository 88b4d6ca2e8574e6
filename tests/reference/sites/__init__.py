"""The oracle for sites (pools, queues, limits, calendar); it rebuilds its plans at every pass."""

from reference.sites.simulate import simulate_site
from reference.sites.values import (
    Attempt,
    Crashes,
    Interruption,
    Limits,
    Outage,
    Pool,
    Queue,
    Reservation,
    Site,
    SiteJob,
    SiteOutcome,
)

__all__ = [
    "Attempt",
    "Crashes",
    "Interruption",
    "Limits",
    "Outage",
    "Pool",
    "Queue",
    "Reservation",
    "Site",
    "SiteJob",
    "SiteOutcome",
    "simulate_site",
]
