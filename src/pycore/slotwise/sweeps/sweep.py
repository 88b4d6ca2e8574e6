"""`sweep`: replays traces for many sites, in threads, on an executor, or on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from slotwise._numbers import threshold_of, trim_of
from slotwise.errors import SiteError
from slotwise.result import Result
from slotwise.sweeps.journal import Journal, subject_of
from slotwise.sweeps.rows import MetricOptions, Row
from slotwise.sweeps.site_numbers import check_site, names_site, numbered_in
from slotwise.sweeps.sources import digest_of, sources_of
from slotwise.sweeps.table import Sweep
from slotwise.sweeps.workers import adapter_for, check_workers, rows_of_pairs, threads_for

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from slotwise.site import Site
    from slotwise.sweeps.sources import Traces
    from slotwise.sweeps.workers import Pair
    from slotwise.trace import Trace

Item = TypeVar("Item")

_CHUNK_SECONDS = 2.0
"""Seconds of work between two writes to a journal."""


def sweep(
    trace: Traces,
    sites: Iterable[Site],
    workers: int | None = None,
    *,
    seeds: Iterable[int] | None = None,
    executor: Any = None,
    shared_folder: str | os.PathLike[str] | None = None,
    progress: Callable[[float], object] | None = None,
    threshold: int = 10,
    trim: tuple[float, float] = (0.0, 0.0),
    keep_results: bool = False,
    journal: str | os.PathLike[str] | None = None,
) -> Sweep:
    """Replay `trace` for every site and return a table of metrics.

    Parameters
    ----------
    trace : Trace, mapping of str to Trace, or callable
        Shared by all threads without copies. With several traces by name, or a function of a seed,
        each trace is replayed for every site.
    sites : iterable of Site
    workers : int, optional
        Number of threads. Default: one per processor available to this process. Not with
        `executor`.
    seeds : iterable of int, optional
        If `trace` is a function: replay ``trace(seed)`` for each seed. Workers generate the traces.
    executor : Executor, optional
        Runs the replays elsewhere: any ``concurrent.futures.Executor``, a Dask client, a submitit
        executor, the ``ray`` module, or an object that follows the `slotwise.executors.Executor`
        protocol. Work is sent in batches of about a second or more, and the trace once to each
        worker.
    shared_folder : path-like, optional
        With `executor`: a folder that workers can also read; a trace without a file is written
        there once. Default: the executor's own folder, or a temporary one.
    progress : callable, optional
        Called about ten times per second with the fraction done. An exception that it raises ends
        the sweep.
    threshold, trim
        As in `Result.metrics`.
    keep_results : bool, default False
        Also return every `Result`, at about 18 bytes per job and site. Not with `journal`.
    journal : path-like, optional
        File to which finished rows are written; a sweep of the same trace and sites resumes from
        it. The file remains when the sweep is done.

    Returns
    -------
    Sweep
        One row per site, in the order of `sites`; the same for any number of workers. With several
        traces, the rows of the first come first.

    Raises
    ------
    SiteError, TraceError, ReplayError
        As in `simulate`, with the number of the site. Without a `journal`, the other replays are
        abandoned; with one, their rows are still written to it.
    WorkerError
        If a batch loses its worker three times.
    ValueError
        For an invalid number of workers, conflicting arguments, or the journal of a different
        sweep.
    """
    sources = sources_of(trace, seeds)
    chosen = list(sites)
    _check_arguments(chosen, workers, executor, keep_results, journal)
    metric_options = MetricOptions(threshold_of(threshold), trim_of(trim))
    with adapter_for(executor, shared_folder, workers, sources) as adapter:

        def compute(some: Sequence[Pair], tell: Callable[[float], object] | None) -> list[Row]:
            return rows_of_pairs(
                adapter, some, metric_options, threads_for(workers), tell, keep_results
            )

        pairs = [(source, site) for source in sources for site in chosen]
        with numbered_in([position % len(chosen) for position in range(len(pairs))]):
            if journal is None:
                rows = compute(pairs, progress)
            else:
                digest = digest_of(sources)
                subject = subject_of(digest, chosen, metric_options, len(sources))
                together = threads_for(workers) if adapter is None else adapter.n_workers
                with Journal.open(journal, subject) as kept:
                    resume(kept, pairs, range(len(pairs)), compute, progress, together)
                    rows = [kept.rows[number] for number in range(len(pairs))]
    results = [
        _result(source.trace(), site, row)
        for (source, site), row in zip(pairs, rows, strict=True)
        if row.schedule
    ]
    return Sweep(
        chosen, [row._replace(schedule=None, places=None) for row in rows], results, sources
    )


def resume(
    kept: Journal,
    sites: Sequence[Item],
    wanted: Iterable[int],
    compute: Callable[[Sequence[Item], Callable[[float], object] | None], list[Row]],
    progress: Callable[[float], object] | None,
    together: int = 1,
) -> None:
    """Compute the `wanted` rows missing from the journal, in chunks of a few seconds each.

    Parameters
    ----------
    sites : sequence
        One item per row: a site, or a pair of source and site.
    wanted : iterable of int
        Positions in `sites`.
    compute : callable
        Takes some of the items and a progress callable, and returns one row per item.
    together : int, default 1
        Number of rows that are computed at the same time. A chunk has fewer rows only if it is
        the last one, or while a failing site is being found.

    Raises
    ------
    SiteError, TraceError, ReplayError
        For the first site that fails, once the rows of all others have been written.
    """
    asked = list(wanted)
    missing = [number for number in asked if number not in kept.rows]
    size = together
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
            if len(chunk) > 1:  # halve the chunk to find the failing site
                size, missing = len(chunk) // 2, chunk + missing
            else:
                first_fault = first_fault or fault
            continue
        kept.add(dict(zip(chunk, rows, strict=True)))
        slowest = max(row.seconds for row in rows)
        size = max(together, min(4 * size, int(_CHUNK_SECONDS / max(slowest, 1e-4))))
    if first_fault is not None:
        raise first_fault


def _result(trace: Trace, site: Site, row: Row) -> Result:
    assert row.schedule is not None
    processors = site.machine_for(trace).count
    return Result(trace, site, row.schedule, processors, row.seconds, row.places)


def _check_arguments(
    sites: Sequence[object],
    workers: object,
    executor: object,
    keep_results: bool,
    journal: object,
) -> None:
    for number, site in enumerate(sites, 1):
        check_site(number, site)
    if not sites:
        raise SiteError("a sweep needs at least one site, but sites is empty; pass one or more")
    check_workers(workers, executor)
    if keep_results and journal is not None:
        raise ValueError(
            "keep_results keeps schedules, which a journal does not store; leave journal out"
        )
