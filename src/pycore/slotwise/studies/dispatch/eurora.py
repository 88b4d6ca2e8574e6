"""The EURORA supercomputer, its queues, and the numbers the paper prints of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.nodes import Nodes, NodeType
from slotwise.studies.dispatch.problem import Plan, Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.trace import Trace

MACHINE = Nodes(
    [
        NodeType(count=32, cores=16, memory="16GB", gpus=2, name="gpu"),
        NodeType(count=32, cores=16, memory="16GB", mics=2, name="mic"),
    ]
)
"""64 nodes of 16 cores and 16 GB; 32 with 2 GPUs, 32 with 2 MICs each (section 2)."""


SMALL_MACHINE = Nodes(
    [
        NodeType(count=3, cores=16, memory="16GB", gpus=2, name="gpu"),
        NodeType(count=3, cores=16, memory="16GB", mics=2, name="mic"),
    ]
)
"""A tenth of EURORA, on which the few jobs of a quick run compete."""


def debug_nodes(machine: Nodes) -> tuple[int, ...]:
    """Return the nodes kept for debug jobs: the first of each type. The paper says "some"."""
    return tuple(int(i) for i in np.unique(machine.type_of, return_index=True)[1])


@dataclass(frozen=True)
class Queue:
    """A queue of Table 1.

    Attributes
    ----------
    name : str
    number : int
        Of the trace.
    max_nodes, max_cores, max_gpus : int
        Of a job.
    max_time : int, seconds
    expected_wait : int, seconds
        The table says seconds, minutes, hours; the numbers are ours.
    """

    name: str
    number: int
    max_nodes: int
    max_cores: int
    max_gpus: int
    max_time: int
    expected_wait: int


QUEUES = (
    Queue("debug", 1, 2, 32, 4, 1800, 30),
    Queue("parallel", 2, 32, 512, 64, 6 * 3600, 600),
    Queue("longpar", 3, 16, 256, 32, 24 * 3600, 4 * 3600),
    Queue("other", 4, 32, 512, 64, 6 * 3600, 600),
)
"""Table 1, and the minor queues of footnote 2, which are treated as parallel."""


def expected_waits(trace: Trace) -> NDArray[np.int64]:
    """Return the expected wait of every job of a batch, by its queue."""
    by_number = {queue.number: queue.expected_wait for queue in QUEUES}
    return np.array([by_number[int(number)] for number in trace.queue], dtype=np.int64)


def example() -> Problem:
    """Return the instance of Table 2."""
    #        units, cores, memory (KB), GPUs, MICs, seconds
    rows = np.array(
        [
            (32, 4, 1_000_000, 1, 0, 14000),
            (1, 14, 400_000, 1, 0, 600),
            (2, 4, 200_000, 1, 0, 14400),
            (32, 16, 400_000, 0, 0, 800),
            (32, 3, 800_000, 0, 2, 400),
        ],
        dtype=np.int64,
    )
    zeros = np.zeros(len(rows), dtype=np.int64)
    wait = np.full(len(rows), 600, dtype=np.int64)
    return Problem(MACHINE, 0, rows[:, 0], rows[:, 1:5], rows[:, 5], zeros, wait)


def printed_solution() -> Plan:
    """Return the solution of Table 3."""
    places = [
        {1: 2, **dict.fromkeys(range(2, 32), 1)},
        {0: 1},
        {0: 2},
        dict.fromkeys(range(32, 64), 1),
        dict.fromkeys(range(32, 64), 1),
    ]
    return Plan.of_places(np.array([0, 0, 600, 0, 800], dtype=np.int64), places)
