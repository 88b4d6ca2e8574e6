"""Checks on the arguments of a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise._numbers import real, whole
from slotwise.errors import SiteError
from slotwise.site import Site
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.site.policy.backfill_facts import backfill_facts, name_of, names_that_work_on
from slotwise.trace import Trace
from slotwise.written_values import shown

if TYPE_CHECKING:
    from slotwise.site.policy import Policy


def check_trace_and_site(trace: object, site: object) -> None:
    """Raise a TypeError for an argument that is not a Trace or not a Site."""
    if not isinstance(trace, Trace):
        path = _shown(trace) if isinstance(trace, str) else "path"
        msg = f"{_shown(trace)} is not a Trace; pass sw.read_swf({path})"
        raise TypeError(msg)
    if not isinstance(site, Site):
        msg = f"{_shown(site)} is not a Site; pass sw.Site(machine=..., policy=...)"
        raise TypeError(msg)


def check_progress(progress: object) -> None:
    """Raise a TypeError for a progress callback that cannot be called."""
    if progress is not None and not callable(progress):
        msg = (
            f"progress {_shown(progress)} is not callable; pass a function that takes the "
            "completed fraction"
        )
        raise TypeError(msg)


def checked_until(until: object) -> int | None:
    """Check the last second to simulate, and return it; None means the end of the replay.

    Raises
    ------
    ValueError
        For a value that is not a whole number below 2^53.
    """
    if until is None:
        return None
    second = whole(until)
    if second is None or not second < 2**53:
        msg = (
            f"until is {shown(until)}; use a whole number of seconds on the trace's clock, below "
            "2^53"
        )
        raise ValueError(msg)
    return second


def checked_priority(priority: object, site: Site) -> float:
    """Check a priority set by the user, and return it.

    Raises
    ------
    ValueError
        For a value that is not a number.
    SiteError
        If the backfill rule ignores priorities.
    """
    name = name_of(site.policy.backfill)
    if "underway" not in backfill_facts()[name].works_on and not isinstance(site.machine, Nodes):
        raise SiteError(
            f"backfill '{name}' ignores priorities; choose {names_that_work_on('underway')}"
        )
    value = real(priority)
    if value is None or value != value:
        raise ValueError(f"priority is {shown(priority)}; use a number (higher numbers go first)")
    return value


def site_with(policy: Policy | str, before: Site) -> Site:
    """Return the site with another policy, for the rest of a replay.

    Raises
    ------
    SiteError
        For a policy that the site does not support, or that cannot replace the earlier one.
    """
    after = before.replace(policy=policy)
    known = backfill_facts()
    old, new = (name_of(site.policy.backfill) for site in (before, after))
    if "underway" not in known[new].works_on:
        raise SiteError(
            f"a simulation that has begun cannot change to backfill '{new}'; choose "
            f"{names_that_work_on('underway')}, or start a new simulation"
        )
    if "underway" not in known[old].works_on and isinstance(before.machine, Nodes):
        raise SiteError(
            f"a simulation that has begun cannot change from backfill '{old}'; start a new one"
        )
    has_nodes = known[old].places_jobs or isinstance(after.machine, Torus)
    if known[new].places_jobs and not has_nodes:
        raise SiteError(
            f"backfill '{new}' cannot take over from backfill '{old}', which assigns no nodes to "
            f"jobs; start a new simulation with '{new}', or use a torus"
        )
    return after


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
