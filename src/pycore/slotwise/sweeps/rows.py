"""Rows of a sweep: computed by threads of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise._core import Schedule, Site as CoreSite, sweep as core_sweep
from slotwise.errors import SiteError, faults_with_source
from slotwise.site.nodes import Nodes
from slotwise.sweeps.site_numbers import numbered_in, site_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.trace import Trace


class Row(NamedTuple):
    """One site's metrics by name, seconds its replay took; schedule and places where kept."""

    metrics: dict[str, float]
    seconds: float
    schedule: Schedule | None = None
    places: tuple[NDArray[Any], ...] | None = None


@dataclass(frozen=True)
class Measure:
    """How every row is measured; as `Result.metrics` takes it."""

    threshold: int = 10
    trim: tuple[float, float] = (0.0, 0.0)


def compute_rows(
    trace: Trace,
    sites: Sequence[Site],
    measure: Measure,
    *,
    workers: int = 1,
    keep_schedules: bool = False,
    progress: Callable[[float], object] | None = None,
) -> list[Row]:
    """Replay `trace` under every site on `workers` threads, outside the GIL.

    Raises
    ------
    SiteError, TraceError, ReplayError
        Naming the first site that fails.
    """
    on_nodes = [isinstance(site.machine, Nodes) for site in sites]
    if not any(on_nodes):
        return _on_processors(trace, sites, measure, workers, keep_schedules, progress)
    from slotwise.sweeps.node_rows import compute_on_nodes

    rows: dict[int, Row] = {}
    faults: dict[int, Exception] = {}
    for compute, kind in ((_on_processors, False), (compute_on_nodes, True)):
        places = [number for number, each in enumerate(on_nodes) if each is kind]

        def tell(part: float, done: int = len(rows), share: int = len(places)) -> None:
            if progress is not None:
                progress((done + part * share) / len(sites))

        if not places:
            continue
        try:
            with numbered_in(places):
                some = [sites[number] for number in places]
                found = compute(trace, some, measure, workers, keep_schedules, tell)
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
    measure: Measure,
    workers: int,
    keep_schedules: bool,
    progress: Callable[[float], object] | None,
) -> list[Row]:
    cores: list[CoreSite] = []
    unsuited: SiteError | None = None
    for number, site in enumerate(sites, 1):
        try:
            cores.append(site._to_core(trace, site.machine_for(trace).count))
        except SiteError as fault:
            # Those before it may fail in their replays, and the first of all is told.
            unsuited = SiteError(f"site {number} of the sweep: {fault}")
            break
    with faults_with_source(trace.source):
        rows = core_sweep(
            trace._jobs,
            cores,
            workers,
            threshold=measure.threshold,
            trim=measure.trim,
            dropped=trace.report.total_dropped,
            keep_schedules=keep_schedules,
            progress=progress,
        )
    if unsuited is not None:
        raise unsuited
    return [Row(*row) for row in rows]
