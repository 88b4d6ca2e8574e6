"""The site of a result as the core has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.external import core_site
from slotwise.site.machine import Processors
from slotwise.site.nodes import Nodes

if TYPE_CHECKING:
    from slotwise._core import Site as CoreSite
    from slotwise.result import Result


def core_of(result: Result) -> CoreSite:
    """Return it; nodes, which take neither pools nor a calendar, as their cores."""
    site = result.site
    if isinstance(site.machine, Nodes):
        site = site.replace(machine=Processors(result.processors))
    return core_site(site, result.trace, result.processors)
