"""Replays: a trace under a site."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from slotwise._core import Site as CoreSite, simulate as core_simulate, simulate_nodes
from slotwise.errors import SiteError, TraceError, faults_with_source
from slotwise.result import Result
from slotwise.simulation.arguments import check_progress, check_trace_and_site
from slotwise.simulation.simulation import Simulation
from slotwise.site import Site
from slotwise.site.external import External
from slotwise.site.nodes import Nodes
from slotwise.trace.demands import demands_of, rows_without_room

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from slotwise.trace import Trace


def simulate(
    trace: Trace, site: Site | None = None, *, progress: Callable[[float], object] | None = None
) -> Result:
    """Replay `trace` under `site` and return what would have happened.

    Parameters
    ----------
    trace : Trace
        The jobs; shared, never changed, so any number of threads may replay it at once.
    site : Site, optional
        Machine and policy. Default: the machine of the trace's header, fcfs, easy backfilling.
    progress : callable, optional
        Called about ten times a second with the part done, 0 to 1. What it raises ends the replay.

    Returns
    -------
    Result
        One row a job of the trace, in its order.

    Raises
    ------
    SiteError
        If the size of the machine is not known, or the policy cannot work on this trace.
    TraceError
        If no job of the trace fits the machine, or the policy needs logged waits that it lacks.
    ReplayError
        If an order gives a job no number, or a job is interrupted again and again.
    TypeError
        If an argument is no trace, no site or not callable.
    """
    site = Site() if site is None else site
    check_trace_and_site(trace, site)
    check_progress(progress)
    machine = site.machine_for(trace)
    if isinstance(machine, Nodes):
        return _on_nodes(trace, site, machine, progress)
    if len(trace) == 0 or not _any_fits(trace.processors, machine.count):
        why = (
            "has no job" if len(trace) == 0 else f"has no job that fits {machine.count} processors"
        )
        msg = f"the trace {why}; there is nothing to replay"
        raise TraceError(msg, path=trace.source)
    if isinstance(site.policy, External):
        sim = Simulation(trace, site)
        sim.run(progress=progress)
        return sim.result()
    core_site = site._to_core(trace, machine.count)
    began = time.perf_counter()
    with faults_with_source(trace.source):
        schedule = core_simulate(trace._jobs, core_site, progress)
    seconds = time.perf_counter() - began
    return Result(trace, site, schedule, machine.count, seconds)


def _any_fits(processors: NDArray[np.int64], machine: int) -> bool:
    return bool(processors[0] <= machine) or int(processors.min()) <= machine


def _on_nodes(
    trace: Trace, site: Site, nodes: Nodes, progress: Callable[[float], object] | None
) -> Result:
    """Replay on nodes with several resources."""
    if isinstance(site.policy, External):
        msg = "an outside dispatcher is told nothing of nodes; choose a backfill, or Processors(n)"
        raise SiteError(msg)
    demands = demands_of(trace)
    each = demands.on(nodes)
    if rows_without_room(demands.units, each, nodes).all():
        msg = "the trace has no job; there is nothing to replay"
        if len(trace) > 0:
            lacks = nodes.what_lacks(*demands.of_job(0))
            who = "the only job has no" if len(trace) == 1 else f"none of {len(trace):,} jobs has"
            msg = (
                f"{who} room on the nodes (of the first, {lacks}): correct what they ask, or give "
                "the machine such nodes"
            )
        raise TraceError(msg, path=trace.source)
    core_site = CoreSite(nodes.count, site.policy._to_core())
    began = time.perf_counter()
    with faults_with_source(trace.source):
        schedule, first, node, units = simulate_nodes(
            trace._jobs, core_site, nodes._core, nodes._rule, demands.units, each, progress
        )
    seconds = time.perf_counter() - began
    return Result(trace, site, schedule, nodes.count, seconds, (first, node, units))
