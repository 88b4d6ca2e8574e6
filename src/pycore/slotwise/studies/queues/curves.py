"""Facts about the workload: figures 1, 2 and 4 to 6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.advice.queue_design.bounds import utilisation_curve
from slotwise.advice.queue_design.parameters import DAY, HOUR
from slotwise.advice.queue_design.strategies import Decision
from slotwise.studies import Row

if TYPE_CHECKING:
    from slotwise.advice.queue_design.parameters import Parameters
    from slotwise.studies.queues.workloads import Workload


def facts(workload: Workload, parameters: Parameters) -> dict[str, Any]:
    """Return curves of utilisation and mean wait for each queue, and CPU hours over time.

    For the curves, the jobs of the first month are replayed, each queue alone, on partitions of
    increasing size.
    """
    first = workload.months[0]
    start = Decision.of(
        workload.base, first.of(workload.trace), parameters, begin=first.begin, end=first.end
    )
    alone = {}
    for owner, position in enumerate(start.base.owners):
        sizes, figures = utilisation_curve(start.history, start.base, owner)
        if len(figures):
            alone[start.base.queues[position].name] = {
                "processors": sizes.tolist(),
                "utilisation": figures[:, 0].tolist(),
                "wait": figures[:, 1].tolist(),
            }
    whole = Decision.of(workload.base, workload.trace, parameters).history
    names = [queue.name for queue in start.base.queues]
    months = workload.months
    edges = [m.begin for m in months] + [months[-1].end]
    return {
        "month": first.name,
        "alone": alone,
        "day": _hours(whole, names, np.arange(edges[0], edges[-1] + 1, DAY)),
        "ten days": _hours(whole, names, np.arange(edges[0], edges[-1] + 1, 10 * DAY)),
        "month hours": _hours(whole, names, np.array(edges)),
        "months": [m.name for m in months],
    }


def _hours(history: Any, names: list[str], edges: Any) -> dict[str, list[float]]:
    """Return the CPU hours of the jobs submitted between consecutive `edges`, by queue."""
    jobs = history.trace
    place = np.searchsorted(edges, jobs.submit, side="right") - 1
    inside = (place >= 0) & (place < len(edges) - 1)
    work = (jobs.processors * jobs.run_time)[inside] / HOUR
    found = {}
    for k, name in enumerate(names):
        own = history.queue[inside] == k
        counts = np.bincount(place[inside][own], weights=work[own], minlength=len(edges) - 1)
        found[name] = [round(float(x), 1) for x in counts]
    return found


def rows(known: dict[str, Any]) -> list[Row]:
    """Return the rows of figures 1, 2, 4, 5 and 6."""
    made = []
    for table, figure, unit in (("figure 1", "wait", 1 / HOUR), ("figure 2", "utilisation", 1.0)):
        for queue, curve in known["alone"].items():
            made += [
                Row(table, {"queue": queue, "processors": size}, value * unit)
                for size, value in zip(curve["processors"], curve[figure], strict=True)
            ]
    for table, span, label in (
        ("figure 4", "day", "day"),
        ("figure 5", "month hours", "month"),
        ("figure 6", "ten days", "interval"),
    ):
        for queue, hours in known[span].items():
            for k, value in enumerate(hours):
                name = known["months"][k] if label == "month" else k + 1
                made.append(Row(table, {label: name, "queue": queue}, value))
    return made
