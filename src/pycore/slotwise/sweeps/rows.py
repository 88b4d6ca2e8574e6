"""Rows of a sweep, computed by threads of this process."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise._core import Schedule, Site as CoreSite, sweep as core_sweep
from slotwise.errors import ReplayError, SiteError, TraceError, faults_with_source
from slotwise.replay.metrics import metrics_of
from slotwise.replay.run import run
from slotwise.replay.to_core import core_site
from slotwise.replay.warnings.log import warn_of_log
from slotwise.site.machine.nodes import Nodes
from slotwise.sweeps.site_numbers import numbered_in, reworded, site_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.trace import Trace


_TICK = 0.1
"""Seconds between two calls of `progress`."""


class Row(NamedTuple):
    """Metrics of one site by name, and the duration of its replay; if kept, also the schedule."""

    metrics: dict[str, float]
    seconds: float
    schedule: Schedule | None = None
    places: tuple[NDArray[Any], ...] | None = None


@dataclass(frozen=True)
class MetricOptions:
    """Options of `Result.metrics`, the same for every row."""

    threshold: int = 10
    trim: tuple[float, float] = (0.0, 0.0)


def compute_rows(
    trace: Trace,
    sites: Sequence[Site],
    metric_options: MetricOptions,
    *,
    workers: int = 1,
    keep_schedules: bool = False,
    computes_metrics: bool = True,
    progress: Callable[[float], object] | None = None,
) -> list[Row]:
    """Replay `trace` for every site on `workers` threads, outside the GIL.

    Parameters
    ----------
    computes_metrics : bool, optional
        False if only the schedules are needed; machines without nodes then get no metrics.

    Raises
    ------
    SiteError, TraceError, ReplayError
        If a site fails; the message names the first one.
    """
    on_nodes = [isinstance(site.machine, Nodes) for site in sites]
    if not any(on_nodes):
        return _on_processors(
            trace, sites, metric_options, workers, keep_schedules, progress, computes_metrics
        )
    rows: dict[int, Row] = {}
    faults: dict[int, Exception] = {}
    for compute, kind in ((_on_processors, False), (_on_nodes, True)):
        places = [number for number, each in enumerate(on_nodes) if each is kind]

        def tell(part: float, done: int = len(rows), share: int = len(places)) -> None:
            if progress is not None:
                progress((done + part * share) / len(sites))

        if not places:
            continue
        try:
            with numbered_in(places):
                some = [sites[number] for number in places]
                found = compute(trace, some, metric_options, workers, keep_schedules, tell)
        except Exception as fault:
            number = site_number(fault)
            if number is None:
                raise
            faults[number] = fault
            continue
        rows |= zip(places, found, strict=True)
    if faults:
        raise faults[min(faults)]
    return [rows[number] for number in range(len(sites))]


def _on_processors(
    trace: Trace,
    sites: Sequence[Site],
    metric_options: MetricOptions,
    workers: int,
    keep_schedules: bool,
    progress: Callable[[float], object] | None,
    computes_metrics: bool = True,
) -> list[Row]:
    cores: list[CoreSite] = []
    unsuited: SiteError | None = None
    for number, site in enumerate(sites, 1):
        try:
            warn_of_log(site, trace)
            cores.append(core_site(site, trace, site.machine_for(trace).count))
        except SiteError as fault:
            # This error is raised later, because an earlier site may still fail during its replay.
            unsuited = SiteError(f"site {number} of the sweep: {fault}")
            break
    with faults_with_source(trace.source):
        rows = core_sweep(
            trace._jobs,
            cores,
            workers,
            threshold=metric_options.threshold,
            trim=metric_options.trim,
            dropped=trace.report.total_dropped,
            keep_schedules=keep_schedules,
            computes_metrics=computes_metrics,
            progress=progress,
        )
    if unsuited is not None:
        raise unsuited
    return [Row(*row) for row in rows]


class _StoppedError(Exception):
    """Raised to end a replay whose row is no longer needed."""


def _on_nodes(
    trace: Trace,
    sites: Sequence[Site],
    metric_options: MetricOptions,
    workers: int,
    keep_schedules: bool,
    progress: Callable[[float], object] | None,
) -> list[Row]:
    """Replay `trace` for sites whose machines have nodes, on `workers` threads.

    Raises
    ------
    SiteError, TraceError, ReplayError
        If a site fails; the message names the first one. Replays of earlier sites are completed.
    """
    parts = [0.0] * len(sites)
    last = len(sites)  # first site that failed; its replay and all later ones are stopped
    faults: dict[int, BaseException] = {}

    def compute(number: int) -> Row:
        def advance(part: float) -> None:
            parts[number] = part
            if number >= last:
                raise _StoppedError

        advance(0.0)
        replay = run(trace, sites[number], advance)
        metrics = metrics_of(replay, threshold=metric_options.threshold, trim=metric_options.trim)
        kept = (replay.schedule, replay._places) if keep_schedules else (None, None)
        return Row(metrics, replay.seconds, *kept)

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
    """Add the number of the site to the message of its exception."""
    where = f"site {number} of the sweep: "
    if isinstance(fault, TraceError):
        return TraceError(where + fault.message, path=fault.path, line=fault.line)
    if isinstance(fault, SiteError | ReplayError):
        return reworded(fault, where + str(fault))
    fault.add_note("raised under " + where)
    return fault
