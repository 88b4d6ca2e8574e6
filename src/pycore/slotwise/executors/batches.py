"""Items computed in batches on an executor; a lost batch is sent again, up to a limit."""

from __future__ import annotations

import pickle
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise.errors import WorkerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from slotwise.executors.adapter import Adapter

ATTEMPTS = 3
"""Number of times a batch is started; if it is lost each time, the work fails."""

BATCH_SECONDS = 1.0
"""Minimum work per batch, in seconds; sending a batch and its values takes some milliseconds."""

_NOT_SENDABLE = (pickle.PicklingError, TypeError, AttributeError)
"""Exceptions for a function or value that no worker can receive; trying again would not help."""

_FIRST_BATCH = 4
_AHEAD = 2
"""Batches sent per worker at a time, enough to keep it busy."""


class Group(NamedTuple):
    """Items for one function, which takes a list of items and returns one value per item."""

    function: Callable[[Any], Sequence[Any]]
    items: Sequence[Any]


class Done(NamedTuple):
    """A batch that has ended: values of the items from `first` on, or the exception raised."""

    first: int
    n_items: int
    values: Sequence[Any]
    fault: Exception | None


class _Batch(NamedTuple):
    first: int
    begin: Callable[[Any], Any]
    items: Sequence[Any]
    attempt: int = 1


class Batches:
    """Sends groups of items in batches, two per worker at a time.

    Batches grow until one takes `BATCH_SECONDS`. Items are numbered across all groups.

    Attributes
    ----------
    n_lost : int
        Number of batches sent again so far because their worker was lost.
    """

    def __init__(self, adapter: Adapter, largest: int | None = None) -> None:
        self._adapter = adapter
        self._largest = largest
        self._size = min(_FIRST_BATCH, largest or _FIRST_BATCH)
        self._again: deque[_Batch] = deque()
        self._under_way: dict[Any, _Batch] = {}
        self._limit: int | None = None
        self.n_lost = 0

    def stop_behind(self, first: int) -> None:
        """Drop all items from a position onwards; earlier items are still computed."""
        self._limit = first if self._limit is None else min(first, self._limit)
        for task, batch in list(self._under_way.items()):
            if batch.first >= self._limit:
                self._adapter.cancel(task)
                del self._under_way[task]

    def run(self, groups: Iterable[Group]) -> Iterator[Done]:
        """Compute all items; yield each batch when it ends.

        Raises
        ------
        WorkerError
            If a batch is lost `ATTEMPTS` times.
        """
        at_once = _AHEAD * self._adapter.n_workers
        fresh = self._cut(groups)
        try:
            while True:
                while len(self._under_way) < at_once:
                    batch = self._again.popleft() if self._again else next(fresh, None)
                    if batch is None:
                        break
                    if self._limit is None or batch.first < self._limit:
                        self._begin(batch)
                if not self._under_way:
                    return
                for task in self._adapter.wait(list(self._under_way)):
                    ended = self._under_way.pop(task, None)
                    if ended is not None and (done := self._take(task, ended)) is not None:
                        yield done
        finally:
            for task in self._under_way:
                self._adapter.cancel(task)

    def _cut(self, groups: Iterable[Group]) -> Iterator[_Batch]:
        first = 0
        for group in groups:
            begin = self._adapter.bind(group.function)
            at = 0
            while at < len(group.items):
                share = max(1, -(-(len(group.items) - at) // self._adapter.n_workers))
                items = group.items[at : at + min(self._size, share)]
                yield _Batch(first, begin, items)
                at += len(items)
                first += len(items)

    def _begin(self, batch: _Batch) -> None:
        try:
            self._under_way[batch.begin(batch.items)] = batch
        except _NOT_SENDABLE:
            raise
        except Exception as fault:
            self._lose(batch, fault)

    def _take(self, task: Any, batch: _Batch) -> Done | None:
        """Return a batch that has ended, or None if it was lost and will be sent again."""
        try:
            answer = self._adapter.result(task)
        except _NOT_SENDABLE:
            raise
        except Exception as fault:
            self._lose(batch, fault)
            return None
        if answer.fault is not None:
            raised = answer.fault
            if raised.__traceback__ is None and answer.trail:
                raised.__cause__ = RuntimeError(f"in a worker:\n{answer.trail}")
            return Done(batch.first, len(batch.items), (), raised)
        mean = answer.seconds / max(len(batch.items), 1)
        grown = max(self._size, int(BATCH_SECONDS / max(mean, 1e-6)))
        self._size = min(grown, self._largest or grown)
        return Done(batch.first, len(batch.items), answer.values, None)

    def _lose(self, batch: _Batch, fault: Exception) -> None:
        self.n_lost += 1
        last = batch.first + len(batch.items)
        which = f"items {batch.first + 1} to {last}" if len(batch.items) > 1 else f"item {last}"
        if batch.attempt >= ATTEMPTS:
            kind = type(fault).__name__
            raise WorkerError(
                f"{which}: the worker was lost {batch.attempt} times ({kind}: {fault}); give "
                "workers more memory or time, or run these items alone",
                batch.attempt,
            ) from fault
        self._again.append(batch._replace(attempt=batch.attempt + 1))
        self._adapter.renew()


def map_on(
    adapter: Adapter,
    function: Callable[[Any], Sequence[Any]],
    items: Sequence[Any],
    progress: Callable[[float], object] | None = None,
) -> list[Any]:
    """Return one value per item, in the order of the items.

    Parameters
    ----------
    function : callable
        Takes some of the items and returns their values.

    Raises
    ------
    WorkerError, and the exceptions of `function`.
    """
    values: list[Any] = [None] * len(items)
    n_done = 0
    for done in Batches(adapter).run([Group(function, items)]):
        if done.fault is not None:
            raise done.fault
        values[done.first : done.first + done.n_items] = done.values
        n_done += done.n_items
        if progress is not None:
            progress(n_done / len(items))
    return values
