"""Converts a trace's demands for a machine with nodes; many replays share the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slotwise.replay.nodes_to_core import core_demands
from slotwise.site.machine.room_on_nodes import any_has_room
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from slotwise._core import JobDemands
    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace import Trace
    from slotwise.trace.demands import Demands


class ConvertedDemands(NamedTuple):
    """A trace's demands, also in the core's form; `any_has_room` is True if any job fits."""

    machine: Nodes
    demands: Demands
    core: JobDemands
    any_has_room: bool


def converted_demands(trace: Trace, machine: Nodes) -> ConvertedDemands:
    """Convert the demands of a trace for a machine with nodes.

    The trace caches the result for the machine that was used last.

    Raises
    ------
    SiteError
        If a job requests a resource or a feature that no node of the machine has.
    """
    kept: ConvertedDemands | None = trace._in_core
    if kept is None or kept.machine != machine:
        demands = demands_of(trace, machine)
        fits = any_has_room(demands.units, demands.on(machine), machine)
        kept = ConvertedDemands(machine, demands, core_demands(demands, machine), fits)
        trace._in_core = kept
    return kept
