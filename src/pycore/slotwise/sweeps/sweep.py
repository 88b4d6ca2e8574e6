"""`sweep`: one trace under many sites, on threads, on an executor, or on a cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from slotwise._numbers import threshold_of, trim_of, whole
from slotwise.errors import SiteError
from slotwise.result import Result
from slotwise.site import Site
from slotwise.sweeps.journal import Journal, subject_of
from slotwise.sweeps.rows import MetricOptions, Row, compute_rows
from slotwise.sweeps.site_numbers import names_site, numbered_in
from slotwise.sweeps.table import Sweep
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_CHUNK_SECONDS = 2.0
"""Work between two writes to a journal."""


def sweep(
    trace: Trace,
    sites: Iterable[Site],
    workers: int | None = None,
    *,
    executor: Any = None,
    progress: Callable[[float], object] | None = None,
    threshold: int = 10,
    trim: tuple[float, float] = (0.0, 0.0),
    keep_results: bool = False,
    journal: str | os.PathLike[str] | None = None,
) -> Sweep:
    """Replay `trace` under every site and return a table of metrics.

    Parameters
    ----------
    trace : Trace
        Shared by all threads, never copied for them.
    sites : iterable of Site
    workers : int, optional
        Number of threads. Default: one per processor available to this process. Not with
        `executor`.
    executor : concurrent.futures.Executor or dask.distributed.Client, optional
        Replays elsewhere: work is sent in batches of about a second or more, the trace once to
        each worker.
    progress : callable, optional
        Called about ten times per second with the fraction done. Its exceptions end the sweep.
    threshold, trim
        As in `Result.metrics`.
    keep_results : bool, default False
        Also keep every `Result`; about 18 bytes per job and site. Not with `executor` or
        `journal`.
    journal : path-like, optional
        File that keeps rows as they come; a sweep of the same trace and sites resumes from it. The
        file stays when the sweep is done.

    Returns
    -------
    Sweep
        One row per site, in the order of `sites`; the same for any number of workers.

    Raises
    ------
    SiteError, TraceError, ReplayError
        As `simulate`, with the number of the site. Other replays are abandoned; with a `journal`
        their rows are first computed and kept.
    ValueError
        For fewer than 1 worker, conflicting arguments, or a journal of another sweep.
    """
    chosen = list(sites)
    _check_arguments(trace, chosen, workers, executor, keep_results, journal)
    metric_options = MetricOptions(threshold_of(threshold), trim_of(trim))
    threads = threads_for(workers)

    def compute(some: Sequence[Site], tell: Callable[[float], object] | None) -> list[Row]:
        if executor is not None:
            from slotwise.sweeps.batches import run_on_executor  # slow to import

            return run_on_executor(executor, trace, some, metric_options, tell)
        return compute_rows(
            trace, some, metric_options, workers=threads, keep_schedules=keep_results, progress=tell
        )

    if journal is None:
        rows = compute(chosen, progress)
    else:
        subject = subject_of(trace, chosen, metric_options)
        with Journal.open(journal, subject) as kept:
            resume(kept, chosen, range(len(chosen)), compute, progress)
            rows = [kept.rows[number] for number in range(len(chosen))]
    results = [
        _result(trace, site, row) for site, row in zip(chosen, rows, strict=True) if row.schedule
    ]
    return Sweep(chosen, [row._replace(schedule=None, places=None) for row in rows], results)


def resume(
    kept: Journal,
    sites: Sequence[Site],
    wanted: Iterable[int],
    compute: Callable[[Sequence[Site], Callable[[float], object] | None], list[Row]],
    progress: Callable[[float], object] | None,
) -> None:
    """Compute the `wanted` rows missing from the journal, in chunks of some seconds.

    Parameters
    ----------
    wanted : iterable of int
        Positions in `sites`.
    compute : callable
        Takes sites and a progress callable, and returns one row per site.

    Raises
    ------
    SiteError, TraceError, ReplayError
        For the first site that fails, after the rows of all others are kept.
    """
    asked = list(wanted)
    missing = [number for number in asked if number not in kept.rows]
    size = 1
    first_fault: Exception | None = None
    while missing:
        chunk, missing = missing[:size], missing[size:]
        done = len(asked) - len(chunk) - len(missing)

        def tell(part: float, done: int = done, share: int = len(chunk)) -> None:
            if progress is not None:
                progress((done + part * share) / len(asked))

        try:
            with numbered_in(chunk):
                rows = compute([sites[number] for number in chunk], tell)
        except Exception as fault:
            if not names_site(fault):
                raise
            if len(chunk) > 1:  # halving finds the failing site
                size, missing = len(chunk) // 2, chunk + missing
            else:
                first_fault = first_fault or fault
            continue
        kept.add(dict(zip(chunk, rows, strict=True)))
        slowest = max(row.seconds for row in rows)
        size = max(1, min(4 * size, int(_CHUNK_SECONDS / max(slowest, 1e-4))))
    if first_fault is not None:
        raise first_fault


def _result(trace: Trace, site: Site, row: Row) -> Result:
    assert row.schedule is not None
    processors = site.machine_for(trace).count
    return Result(trace, site, row.schedule, processors, row.seconds, row.places)


def threads_for(workers: int | None) -> int:
    """Return `workers`, or the number of processors available to this process."""
    if workers is not None:
        return workers
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_arguments(
    trace: object,
    sites: Sequence[object],
    workers: object,
    executor: object,
    keep_results: bool,
    journal: object,
) -> None:
    if not isinstance(trace, Trace):
        call = f"sw.read_swf({trace!r})" if isinstance(trace, str) else "the result of sw.read_swf"
        raise TypeError(f"{trace!r} is not a Trace; pass {call}")
    for number, site in enumerate(sites, 1):
        if not isinstance(site, Site):
            raise TypeError(f"site {number} of the sweep is {site!r}; pass a Site(...)")
    if not sites:
        raise SiteError("a sweep needs at least one site, and sites is empty; pass one or more")
    if workers is not None and ((count := whole(workers)) is None or not 1 <= count <= 4096):
        raise ValueError(f"workers is {workers!r}; must be a number of threads from 1 to 4096")
    if workers is not None and executor is not None:
        raise ValueError(
            "workers and executor exclude each other; leave workers out, the executor has its own"
        )
    if keep_results and (executor is not None or journal is not None):
        raise ValueError(
            "keep_results keeps schedules in this process; leave executor and journal out"
        )
