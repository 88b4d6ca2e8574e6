"""Runs the engine: trace and site in, replay data out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from slotwise._core import (
    Simulation as CoreSimulation,
    Site as CoreSite,
    simulate as core_simulate,
)
from slotwise.errors import TraceError, faults_with_source
from slotwise.replay.demands_to_core import converted_demands
from slotwise.replay.interventions import interventions_of
from slotwise.replay.named_nodes import asked_on
from slotwise.replay.replay_data import ReplayData
from slotwise.replay.to_core import core_policy, core_site, dispatch_of, without_dispatcher
from slotwise.replay.warnings.log import warn_of_log
from slotwise.site.machine.nodes import Nodes
from slotwise.site.policy.external import External

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.trace import Trace

    Progress = Callable[[float], object] | None


def run(trace: Trace, site: Site, progress: Progress = None) -> ReplayData:
    """Replay `trace` under `site` to its end.

    Raises
    ------
    SiteError, TraceError, ReplayError
        In the same cases as `simulate`.
    """
    machine = site.machine_for(trace)
    warn_of_log(site, trace)
    if isinstance(machine, Nodes):
        return _on_nodes(trace, site, machine, progress)
    if len(trace) == 0 or not _any_fits(trace.processors, machine.count):
        why = (
            "has no jobs"
            if len(trace) == 0
            else f"has no jobs that fit on {machine.count} processors"
        )
        msg = f"the trace {why}; there is nothing to replay"
        raise TraceError(msg, path=trace.source)
    if isinstance(site.policy, External):
        return _dispatched(trace, site, machine.count, progress)
    core = core_site(site, trace, machine.count)
    began = time.perf_counter()
    with faults_with_source(trace.source):
        schedule = core_simulate(trace._jobs, core, progress)
    return ReplayData(trace, site, schedule, machine.count, time.perf_counter() - began)


def stepped(trace: Trace, site: Site, processors: int) -> CoreSimulation:
    """Return a replay that can advance step by step, and has not begun."""
    with faults_with_source(trace.source):
        core = steppable(core_site(without_dispatcher(site), trace, processors))
        return CoreSimulation(trace._jobs, core, dispatch_of(site.policy, site.machine))


def restored(
    kept: dict[str, Any],
    trace: Trace,
    site: Site,
    policies: tuple[Any, ...],
    start: NDArray[np.int64],
    ask: Callable[..., Any],
) -> CoreSimulation:
    """Repeat a saved simulation up to the time of its snapshot."""
    used = (site.policy, *policies)
    return CoreSimulation.replayed(
        trace._jobs,
        steppable(core_site(without_dispatcher(site), trace, kept["processors"])),
        isinstance(site.policy, External),
        [tuple(change) for change in kept["changes"]],
        [(core_policy(policy, trace), isinstance(policy, External)) for policy in policies],
        kept["handled"],
        start.tolist(),
        (kept["answers"][0], [tuple(answer) for answer in kept["answers"][1]]),
        asked_on(site.machine, ask) if any(isinstance(p, External) for p in used) else None,
    )


def steppable(core: CoreSite) -> CoreSite:
    """Make the core use planners that allow waiting jobs to be held, cancelled and reordered."""
    core.plans_queues = True
    return core


def _any_fits(processors: NDArray[np.int64], machine: int) -> bool:
    return bool(processors[0] <= machine) or int(processors.min()) <= machine


def _dispatched(trace: Trace, site: Site, processors: int, progress: Progress) -> ReplayData:
    """Replay under a dispatcher; only a stepped replay can call one."""
    core = stepped(trace, site, processors)
    began = time.perf_counter()
    core.run(None, progress)
    seconds = time.perf_counter() - began
    interventions = interventions_of(core.changes(), (site.policy,))
    return ReplayData(
        trace, site, core.schedule(), processors, seconds, interventions=interventions
    )


def _on_nodes(trace: Trace, site: Site, nodes: Nodes, progress: Progress) -> ReplayData:
    converted = converted_demands(trace, nodes)
    demands = converted.demands
    if not converted.any_has_room:
        msg = "the trace has no jobs; there is nothing to replay"
        if len(trace) > 0:
            lacks = nodes.what_lacks(*demands.of_job(0))
            who = "the only job does not fit"
            if len(trace) > 1:
                who, lacks = f"none of the {len(trace):,} jobs fits", f"for the first job, {lacks}"
            msg = (
                f"{who} on the nodes ({lacks}); correct the jobs' requests in the trace, or add "
                "suitable nodes to the machine"
            )
        raise TraceError(msg, path=trace.source)
    if isinstance(site.policy, External):
        return _dispatched(trace, site, nodes.count, progress)
    core = core_site(site, trace, nodes.count)
    began = time.perf_counter()
    with faults_with_source(trace.source):
        schedule = core_simulate(trace._jobs, core, progress)
    seconds = time.perf_counter() - began
    return ReplayData(trace, site, schedule, nodes.count, seconds)
