"""Adapters for Dask and Ray, which themselves transport a trace to each worker."""

from __future__ import annotations

import importlib
import types
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from slotwise import extras
from slotwise.executors.adapter import Adapter, ProcessAdapter, ThreadAdapter, key_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from slotwise.executors.packing import Answer
    from slotwise.trace import Trace


def adapter_of(executor: Any, shared_folder: str | os.PathLike[str] | None = None) -> Adapter:
    """Return the adapter for an executor.

    Raises
    ------
    TypeError
        For an object without ``submit``.
    """
    if isinstance(executor, types.ModuleType) and executor.__name__ == "ray":
        return RayAdapter(executor, shared_folder)
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"executor {executor!r} must be a concurrent.futures.Executor, a Dask client, a "
            "submitit executor, the ray module, or an object with submit(function, *arguments)"
        )
    if type(executor).__module__.partition(".")[0] == "distributed":
        distributed = extras.load("distributed")
        is_client = isinstance(executor, distributed.Client)
        return DaskAdapter(executor if is_client else executor._client, shared_folder)
    if isinstance(executor, ThreadPoolExecutor):
        return ThreadAdapter(executor, shared_folder)
    if isinstance(executor, ProcessPoolExecutor):
        return ProcessAdapter(executor, shared_folder)
    return Adapter(executor, shared_folder)


class DaskAdapter(Adapter):
    """A Dask client; Dask itself gives the work of a dead worker to another worker."""

    @property
    def n_workers(self) -> int:
        """Number of workers connected now."""
        return max(1, len(self.executor.scheduler_info(n_workers=-1)["workers"]))

    def submit(self, function: Callable[..., Answer], /, *arguments: Any) -> Any:
        """Start one call; results of equal calls are not reused."""
        return self.executor.submit(function, *arguments, pure=False)

    def wait(self, tasks: Sequence[Any]) -> list[Any]:
        """Block until at least one task is done; return the tasks that are done."""
        distributed = importlib.import_module("distributed")
        try:
            return list(distributed.wait(tasks, return_when="FIRST_COMPLETED").done)
        except distributed.CancelledError:
            # The cluster has dropped some tasks. They count as done; reading their results raises
            # an exception.
            return [task for task in tasks if task.status != "pending"]

    def renew(self) -> None:
        """Send the traces again before the next batch: a lost worker may have had the only copy."""
        if self._given_folder is None:
            self._shared.clear()

    def share(self, trace: Trace) -> tuple[str, Any]:
        """Send the trace once to each worker, or write it to the shared folder if one is given."""
        if self._given_folder is not None:
            return super().share(trace)
        return key_of(trace), self.executor.scatter(trace, broadcast=True, hash=False)


class RayAdapter(Adapter):
    """Adapter for the cluster of ``ray.init``; its object store holds a trace once per node."""

    def __init__(self, executor: Any, shared_folder: str | os.PathLike[str] | None = None) -> None:
        super().__init__(executor, shared_folder)
        self._remote: dict[Any, Any] = {}

    @property
    def n_workers(self) -> int:
        """Number of processors in the cluster."""
        return max(1, int(self.executor.cluster_resources().get("CPU", 1)))

    def submit(self, function: Callable[..., Answer], /, *arguments: Any) -> Any:
        """Start one call, without retries by Ray; `Batches` restarts and counts lost calls."""
        if function not in self._remote:
            self._remote[function] = self.executor.remote(max_retries=0)(function)
        return self._remote[function].remote(*arguments)

    def wait(self, tasks: Sequence[Any]) -> list[Any]:
        """Block until at least one task is done; return the tasks that are done."""
        done: list[Any] = self.executor.wait(list(tasks), num_returns=1)[0]
        return done

    def result(self, task: Any) -> Answer:
        """Return the `Answer` of a finished task; an exception means that its worker is lost."""
        answer: Answer = self.executor.get(task)
        return answer

    def cancel(self, task: Any) -> None:
        """Cancel a task."""
        self.executor.cancel(task)

    def share(self, trace: Trace) -> tuple[str, Any]:
        """Put the trace into the object store, or write it to the shared folder if one is given."""
        if self._given_folder is not None:
            return super().share(trace)
        return key_of(trace), self.executor.put(trace)
