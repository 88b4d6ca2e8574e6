"""The site of a result as the core has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.replay.to_core import core_site, without_dispatcher
from slotwise.site.machine import Processors
from slotwise.site.nodes import Nodes

if TYPE_CHECKING:
    from slotwise._core import Site as CoreSite
    from slotwise.replay.replay_data import ReplayData


def core_of(result: ReplayData) -> CoreSite:
    """Return it; nodes, which take neither pools nor a calendar, as their cores."""
    site = result.site
    if isinstance(site.machine, Nodes):
        site = site.replace(machine=Processors(result.processors))
    return core_site(without_dispatcher(site), result.trace, result.processors)
