"""Workloads of the study: logs, cut and scaled, and the torus of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.formats.intrepid import read_intrepid
from slotwise.formats.swf import read_swf
from slotwise.studies.logs import log_path
from slotwise.studies.torus.paper import INTREPID_JOBS, INTREPID_SIZES, SDSC_JOBS
from slotwise.trace import Trace

if TYPE_CHECKING:
    from numpy.typing import NDArray

SDSC = "SDSC-BLUE-2000-4.2-cln.swf.gz"
INTREPID = "anl-intrepid-3000jobs.txt"


@dataclass(frozen=True)
class Workload:
    """Jobs, and the torus on which they run.

    Attributes
    ----------
    name : str
        The paper's name for the log, and how the log was cut and scaled.
    trace : Trace
    shape : tuple of int
        Nodes of the torus along each dimension.
    processors_per_node : int
    """

    name: str
    trace: Trace
    shape: tuple[int, ...]
    processors_per_node: int

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the torus."""
        return int(np.prod(self.shape))

    @property
    def nodes(self) -> NDArray[np.int64]:
        """Number of nodes of each job; jobs take whole nodes."""
        return -(-self.trace.processors // self.processors_per_node)

    @property
    def load(self) -> float:
        """Node-seconds of the jobs, divided by those of the torus from first to last arrival."""
        span = int(self.trace.submit[-1]) - int(self.trace.submit[0])
        return float((self.trace.run_time * self.nodes).sum() / (self.n_nodes * span))

    def at_load(self, load: float) -> Workload:
        """Return the same jobs, with the times between arrivals scaled to give this load."""
        trace = self.trace
        since = trace.submit - trace.submit[0]
        scaled = Trace.from_columns(
            np.floor(since * (self.load / load) + 0.5).astype(np.int64),
            trace.run_time,
            trace.processors,
            trace.requested_time,
            max_processors=trace.max_processors,
        )
        name = f"{self.name} at load {load:g}"
        return Workload(name, scaled, self.shape, self.processors_per_node)


def sdsc_blue(traces: str | None) -> Workload:
    """Return the whole log of SDSC-BLUE on a 6 × 6 × 4 torus of 144 nodes with 8 processors each.

    Raises
    ------
    TraceError
        For a log that cannot be found or read.
    """
    return Workload("sdsc-blue, whole log", read_swf(log_path(SDSC, traces)), (6, 6, 4), 8)


def stretches_of(whole: Workload) -> list[Workload]:
    """Cut SDSC-BLUE into stretches, each with as many jobs as the paper's trace."""
    count = max(1, len(whole.trace) // SDSC_JOBS)
    return [
        Workload(
            f"sdsc-blue {number + 1} of {count}",
            whole.trace[number * SDSC_JOBS : (number + 1) * SDSC_JOBS],
            whole.shape,
            whole.processors_per_node,
        )
        for number in range(count)
    ]


def anl_intrepid(traces: str | None) -> Workload:
    """Return the whole list of Intrepid's jobs on a 40 × 32 × 32 torus of 40,960 nodes.

    Raises
    ------
    TraceError
        For a list that cannot be found or read.
    """
    path = log_path(INTREPID, traces)
    return Workload("anl-intrepid, whole list", read_intrepid(path), (40, 32, 32), 1)


def first_jobs_of(whole: Workload, *, sizes_of_paper: bool = False) -> Workload:
    """Return the first jobs of Intrepid's list, as many as in the paper's trace.

    With `sizes_of_paper`, return only jobs of 256 to 8,192 nodes, the sizes that the paper states.
    """
    trace = whole.trace[:INTREPID_JOBS]
    name = "anl-intrepid"
    if sizes_of_paper:
        fewest, most = INTREPID_SIZES
        trace = trace[(trace.processors >= fewest) & (trace.processors <= most)]
        name += ", 256 to 8K nodes"
    return Workload(name, trace, whole.shape, whole.processors_per_node)
