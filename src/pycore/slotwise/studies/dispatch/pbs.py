"""PBS, the batch system in use on EURORA, as far as the paper describes it (section 2).

PBS is modelled as a site. Its queues have priorities, opening hours and their own nodes, and there
is one pass per cycle. A pass tries the jobs in turn, by the priority of their queue, then by submit
time. If a job's nodes are not free, it stays in the queue without a reservation, and the next job
is tried. A unit takes the first node on which it fits. Some nodes accept only debug jobs; longpar
jobs start only at night. The rules that the paper does not give are this study's own.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

import slotwise as sw
from slotwise.site.machine.nodes import Nodes
from slotwise.site.parts.times import hours_of
from slotwise.studies.dispatch.rolling import all_started
from slotwise.studies.dispatch.sites import QUEUES
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise._core import JobView, MachineView
    from slotwise.studies.dispatch.sites import DispatchSite

    Int64 = NDArray[np.int64]

DEBUG = "debug"
"""Name of the queue for which some nodes are reserved."""

MIDNIGHT = datetime(2014, 1, 1)


def pbs_site(rules: DispatchSite) -> sw.Site:
    """Return a site with PBS's rules, under which a batch is replayed."""
    machine = Nodes(rules.machine.types, "first-fit")
    passes = f"{rules.pbs.cycle}s"
    policy: sw.Policy = sw.Policy(backfill="first-fit", passes=passes)
    if rules.pbs.strict:
        policy = sw.External(StrictOrder(rules), passes=passes)
    return sw.Site(
        machine=machine,
        policy=policy,
        queues=[_queue(rules, machine, number) for number in range(len(QUEUES))],
        clock=sw.Clock(start=MIDNIGHT + timedelta(seconds=rules.pbs.begin)),
    )


def replay_pbs(trace: sw.Trace, rules: DispatchSite) -> sw.Result:
    """Replay a batch under PBS.

    A replay's first pass is at the first submit time, whereas PBS begins its passes at second 0.
    Every submit time is therefore moved to the next pass of PBS, which does not change any start.

    Raises
    ------
    ReplayError
        If a job never fits on the nodes of its queue.
    """
    cycle = rules.pbs.cycle
    seen = -(-trace.submit // cycle) * cycle
    shown = sw.Trace.from_columns(
        seen, trace.run_time, trace.processors, trace.requested_time, queue=trace.queue
    )
    demands = demands_of(trace, rules.machine)
    return all_started(sw.simulate(shown.with_demands(demands), pbs_site(rules)))


def _queue(rules: DispatchSite, machine: Nodes, number: int) -> sw.Queue:
    """Return a queue of the site; the last queue takes all jobs that no other queue takes."""
    queue = rules.queues[number]
    kept = set() if QUEUES[number] == DEBUG else debug_nodes(rules)
    names = [name for node, name in enumerate(machine.names) if node not in kept]
    return sw.Queue(
        QUEUES[number],
        trace_queues=[number + 1] if number + 1 < len(QUEUES) else [],
        priority=queue.priority,
        hours=_written(rules.pbs.night) if queue.night_only else (),
        nodes=names if kept else [],
    )


def debug_nodes(rules: DispatchSite) -> set[int]:
    """Return the numbers of the nodes that accept only debug jobs: the first few of each type."""
    first = np.unique(rules.machine.type_of, return_index=True)[1]
    return {int(k) + more for k in first for more in range(rules.pbs.debug_nodes)}


def _written(night: tuple[int, int]) -> tuple[str, ...]:
    times = (f"{t // 3600:02}:{t // 60 % 60:02}:{t % 60:02}" for t in night)
    return hours_of("-".join(times))


class StrictOrder:
    """A dispatcher under which a job that does not fit blocks the rest of its queue.

    Jobs in other queues can still start. No backfill rule behaves this way: each would also hold
    back jobs of other queues on the same nodes. The site's placement rule chooses the nodes.

    Parameters
    ----------
    rules : DispatchSite
    """

    def __init__(self, rules: DispatchSite) -> None:
        self._priority = np.array([queue.priority for queue in rules.queues])

    def __call__(self, queue: JobView, machine: MachineView) -> list[int]:
        """Return the jobs that start."""
        held_back: set[int] = set()
        starts = []
        # Rows are resources; columns are nodes in `free`, and jobs in `each`.
        free = np.array(list(machine.free_on_nodes.values()))
        each = np.array(list(queue.each.values()))
        for row in np.lexsort((queue.row, -self._priority[queue.site_queue])):
            of_queue = int(queue.site_queue[row])
            if of_queue in held_back:
                continue
            job = int(queue.job_id[row])
            units = _units_on(free, each[:, row], machine.nodes_for(job))
            needed = int(queue.units[row])
            if units.sum() < needed:
                held_back.add(of_queue)
                continue
            placed = np.clip(needed - (np.cumsum(units) - units), 0, units)
            free -= np.outer(each[:, row], placed)
            starts.append(job)
        return starts


def _units_on(free: Int64, each: Int64, usable: NDArray[np.int32]) -> Int64:
    """Return the number of units that fit on each node; 0 outside `usable`."""
    asked = each > 0
    units = np.zeros(free.shape[1], dtype=np.int64)
    units[usable] = (free[asked][:, usable] // each[asked][:, None]).min(axis=0)
    return units
