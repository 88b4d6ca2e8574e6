"""Replays: a trace under a site."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from slotwise import _core
from slotwise.errors import SiteError, TraceError
from slotwise.result import Result
from slotwise.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable

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
        If no job of the trace fits the machine.
    """
    site = Site() if site is None else site
    machine = site.machine_for(trace)
    if len(trace) == 0 or int(trace.processors.min()) > machine.count:
        why = (
            "has no job" if len(trace) == 0 else f"has no job that fits {machine.count} processors"
        )
        msg = f"the trace {why}; there is nothing to replay"
        raise TraceError(msg, path=trace.source)
    began = time.perf_counter()
    try:
        schedule = _core.simulate(trace._jobs, machine.count, site.policy._to_core(), progress)
    except ValueError as fault:
        raise SiteError(str(fault)) from None
    seconds = time.perf_counter() - began
    return Result(trace, site, schedule, machine.count, seconds)
