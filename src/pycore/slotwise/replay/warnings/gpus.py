"""Warnings about GPUs that a log gives only as totals, and that a replay rounds up or ignores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise import text
from slotwise.site.machine.nodes import Nodes
from slotwise.trace.node_demands import rounded_rows

if TYPE_CHECKING:
    from slotwise.site import Site
    from slotwise.trace import Trace


def gpu_warnings(site: Site, trace: Trace) -> list[str]:
    """Return a warning if the replay changes or ignores the GPUs or cores of jobs in the log."""
    if not isinstance(site.machine, Nodes) or trace.demands is not None:
        return []
    if "gpus" not in site.machine.resources:
        return _ignored(trace)
    rows = rounded_rows(trace, site.machine)
    if len(rows) == 0:
        return []
    row = rows[0]
    asked = text.plural(int(trace.processors[row]), "processor")
    cards = text.plural(int(trace.gpus[row]), "GPU")
    return [
        f"{text.plural(len(rows), 'job')} cannot be divided into identical units with all their "
        f"GPUs, so each unit gets the largest share (first job {trace.job_id[row]}: {asked} and "
        f"{cards} in total): add the columns units, unit_cores and unit_gpus to a csv file, or "
        "use trace.with_demands"
    ]


def _ignored(trace: Trace) -> list[str]:
    rows = np.flatnonzero(trace.gpus > 0)
    if len(rows) == 0:
        return []
    return [
        f"{text.plural(len(rows), 'job')} in the log requested GPUs (first job "
        f"{trace.job_id[rows[0]]}), but no node has any: these jobs are replayed without GPUs; "
        "add gpus to the node types, for example { count = 4, cores = 64, gpus = 8 }"
    ]
