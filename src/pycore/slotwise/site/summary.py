"""A site in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slotwise.site.site import Site


def parts_of(site: Site) -> list[str]:
    """Name what a site has beside machine and policy: ``["2 pools", "5 queues", "limits"]``."""
    counted = {
        "pool": len(site.pools),
        "queue": len(site.queues),
        "named limit": len(site.named_limits),
        "maintenance": len(site.maintenance),
        "outage": len(site.outages),
        "reservation": len(site.reservations),
    }
    parts = [f"{n} {name}{'' if n == 1 else 's'}" for name, n in counted.items() if n]
    parts += [name for name in ("limits", "crashes", "placement") if getattr(site, name).to_dict()]
    return [*parts, "dependencies"] if site.dependencies else parts
