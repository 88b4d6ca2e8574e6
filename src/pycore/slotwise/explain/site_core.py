"""Conversion of a result's site to the core's `Site`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.replay.to_core import core_site, without_dispatcher

if TYPE_CHECKING:
    from slotwise._core import Site as CoreSite
    from slotwise.replay.replay_data import ReplayData


def core_of(result: ReplayData) -> CoreSite:
    """Return the site of a result as the core's `Site`."""
    return core_site(without_dispatcher(result.site), result.trace, result.processors)
