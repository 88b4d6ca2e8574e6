"""Cells computed on threads or in processes, each handed over as it is finished."""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_AHEAD = 2
"""Cells handed out a worker: enough that none waits, few enough that an interruption ends soon."""


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
        The keywords of each, by key.
    workers : int
    processes : bool
        Processes instead of threads.
    keep : callable
        Takes key, value, and how many cells are left, in the calling thread.

    Raises
    ------
    What a cell or `keep` raises, and KeyboardInterrupt; cells under way are finished and kept.
    """
    waiting = list(cells)[::-1]
    under_way: dict[Future[Any], str] = {}
    left = len(cells)
    with _executor(workers, processes) as executor:
        try:
            while waiting or under_way:
                while waiting and len(under_way) < _AHEAD * workers:
                    key = waiting.pop()
                    under_way[executor.submit(function, **cells[key])] = key
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    value = future.result()
                    left -= 1
                    keep(under_way[future], value, left)
                    del under_way[future]  # not before it is kept: an interruption may come between
        finally:
            begun = [future for future in under_way if not future.cancel()]
            for future in wait(begun).done:
                if future.exception() is None:
                    left -= 1
                    keep(under_way[future], future.result(), left)


def _executor(workers: int, processes: bool) -> Executor:
    if not processes:
        return ThreadPoolExecutor(workers)
    return ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("spawn"),
        signal.signal,
        (signal.SIGINT, signal.SIG_IGN),  # control-C is for the process that keeps the cells
    )
