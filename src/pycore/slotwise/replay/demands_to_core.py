"""Demands of a trace on a machine of nodes, converted to the core once for many replays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

from slotwise.replay.nodes_to_core import core_demands
from slotwise.site.machine.room_on_nodes import any_has_room
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from weakref import ReferenceType

    from slotwise._core import JobDemands
    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace import Trace
    from slotwise.trace.demands import Demands


class ConvertedDemands(NamedTuple):
    """Demands of every job, the core's value for them, and whether some job has room."""

    demands: Demands
    core: JobDemands
    any_has_room: bool


_LAST: list[tuple[ReferenceType[Trace], Nodes, ConvertedDemands]] = []
"""The conversion that was made last, until its trace is gone."""


def converted_demands(trace: Trace, machine: Nodes) -> ConvertedDemands:
    """Convert the demands of a trace on a machine, or return the last conversion again.

    Raises
    ------
    SiteError
        If a job requests a resource or a feature that no node of the machine has.
    """
    for known, its_machine, converted in tuple(_LAST):
        if known() is trace and its_machine == machine:
            return converted
    demands = demands_of(trace, machine)
    fits = any_has_room(demands.units, demands.on(machine), machine)
    converted = ConvertedDemands(demands, core_demands(demands, machine), fits)
    _LAST[:] = [(ref(trace, _forget), machine, converted)]
    return converted


def _forget(gone: ReferenceType[Trace]) -> None:
    _LAST[:] = [entry for entry in _LAST if entry[0] is not gone]
