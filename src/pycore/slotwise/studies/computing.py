"""Computes cells in threads or processes, and stores each cell as soon as it is finished."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from slotwise.executors.batches import Batches, Group
from slotwise.executors.clusters import adapter_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from multiprocessing.process import BaseProcess

_GRACE = 2.0
"""Seconds allowed for worker processes to finish their cells after an interruption."""

_AHEAD = 2
"""Number of cells assigned to a worker at once; more would delay the end of an interrupted run."""


def compute(
    function: Callable[..., Any],
    cells: Mapping[str, Mapping[str, Any]],
    workers: int,
    processes: bool,
    keep: Callable[[str, Any, int], object],
) -> None:
    """Compute ``function(**cell)`` for every cell.

    Parameters
    ----------
    cells : mapping of str to mapping
        Keyword arguments for each cell, by key.
    workers : int
    processes : bool
        True: use processes instead of threads.
    keep : callable
        Called in the calling thread with the key, the value and the number of cells left.

    Raises
    ------
    Exceptions raised by a cell or by `keep`, and KeyboardInterrupt. Cells in progress are finished
    and stored; after an interruption, worker processes have `_GRACE` seconds for this.
    """
    waiting = list(cells)[::-1]
    others = multiprocessing.active_children()
    under_way: dict[Future[Any], str] = {}
    left = len(cells)
    with _executor(workers, processes) as executor:
        try:
            while waiting or under_way:
                while waiting and len(under_way) < _AHEAD * workers:
                    key = waiting.pop()
                    with _signals_kept_from_children():
                        under_way[executor.submit(function, **cells[key])] = key
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    value = future.result()
                    left -= 1
                    keep(under_way[future], value, left)
                    # The future is removed last; otherwise an interruption could lose its value.
                    del under_way[future]
        except BaseException as fault:
            ended = isinstance(fault, KeyboardInterrupt) and isinstance(
                executor, ProcessPoolExecutor
            )
            # When worker processes are interrupted, no future is cancelled, because a cancelled
            # future cannot report that its process died.
            begun = [future for future in under_way if ended or not future.cancel()]
            try:
                for future in wait(begun, timeout=_GRACE if ended else None).done:
                    if future.exception() is None:
                        left -= 1
                        keep(under_way[future], future.result(), left)
            finally:
                if ended:
                    for process in multiprocessing.active_children():
                        if process not in others:
                            process.kill()
            raise


@contextmanager
def _signals_kept_from_children() -> Iterator[None]:
    """Start child processes with termination signals blocked.

    A signal from a terminal, or to a process group, reaches every process. The children must ignore
    it, because the process that stores the cells ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def compute_on(
    executor: Any,
    shared_folder: str | os.PathLike[str] | None,
    function: Callable[..., Any],
    cells: Mapping[str, Mapping[str, Any]],
    keep: Callable[[str, Any, int], object],
) -> None:
    """Compute ``function(**cell)`` for every cell on a user's executor, as `compute` does locally.

    Each trace that `function` uses is sent to each worker once.

    Raises
    ------
    Exceptions raised by a cell or by `keep`; WorkerError if a cell is lost three times.
    """
    keys = list(cells)
    left = len(keys)
    with adapter_of(executor, shared_folder) as adapter:
        batches = Batches(adapter, largest=1)  # each cell is kept as soon as it is finished
        values = partial(_values, function)
        for done in batches.run([Group(values, [dict(cells[key]) for key in keys])]):
            if done.fault is not None:
                raise done.fault
            left -= 1
            keep(keys[done.first], done.values[0], left)


def _values(function: Callable[..., Any], cells: Sequence[Mapping[str, Any]]) -> list[Any]:
    return [function(**cell) for cell in cells]


def _executor(workers: int, processes: bool) -> Executor:
    if not processes:
        return ThreadPoolExecutor(workers)
    return ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("spawn"),
        _begin_process,
    )


def _begin_process() -> None:
    """Ignore interruptions, which the parent process handles, and exit when the parent ends.

    If the parent were killed, workers would otherwise wait for new cells forever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for systems that cannot block signals
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
