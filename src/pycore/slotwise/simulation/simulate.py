"""`simulate`: a replay of a trace under a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.replay.run import run
from slotwise.result import Result
from slotwise.simulation.arguments import check_progress, check_trace_and_site
from slotwise.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.trace import Trace


def simulate(
    trace: Trace, site: Site | None = None, *, progress: Callable[[float], object] | None = None
) -> Result:
    """Replay `trace` under `site` and return the result.

    Parameters
    ----------
    trace : Trace
        The jobs. The trace is never changed, so any number of threads can replay it.
    site : Site, optional
        Machine and policy. Default: the machine in the trace's header, FCFS with EASY backfilling.
    progress : callable, optional
        Called about ten times a second with the fraction done, 0 to 1. An exception it raises ends
        the replay.

    Returns
    -------
    Result
        One row per job of the trace, in trace order.

    Raises
    ------
    SiteError
        If the size of the machine is unknown, or the policy cannot work on this trace.
    TraceError
        If no job of the trace fits the machine, or the trace lacks logged waits that the policy
        needs.
    ReplayError
        If an order gives a job a score that is not a number, or interruptions never let a job
        finish.
    TypeError
        If `trace` is not a Trace, `site` is not a Site, or `progress` is not callable.
    """
    site = Site() if site is None else site
    check_trace_and_site(trace, site)
    check_progress(progress)
    return Result.of(run(trace, site, progress))
