"""GPUs of a log that has no demands: a replay on nodes does not count them, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.site.machine.nodes import Nodes

if TYPE_CHECKING:
    from slotwise.site import Site
    from slotwise.trace import Trace


def ignored_gpus(site: Site, trace: Trace) -> list[str]:
    """Return a warning if jobs have GPUs, the machine has some, and the trace has no demands."""
    machine = site.machine
    if trace.demands is not None or not isinstance(machine, Nodes):
        return []
    if "gpus" not in machine.resources:
        return []
    n_jobs = int(np.count_nonzero(trace.gpus > 0))
    if n_jobs == 0:
        return []
    return [
        f"the log gives GPUs of {n_jobs:,} jobs only as totals, in the column gpus: without "
        "demands, jobs take cores and memory but no GPUs; state the GPUs of each unit, as csv "
        "columns units and unit_gpus or by trace.with_demands"
    ]
