"""Workloads of the study: batches of EURORA, and the paper's instance (Tables 2 and 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from slotwise.errors import SiteError
from slotwise.generators.registry import generate
from slotwise.studies.dispatch.problem import Plan, Problem
from slotwise.studies.dispatch.sites import lacks_room, read_site
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace import Trace

    Int64 = NDArray[np.int64]

MACHINE = read_site().machine
"""64 nodes with 16 cores and 16 GB each; 32 nodes also have 2 GPUs, and 32 have 2 MICs."""


@dataclass(frozen=True)
class Workload:
    """The jobs of a trace, the expected wait of each job, and the nodes on which they run.

    Attributes
    ----------
    trace : Trace
        With demands.
    nodes : Nodes
    expected_wait : (n_jobs,) int64, seconds
    """

    trace: Trace
    nodes: Nodes
    expected_wait: Int64
    units: Int64 = field(init=False)
    each: Int64 = field(init=False)
    duration: Int64 = field(init=False)
    run_time: Int64 = field(init=False)

    def __post_init__(self) -> None:
        trace = self.trace
        if trace.demands is None:
            raise ValueError(
                "the trace does not contain the resources that jobs request per node; use a trace "
                "with demands"
            )
        request = np.maximum(trace.requested_time, 1)
        object.__setattr__(self, "units", trace.demands.units)
        object.__setattr__(self, "each", trace.demands.on(self.nodes))
        object.__setattr__(self, "duration", request)
        object.__setattr__(self, "run_time", np.minimum(trace.run_time, trace.requested_time))


def batch(number: int, seed: int, n_jobs: int | None, machine: Nodes) -> Trace:
    """Generate a batch, or draw `n_jobs` of its jobs from those that fit on the machine."""
    whole = generate("eurora", batch=number, seed=seed)
    if n_jobs is None:
        return whole
    fits = np.flatnonzero(~lacks_room(demands_of(whole, machine), machine))
    if len(fits) == 0:
        raise SiteError(
            f"machine: no job of BATCH{number} (seed {seed}) fits even on empty nodes; give "
            "the machine more or larger nodes"
        )
    chosen = np.random.default_rng(seed).permutation(fits)[:n_jobs]
    return whole[np.sort(chosen)]


def example() -> Problem:
    """Return the instance of Table 2."""
    # Each row: units, cores, memory (KB), GPUs, MICs, and seconds.
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
