"""Facts that identify a replay and allow it to be repeated."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._version import __version__
from slotwise.site.machine import Processors
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus

if TYPE_CHECKING:
    from slotwise.replay.replay_data import ReplayData
    from slotwise.site import Site


def manifest_of(result: ReplayData) -> dict[str, Any]:
    """Return site, trace, versions and seeds as plain values, suitable for JSON.

    Returns
    -------
    dict
        ``slotwise`` (version), ``site`` (as in a site file, including the machine's size),
        ``trace`` (``source``, ``content_hash``, ``replay_hash``, ``jobs``), ``seeds`` (one per
        random process), ``python``, ``numpy``, ``platform``, ``seconds`` (wall time of the replay).
    """
    trace = result.trace
    return {
        "slotwise": __version__,
        "site": _with_machine(result).to_dict(),
        "trace": {
            "source": trace.source,
            "content_hash": trace.content_hash,
            "replay_hash": trace.replay_hash,
            "jobs": len(trace),
        },
        "seeds": seeds_of(result.site),
        **platform_facts(),
        "seconds": result.seconds,
    }


def _with_machine(result: ReplayData) -> Site:
    if isinstance(result.site.machine, Nodes | Torus):
        return result.site
    return result.site.replace(machine=Processors(result.processors))


def seeds_of(site: Site) -> dict[str, int]:
    """Return the seed of each random process in a replay."""
    seeds = {} if site.crashes.law is None else {"crashes": site.crashes.seed}
    return seeds if site.placement.is_none else seeds | {"placement": site.placement.seed}


def platform_facts() -> dict[str, str]:
    """Return the Python, NumPy and platform in use; they affect wall times but not schedules."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": f"{platform.system()} {platform.machine()}".strip(),
    }
