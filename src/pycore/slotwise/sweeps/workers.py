"""Rows for pairs of source and site, computed on an executor or on threads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any

from slotwise._numbers import whole
from slotwise.sweeps.rows import MetricOptions, Row, compute_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from slotwise.executors.adapter import Adapter
    from slotwise.site import Site
    from slotwise.sweeps.sources import Source

    Pair = tuple[Source, Site]


def check_workers(workers: object, executor: object) -> None:
    """Check the number of threads of a sweep.

    Raises
    ------
    ValueError
        For an invalid number, and for a number of threads together with an executor.
    """
    if workers is not None and ((count := whole(workers)) is None or not 1 <= count <= 4096):
        raise ValueError(f"workers is {workers!r}; it must be a number of threads from 1 to 4096")
    if workers is not None and executor is not None:
        raise ValueError(
            "workers and executor cannot be combined; leave workers out, because the executor "
            "has its own"
        )


@contextmanager
def adapter_for(
    executor: Any,
    shared_folder: str | os.PathLike[str] | None,
    workers: int | None,
    sources: Sequence[Source],
) -> Iterator[Adapter | None]:
    """Yield the adapter of an executor; None if the core's own threads replay a single trace.

    Raises
    ------
    ValueError
        For a shared folder without an executor.
    """
    if executor is None and shared_folder is not None:
        raise ValueError("shared_folder requires an executor; pass one, or leave shared_folder out")
    if executor is None and len(sources) == 1:
        yield None
        return
    from slotwise.executors.clusters import adapter_of  # slow to import

    with ExitStack() as closing:
        if executor is None:
            executor = closing.enter_context(ThreadPoolExecutor(threads_for(workers)))
        yield closing.enter_context(adapter_of(executor, shared_folder))


def rows_of_pairs(
    adapter: Adapter | None,
    pairs: Sequence[Pair],
    metric_options: MetricOptions,
    threads: int,
    progress: Callable[[float], object] | None,
    keep_schedules: bool = False,
) -> list[Row]:
    """Compute one row per pair, in their order.

    Raises
    ------
    SiteError, TraceError, ReplayError
        For the first site that fails.
    WorkerError
        If the executor loses a batch three times.
    """
    if adapter is None:
        return compute_rows(
            pairs[0][0].trace(),
            [site for _, site in pairs],
            metric_options,
            workers=threads,
            keep_schedules=keep_schedules,
            progress=progress,
        )
    from slotwise.sweeps.batches import run_on_executor

    groups = [
        (source, [site for _, site in group]) for source, group in groupby(pairs, key=_source_of)
    ]
    return run_on_executor(adapter, groups, metric_options, progress, keep_schedules)


def _source_of(pair: Pair) -> Source:
    return pair[0]


def threads_for(workers: int | None) -> int:
    """Return `workers`, or the number of processors available to this process."""
    if workers is not None:
        return workers
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
