"""Rows of a sweep on machines of nodes: `simulate` on several threads."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from slotwise.errors import ReplayError, SiteError, TraceError
from slotwise.simulation.simulate import simulate
from slotwise.sweeps.rows import Measure, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slotwise.site import Site
    from slotwise.trace import Trace

_TICK = 0.1
"""Seconds between two calls of progress."""


class _StoppedError(Exception):
    """Ends a replay whose row is not wanted any more."""


def compute_on_nodes(
    trace: Trace,
    sites: Sequence[Site],
    measure: Measure,
    workers: int,
    keep_schedules: bool,
    progress: Callable[[float], object] | None,
) -> list[Row]:
    """Replay `trace` under every site on `workers` threads, outside the GIL.

    Raises
    ------
    SiteError, TraceError, ReplayError
        Naming the first site that fails; those before it are replayed to their end.
    """
    parts = [0.0] * len(sites)
    last = len(sites)  # replays from here on end
    faults: dict[int, BaseException] = {}

    def compute(number: int) -> Row:
        def advance(part: float) -> None:
            parts[number] = part
            if number >= last:
                raise _StoppedError

        advance(0.0)
        result = simulate(trace, sites[number], progress=advance)
        metrics = result.metrics(threshold=measure.threshold, trim=measure.trim)
        kept = (result.schedule, result._places) if keep_schedules else (None, None)
        return Row(metrics, result.seconds, *kept)

    with ThreadPoolExecutor(workers) as pool:
        futures = {pool.submit(compute, number): number for number in range(len(sites))}
        open_ones = set(futures)
        try:
            while open_ones:
                done, open_ones = wait(open_ones, _TICK, FIRST_COMPLETED)
                for future in done:
                    if (fault := future.exception()) is not None:
                        faults[futures[future]] = fault
                        last = min(last, futures[future])
                if progress is not None:
                    progress(sum(parts) / len(sites))
        finally:
            last = 0 if open_ones else last
    if faults:
        raise _numbered(faults[min(faults)], min(faults) + 1)
    return [future.result() for future in futures]


def _numbered(fault: BaseException, number: int) -> BaseException:
    """Name the site in its fault."""
    where = f"site {number} of the sweep: "
    if isinstance(fault, TraceError):
        return TraceError(where + fault.message, path=fault.path, line=fault.line)
    if isinstance(fault, SiteError | ReplayError):
        return type(fault)(where + str(fault))
    fault.add_note("raised under " + where)
    return fault
