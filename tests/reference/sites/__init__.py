"""The rules of a site (pools, queues, limits, calendar) in the oracle, rebuilt at every pass."""

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
