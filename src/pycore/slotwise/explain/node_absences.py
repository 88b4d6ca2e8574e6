"""Nodes that the calendar withholds from a job: outages, maintenance, reservations for others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import Outage as CoreOutage, windows
from slotwise.explain.calendar_windows import owns
from slotwise.explain.node_room import NodesAway
from slotwise.site.machine.nodes import Nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.explain.reasons import Wait

    Int64 = NDArray[np.int64]


def outages_on_nodes(wait: Wait) -> list[NodesAway]:
    """List outages during the wait.

    An announced outage counts from the first moment at which the job, if started, would overlap it.

    Maintenance is listed before outages, in the same order as in `core.outages`.
    """
    site, core = wait.result.site, wait.core
    parts: list[Any] = [*site.maintenance, *site.outages]
    found: list[NodesAway] = []
    for part, outage in zip(parts, core.outages, strict=True):
        announced = outage.mode == CoreOutage.Mode.drain
        found += _during(wait, part, outage, announced=announced)
    return found


def fences_on_nodes(wait: Wait) -> list[NodesAway]:
    """List the nodes of reservations for other owners.

    A reservation counts from the first moment at which the job, if started, would overlap it.
    """
    site, core = wait.result.site, wait.core
    found: list[NodesAway] = []
    for part, reservation in zip(site.reservations, core.reservations, strict=True):
        if not owns(reservation.owners, wait.owner):
            found += _during(wait, part, reservation, announced=True)
    return found


def _during(wait: Wait, part: Any, window: Any, *, announced: bool) -> Iterator[NodesAway]:
    nodes = _nodes_of(wait, part)
    for start, end in windows(window, wait.submit, wait.start + wait.length):
        since = start - wait.length + 1 if announced else start
        yield NodesAway(nodes, max(since, wait.submit), end)


def _nodes_of(wait: Wait, part: Any) -> Int64:
    """Return a calendar entry's nodes: those it names, or the last nodes of the machine or type."""
    machine = wait.result.site.machine
    assert isinstance(machine, Nodes)
    if part.nodes:
        return machine.select(part.nodes)
    if part.node_type is not None:
        return machine.select([f"type:{part.node_type}"])[-part.node_count :]
    number = getattr(part, "processors", None) or machine.count
    return np.arange(len(machine.type_of), dtype=np.int64)[-number:]
