"""Parts of a site that can be described, and that the engine does not replay yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Fault, FaultsError
from slotwise.site.nodes import Nodes
from slotwise.site.parts.limits import COUNT_READERS, RESOURCE_LIMITS
from slotwise.trace.demand_rules import Exclusive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site import Site
    from slotwise.site.faults import Key
    from slotwise.trace.demands import Demands

_LATER_LIMITS = tuple(
    name
    for name in COUNT_READERS
    if name.endswith(("_account", "_qos")) or name.startswith("submitted")
)
_LATER = "is not replayed yet; leave it out"


def check_replayed(site: Site, demands: Demands | None = None) -> None:
    """Refuse a site, or demands on its nodes, of which a part is not replayed yet.

    Raises
    ------
    FaultsError
        Naming every such part.
    """
    faults = [*_of_sites(site), *_of_limits(site), *_of_demands(demands)]
    if faults:
        raise FaultsError(faults)


def _of_sites(site: Site) -> Iterator[Fault]:
    if isinstance(site.machine, Nodes):
        for part in ("maintenance", "outages", "reservations"):
            if getattr(site, part):
                yield Fault((part.removesuffix("s"),), f"on a machine of nodes {_LATER}")
        if site.crashes.law is not None or site.crashes.times:
            yield Fault(("crashes",), f"on a machine of nodes {_LATER}")
    for index, queue in enumerate(site.queues):
        if queue.default_walltime is not None:
            yield Fault(("queue", index, "default_walltime"), _LATER)


def _of_limits(site: Site) -> Iterator[Fault]:
    holders: list[tuple[Key, Any]] = [(("limits",), site.limits)]
    holders += [(("queue", index), queue) for index, queue in enumerate(site.queues)]
    for key, holder in holders:
        for name in (*_LATER_LIMITS, *RESOURCE_LIMITS):
            if getattr(holder, name):
                yield Fault((*key, name), _LATER)


def _of_demands(demands: Demands | None) -> Iterator[Fault]:
    if demands is not None and (demands.exclusive == Exclusive.USER).any():
        yield Fault(("demands",), "exclusive='user' is not replayed yet; choose 'job' or 'no'")
