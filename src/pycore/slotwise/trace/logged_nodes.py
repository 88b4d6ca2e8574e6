"""Units of jobs that run on as many nodes as they requested in the log.

A job of 32 processors and 64 GB on 2 nodes becomes 2 units of 16 cores and 32 GB, on 2 nodes. A job
of 7 processors on 2 nodes becomes 7 units of one core, on 2 nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.trace.trace import Trace

    Int64 = NDArray[np.int64]


def node_counts(trace: Trace, units: Int64) -> Int64:
    """Return the number of nodes on which each job must run; 0 if any number will do.

    This is the number of nodes that the job requested and got, but at most its number of units. If
    the job got more nodes than it requested, or the log does not state how many it requested, the
    scheduler may have been free to choose, and the number is 0.
    """
    got, asked = trace.node_count, trace.requested_nodes
    is_fixed = (asked > 0) & (got <= asked)
    return np.where(is_fixed, np.clip(asked, 0, units), 0)


def divide_evenly(trace: Trace, nodes: Int64, units: Int64, each: dict[str, Int64]) -> None:
    """Give a job one unit per node if the number of nodes divides its processors and GPUs.

    Changes `units` and `each` in place. For other jobs, sets `nodes` to 0 if there are fewer units
    than nodes.
    """
    counts = np.maximum(nodes, 1)
    cores = trace.processors // counts
    gpus = units * each["gpus"] if "gpus" in each else np.zeros_like(units)
    divides = (nodes > 0) & (cores * counts == trace.processors) & (gpus % counts == 0)
    total = units * each["memory"]
    each["cores"][divides] = cores[divides]
    each["memory"][divides] = -(-total // counts)[divides]
    if "gpus" in each:
        each["gpus"][divides] = (gpus // counts)[divides]
    units[divides] = nodes[divides]
    nodes[units < nodes] = 0
