"""Demands of a whole trace on a machine of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.trace.demands import Demands

if TYPE_CHECKING:
    from slotwise.trace.trace import Trace


def demands_of(trace: Trace) -> Demands:
    """Return the demands of a trace; of one without, units of one core each.

    Such a unit asks the requested memory a processor of the log, where that is known. It may lie on
    any node, so a job of p processors takes p cores wherever they are.
    """
    if trace.demands is not None:
        return trace.demands
    memory = np.maximum(trace.requested_memory, 0)
    ones = np.ones(len(trace), dtype=np.int64)
    return Demands(trace.processors, cores=ones, memory=memory)
