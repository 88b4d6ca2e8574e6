"""Demands of a whole trace on a machine of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from slotwise.trace.demands import Demands

if TYPE_CHECKING:
    from slotwise.trace.trace import Trace


class WholeNodes(Protocol):
    """A machine that says whether jobs without demands take whole nodes."""

    @property
    def whole_nodes(self) -> bool:
        """True where they do."""

    @property
    def cores_per_node(self) -> int:
        """Cores of each node, where all have the same number."""


def demands_of(trace: Trace, machine: WholeNodes) -> Demands:
    """Return the demands of a trace on a machine; of one without, units of one core each.

    Such a unit asks the requested memory a processor of the log, where that is known. It may lie on
    any node, so a job of p processors takes p cores wherever they are. On a machine with
    ``whole_nodes`` such a job asks as many whole nodes as have its processors.
    """
    if trace.demands is not None:
        return trace.demands
    if machine.whole_nodes:
        cores = machine.cores_per_node
        units = -(-trace.processors // cores)
        return Demands(units, exclusive="job", cores=np.full(len(trace), cores))
    memory = np.maximum(trace.requested_memory, 0)
    ones = np.ones(len(trace), dtype=np.int64)
    return Demands(trace.processors, cores=ones, memory=memory)
