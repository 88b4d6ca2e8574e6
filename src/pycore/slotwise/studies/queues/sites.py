"""Sites of the study: the initial queues of a log, and the site of each strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.advice.queue_design.multiple_queue import multiple_queue_site
from slotwise.advice.queue_design.parameters import DAY
from slotwise.advice.queue_design.strategies import Decision, nonpartitioned
from slotwise.errors import TraceError
from slotwise.generators.serc_months import MACHINE, QUEUES, TABLE_I
from slotwise.site import Site
from slotwise.site.build import build
from slotwise.site.machine import Processors
from slotwise.site.parts import Queue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.parameters import Parameters
    from slotwise.trace import Trace

STRATEGIES = (
    "static", "proportional", "nlp", "reconfigure", "hybrid", "nonpartitioned", "mqb",
    "mqb adaptive", "search",
)  # fmt: skip
DECIDED = ("proportional", "nlp", "reconfigure", "hybrid", "search")
"""Strategies that choose the partitions for the next month."""

ADAPTIVE = "mqb adaptive"


SPANNING_SHARE = 0.25
"""Jobs above this share of the machine span partitions."""
STARVATION = DAY
LEAST_JOBS = 30
"""Minimum number of jobs in a class; a smaller class is merged into the next."""


def derive_queues(trace: Trace, machine: int | None = None) -> Site:
    """Return a site whose queues follow the sizes and requested times of a log.

    As on the paper's machine, small jobs are divided by requested time among `short`, `small` and
    `smalllong`. `medium` takes larger jobs. `large` takes jobs on more than a quarter of the
    machine; these may span partitions. Small jobs are the smallest ones that together use half of
    the CPU time of non-spanning jobs. They are divided at two requested times: the most frequent
    ones near the 25th and 90th percentiles. A class of fewer than 30 jobs is merged into the next
    class.

    Parameters
    ----------
    trace : Trace
    machine : int, optional
        Processors of the machine; default: the header's number.

    Raises
    ------
    SiteError
        If neither `machine` nor the header gives the size of the machine.
    TraceError
        For a trace without jobs that fit the machine.
    """
    total = Site(machine).machine_for(trace).count
    fits = trace.processors <= total
    if not fits.any():
        raise TraceError(
            f"no job in the trace fits on {total} processors, so no queues can be derived; set the "
            "machine's size",
            path=trace.source,
        )
    jobs = trace[fits]
    longest = int(np.maximum(jobs.requested_time, 1).max())
    wide = max(1, int(total * SPANNING_SHARE))
    small = _size_cut(jobs, wide)
    parts = _requests(jobs, small, longest)
    queues = [
        Queue(name, processors=(1, small), walltime=(low, high), starvation=STARVATION)
        for name, low, high in parts
    ]
    if small < wide:
        queues.append(
            Queue(
                "medium", processors=(small + 1, wide), walltime=(0, longest),
                starvation=STARVATION,
            )
        )  # fmt: skip
    if wide < total:
        queues.append(
            Queue(
                "large", processors=(wide + 1, total), walltime=(0, longest),
                starvation=STARVATION, spanning=True,
            )
        )  # fmt: skip
    return Site(
        Processors(total),
        queues=[q.replace(priority=k) for k, q in enumerate(queues, 1)],
    )


def _size_cut(jobs: Trace, wide: int) -> int:
    """Return the largest size of small jobs.

    Together, they use half of the CPU time of the jobs on at most `wide` processors.
    """
    inside = np.flatnonzero(jobs.processors <= wide)
    if len(inside) == 0:
        return wide
    order = inside[np.argsort(jobs.processors[inside], kind="stable")]
    sizes = jobs.processors[order]
    work = np.cumsum((sizes * np.maximum(jobs.run_time[order], 1)).astype(np.float64))
    cut = int(sizes[np.searchsorted(work, work[-1] / 2)])
    return cut if np.count_nonzero(sizes > cut) >= LEAST_JOBS else wide


def _requests(jobs: Trace, small: int, longest: int) -> list[tuple[str, int, int]]:
    """Divide small jobs by requested time; return each class's name, lower and upper bound.

    A job in the class requests more than the lower bound, and at most the upper bound.
    """
    asked = np.maximum(jobs.requested_time[jobs.processors <= small], 1)
    edges = [0]
    for share in (0.25, 0.9):
        edge = _popular_near(asked, share)
        inside = np.count_nonzero((asked > edges[-1]) & (asked <= edge))
        if edges[-1] < edge < longest and inside >= LEAST_JOBS:
            edges.append(edge)
    edges.append(longest)
    names = {2: ["small"], 3: ["short", "small"], 4: ["short", "small", "smalllong"]}[len(edges)]
    return list(zip(names, edges[:-1], edges[1:], strict=True))


def _popular_near(asked: NDArray[np.int64], share: float) -> int:
    """Return the most frequent requested time near a quantile."""
    if len(asked) == 0:
        return 0
    low, high = np.quantile(asked, [max(share - 0.1, 0), min(share + 0.05, 1)], method="nearest")
    values, counts = np.unique(asked[(asked >= low) & (asked <= high)], return_counts=True)
    return int(values[np.argmax(counts)])


def table_i() -> Site:
    """Return the CPU queues of Table I; their priorities, 1 to 5, are not in the paper."""
    return Site(
        Processors(MACHINE),
        queues=[
            Queue(
                name,
                processors=(TABLE_I[name].fewest, TABLE_I[name].most),
                walltime=(TABLE_I[name].above, TABLE_I[name].longest),
                priority=k,
                starvation=DAY,
                spanning=name == "large",
            )
            for k, name in enumerate(QUEUES, 1)
        ],
    )


def sites_of(
    base: Site, first: Trace, decided: Mapping[str, Any], parameters: Parameters
) -> dict[str, Site]:
    """Return the site of every strategy except the self-adapting one.

    Parameters
    ----------
    base : Site
        The initial queues.
    first : Trace
        The first month, for strategies that decide once.
    decided : mapping
        The month's decisions, by strategy of `DECIDED`.
    parameters : Parameters
    """
    start = Decision.of(base, first, parameters)
    sites = {name: build(decided[name]["site"]) for name in DECIDED}
    sites["static"] = start.layout("proportional").site()
    sites["nonpartitioned"] = nonpartitioned(base, first, parameters)
    sites["mqb"] = multiple_queue_site(start.base, parameters.partitions, parameters.classes)
    return sites
