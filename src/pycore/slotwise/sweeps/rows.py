"""Rows of a sweep: computed by threads of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from slotwise import _core
from slotwise.errors import SiteError, faults_with_source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slotwise.site import Site
    from slotwise.trace import Trace


class Row(NamedTuple):
    """One site's metrics by name, the wall time its replay took, its schedule where kept."""

    metrics: dict[str, float]
    seconds: float
    schedule: _core.Schedule | None = None


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
    cores: list[_core.Site] = []
    unsuited: SiteError | None = None
    for number, site in enumerate(sites, 1):
        try:
            cores.append(site._to_core(trace, site.machine_for(trace).count))
        except SiteError as fault:
            # Those before it may fail in their replays, and the first of all is told.
            unsuited = SiteError(f"site {number} of the sweep: {fault}")
            break
    with faults_with_source(trace.source):
        rows = _core.sweep(
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
