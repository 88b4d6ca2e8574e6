"""Parts of a site that can be described but are not replayed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.faults import Fault, FaultsError
from slotwise.trace.demand_rules import Exclusive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site import Site
    from slotwise.trace.demands import Demands


def check_replayed(site: Site, demands: Demands | None = None) -> None:
    """Refuse a site, or demands on its nodes, with a part that is not replayed yet.

    Raises
    ------
    FaultsError
        Naming every such part.
    """
    faults = [*_of_sites(site), *_of_demands(demands)]
    if faults:
        raise FaultsError(faults)


def _of_sites(site: Site) -> Iterator[Fault]:
    for index, queue in enumerate(site.queues):
        if queue.default_walltime is not None:
            yield Fault(("queue", index, "default_walltime"), "is not replayed yet; leave it out")


def _of_demands(demands: Demands | None) -> Iterator[Fault]:
    if demands is not None and (demands.exclusive == Exclusive.USER).any():
        yield Fault(("demands",), "exclusive='user' is not replayed yet; choose 'job' or 'no'")
