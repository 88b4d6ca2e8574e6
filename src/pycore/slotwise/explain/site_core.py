"""The site of a result in the form of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.replay.to_core import core_site, without_dispatcher
from slotwise.site.machine import Processors
from slotwise.site.nodes import Nodes

if TYPE_CHECKING:
    from slotwise._core import Site as CoreSite
    from slotwise.replay.replay_data import ReplayData


def core_of(result: ReplayData) -> CoreSite:
    """Convert the site; nodes, without pools and calendar, count as their cores."""
    site = result.site
    if isinstance(site.machine, Nodes):
        site = site.replace(machine=Processors(result.processors))
    return core_site(without_dispatcher(site), result.trace, result.processors)
