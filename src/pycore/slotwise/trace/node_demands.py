"""Demands of a whole trace on a machine of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from slotwise.trace.demands import Demands

if TYPE_CHECKING:
    from slotwise.trace.trace import Trace


class WholeNodes(Protocol):
    """A machine on which jobs without demands may take whole nodes."""

    @property
    def whole_nodes(self) -> bool:
        """True if jobs without demands take whole nodes."""

    @property
    def cores_per_node(self) -> int:
        """Cores per node, if all nodes have the same number."""


def demands_of(trace: Trace, machine: WholeNodes) -> Demands:
    """Return the demands of a trace on a machine; without demands, units of one core each.

    Such a unit requests the log's requested memory per processor, if known. A unit may be on any
    node, so a job of p processors takes p cores anywhere. On a machine with ``whole_nodes``, such a
    job requests as many whole nodes as its processors need.
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
