"""One adapter over any executor: send work, wait for some of it, and share traces."""

from __future__ import annotations

import hashlib
import pickle
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from slotwise.executors.packing import Answer, call, call_packed, pack
from slotwise.executors.shared_trace import share

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from slotwise.trace import Trace

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.001, 0.5
"""Seconds between two polls of tasks that do not report when they end."""


class Adapter:
    """Adapter for an executor that follows the protocol; the base of adapters for other executors.

    Leaving its ``with`` block removes the files that it has written.

    Parameters
    ----------
    executor : Executor
    shared_folder : path-like, optional
        A folder that workers can open under the same path. Default: the executor's own ``folder``,
        as in submitit, or a temporary folder on this machine.
    """

    def __init__(self, executor: Any, shared_folder: str | os.PathLike[str] | None = None) -> None:
        self.executor = executor
        self._given_folder = shared_folder
        self._closing = ExitStack()
        self._folder: Path | None = None
        self._shared: list[tuple[Trace, str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._closing.close()

    @property
    def n_workers(self) -> int:
        """Number of workers; 4 if the executor does not report it."""
        return int(getattr(self.executor, "_max_workers", 0) or 4)

    def bind(self, function: Callable[[Any], Sequence[Any]]) -> Callable[[Any], Any]:
        """Return a function that starts ``function(items)`` as a task that returns an `Answer`.

        The traces that the function uses are shared once, during this call.
        """
        packed = pack(function)
        shared = [self._handle_of(trace) for trace in packed.traces]
        keys = "".join([packed.digest, *(key for key, _ in shared)])
        digest = hashlib.sha256(keys.encode()).hexdigest()

        def begin(items: Any) -> Any:
            data = pack(items)
            if data.traces:
                raise TypeError(
                    "an item of the batch contains a trace; bind the trace to the function instead"
                )
            # The handles are looked up again here, because they may have been replaced after a
            # worker was lost.
            handles = [self._handle_of(trace)[1] for trace in packed.traces]
            return self.submit(call_packed, packed.data, digest, data.data, *handles)

        return begin

    def submit(self, function: Callable[..., Answer], /, *arguments: Any) -> Any:
        """Start one call."""
        return self.executor.submit(function, *arguments)

    def wait(self, tasks: Sequence[Any]) -> list[Any]:
        """Block until at least one task is done; return the tasks that are done."""
        if all(isinstance(task, Future) for task in tasks):
            return list(wait(tasks, return_when=FIRST_COMPLETED).done)
        pause = _SHORTEST_PAUSE
        while not (done := [task for task in tasks if task.done()]):
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return done

    def result(self, task: Any) -> Answer:
        """Return the `Answer` of a finished task; an exception means that its worker is lost."""
        answer: Answer = task.result()
        return answer

    def cancel(self, task: Any) -> None:
        """Cancel a task, if the executor can."""
        cancel = getattr(task, "cancel", None)
        if cancel is not None:
            cancel()

    def renew(self) -> None:
        """If necessary, make the executor usable again after the loss of a worker."""

    def share(self, trace: Trace) -> tuple[str, Any]:
        """Pass a trace to the workers; return its key and the argument that represents it."""
        shared = share(trace, self._folder_of_files())
        return shared.digest, shared

    def _handle_of(self, trace: Trace) -> tuple[str, Any]:
        for known, key, handle in self._shared:
            if known is trace:
                return key, handle
        key, handle = self.share(trace)
        self._shared.append((trace, key, handle))
        return key, handle

    def _folder_of_files(self) -> Path:
        """Return a new folder for the traces; it is removed when the adapter closes."""
        if self._folder is None:
            parent = self._given_folder or getattr(self.executor, "folder", None)
            if parent is not None:
                parent = Path(parent)
                parent.mkdir(parents=True, exist_ok=True)
            made = tempfile.TemporaryDirectory(prefix="slotwise-", dir=parent)
            self._folder = Path(self._closing.enter_context(made))
        return self._folder


class ThreadAdapter(Adapter):
    """Threads of this process, which share the function and its traces."""

    def bind(self, function: Callable[[Any], Sequence[Any]]) -> Callable[[Any], Any]:
        """Return a function that starts ``function(items)``; nothing is copied."""
        return lambda items: self.submit(call, function, items)


class ProcessAdapter(Adapter):
    """A process pool, replaced by an identical one if it breaks because a worker has died."""

    _own_pool: Any = None

    def submit(self, function: Callable[..., Answer], /, *arguments: Any) -> Any:
        """Start one call, on the replacement pool if the original has broken."""
        return (self._own_pool or self.executor).submit(function, *arguments)

    def renew(self) -> None:
        """If the pool is broken, replace it with a new one that has the same settings."""
        pool = self._own_pool or self.executor
        if not getattr(pool, "_broken", True):
            return
        old = self.executor
        self._own_pool = type(old)(
            old._max_workers,
            mp_context=old._mp_context,
            initializer=old._initializer,
            initargs=old._initargs,
        )
        self._closing.callback(self._own_pool.shutdown, wait=True, cancel_futures=True)


def key_of(trace: Trace) -> str:
    """Return the SHA-256 of a whole trace, including its users and header."""
    return hashlib.sha256(pickle.dumps(trace, protocol=pickle.HIGHEST_PROTOCOL)).hexdigest()
