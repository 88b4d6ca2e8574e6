"""Rows of a sweep, computed in batches of sites on an executor; errors name the site and trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.executors.batches import Batches, Group
from slotwise.sweeps.site_numbers import names_site, numbered_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slotwise.executors.adapter import Adapter
    from slotwise.executors.batches import Done
    from slotwise.site import Site
    from slotwise.sweeps.rows import MetricOptions, Row
    from slotwise.sweeps.sources import Source


def run_on_executor(
    adapter: Adapter,
    groups: Sequence[tuple[Source, Sequence[Site]]],
    metric_options: MetricOptions,
    progress: Callable[[float], object] | None = None,
    keep_schedules: bool = False,
) -> list[Row]:
    """Compute one row per source and site, in the order of `groups`.

    Parameters
    ----------
    adapter : Adapter
    groups : sequence of (Source, sequence of Site)

    Raises
    ------
    SiteError, TraceError, ReplayError
        For the first site that fails, once all earlier batches are done.
    WorkerError
        At once, if a batch loses its worker three times.
    """
    total = sum(len(sites) for _, sites in groups)
    rows: list[Row | None] = [None] * total
    fault: tuple[int, Exception] | None = None
    n_done = 0
    batches = Batches(adapter)
    for done in batches.run(
        Group(source.rows_function(metric_options, keep_schedules), sites)
        for source, sites in groups
    ):
        if done.fault is not None:
            named = _named(done, groups)
            if not names_site(named):
                raise named
            if fault is None or done.first < fault[0]:
                fault = done.first, named
            batches.stop_behind(done.first)
            continue
        rows[done.first : done.first + done.n_items] = done.values
        n_done += done.n_items
        if progress is not None and fault is None:
            progress(n_done / total)
    if fault is not None:
        raise fault[1]
    return [row for row in rows if row is not None]


def _named(done: Done, groups: Sequence[tuple[Source, Sequence[Site]]]) -> Exception:
    """Return a batch's exception, with the site's number in the sweep and the trace's label."""
    assert done.fault is not None
    begin = 0
    label = ""
    for source, sites in groups:
        begin += len(sites)
        label = source.label
        if done.first < begin:
            break
    try:
        with numbered_in(range(done.first, done.first + done.n_items)):
            raise done.fault
    except Exception as fault:
        if label:
            fault.add_note(f"on {label} of the sweep")
        return fault
