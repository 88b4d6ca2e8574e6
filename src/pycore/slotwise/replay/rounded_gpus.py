"""Jobs whose GPUs a log gives as totals that do not divide into identical units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import text
from slotwise.site.machine.nodes import Nodes
from slotwise.trace.node_demands import rounded_rows

if TYPE_CHECKING:
    from slotwise.site import Site
    from slotwise.trace import Trace


def rounded_gpus(site: Site, trace: Trace) -> list[str]:
    """Return a warning if units of jobs have more cores or GPUs than the log states."""
    if not isinstance(site.machine, Nodes):
        return []
    rows = rounded_rows(trace, site.machine)
    if len(rows) == 0:
        return []
    row = rows[0]
    asked = text.plural(int(trace.processors[row]), "processor")
    cards = text.plural(int(trace.gpus[row]), "GPU")
    return [
        f"{text.plural(len(rows), 'job')} cannot be divided into identical units with all their "
        f"GPUs, so each unit takes the larger share (first job {trace.job_id[row]}: {asked} and "
        f"{cards} in total): state units, unit_cores and unit_gpus in a csv, or use "
        "trace.with_demands"
    ]
