"""Sweeps on other processes and machines: batches of sites, one trace per worker."""

from __future__ import annotations

import pickle
import tempfile
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise import extras
from slotwise._files import named_in_faults
from slotwise.sweeps.rows import MetricOptions, Row, compute_rows
from slotwise.sweeps.site_numbers import names_site, numbered_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slotwise.site import Site
    from slotwise.trace import Trace

BATCH_SECONDS = 1.0
"""Least work per batch: sending and answering one costs some milliseconds."""

_FIRST_BATCH = 4
_received: dict[str, Trace] = {}
"""The trace of a worker process by content hash; one at a time."""


def _compute_from_file(
    path: str, key: str, sites: list[Site], metric_options: MetricOptions
) -> list[Row]:
    """Replay a batch in a worker process, which reads the trace at its first batch."""
    if key not in _received:
        _received.clear()
        _received[key] = pickle.loads(Path(path).read_bytes())
    return compute_rows(_received[key], sites, metric_options)


def run_on_executor(
    executor: Any,
    trace: Trace,
    sites: Sequence[Site],
    metric_options: MetricOptions,
    progress: Callable[[float], object] | None = None,
) -> list[Row]:
    """Compute one row per site on `executor`, in the order of `sites`.

    Batches grow until one takes `BATCH_SECONDS`. A process pool gets the trace as a file, a Dask
    cluster gets it scattered, and other executors get it with each batch.

    Raises
    ------
    Exceptions of a batch; batches not yet begun are cancelled.
    """
    client = _dask_client(executor)
    if client is not None:
        held = client.scatter(trace, broadcast=True, hash=False)
        return _Batches(
            lambda batch: client.submit(compute_rows, held, batch, metric_options, pure=False),
            n_workers=max(1, len(client.scheduler_info(n_workers=-1)["workers"])),
            wait_for=_wait_dask,
        ).run(sites, progress)
    n_workers = int(getattr(executor, "_max_workers", 0) or 4)
    if not isinstance(executor, ProcessPoolExecutor):
        return _Batches(
            lambda batch: executor.submit(compute_rows, trace, batch, metric_options), n_workers
        ).run(sites, progress)
    with tempfile.TemporaryDirectory(prefix="slotwise-") as folder:
        path = Path(folder, "trace.pickle")
        with named_in_faults(path):
            path.write_bytes(pickle.dumps(trace, protocol=pickle.HIGHEST_PROTOCOL))
        key = trace.content_hash
        return _Batches(
            lambda batch: executor.submit(
                _compute_from_file, str(path), key, batch, metric_options
            ),
            n_workers,
        ).run(sites, progress)


def _dask_client(executor: Any) -> Any:
    """Return the Dask client behind `executor`; None for another kind of executor."""
    module = type(executor).__module__.partition(".")[0]
    if module != "distributed":
        if not hasattr(executor, "submit"):
            raise TypeError(
                f"executor {executor!r}: must be a concurrent.futures.Executor or a Dask client"
            )
        return None
    distributed = extras.load("distributed")
    return executor if isinstance(executor, distributed.Client) else executor._client


def _wait_dask(futures: set[Any]) -> set[Any]:
    import distributed

    done: set[Any] = distributed.wait(futures, return_when="FIRST_COMPLETED").done  # type: ignore[no-untyped-call]
    return done


def _wait_plain(futures: set[Future[list[Row]]]) -> set[Future[list[Row]]]:
    return wait(futures, return_when=FIRST_COMPLETED).done


class _Batches:
    """Sends sites in batches, two per worker at a time, and orders the rows."""

    def __init__(
        self,
        submit: Callable[[list[Site]], Any],
        n_workers: int,
        wait_for: Callable[[set[Any]], set[Any]] = _wait_plain,
    ) -> None:
        self._submit = submit
        self._at_once = 2 * n_workers
        self._n_workers = n_workers
        self._wait = wait_for

    def run(self, sites: Sequence[Site], progress: Callable[[float], object] | None) -> list[Row]:
        rows: list[Row | None] = [None] * len(sites)
        under_way: dict[Any, int] = {}
        size, next_site, done = _FIRST_BATCH, 0, 0
        try:
            while done < len(sites):
                while next_site < len(sites) and len(under_way) < self._at_once:
                    share = max(1, -(-(len(sites) - next_site) // self._n_workers))
                    batch = list(sites[next_site : next_site + min(size, share)])
                    under_way[self._submit(batch)] = next_site
                    next_site += len(batch)
                for future in self._wait(set(under_way)):
                    first = under_way.pop(future)
                    try:
                        with numbered_in(range(first, len(sites))):
                            computed = future.result()
                    except Exception as fault:
                        raise self._first_fault(under_way, first, fault, len(sites)) from None
                    rows[first : first + len(computed)] = computed
                    done += len(computed)
                    mean = sum(row.seconds for row in computed) / len(computed)
                    size = max(size, int(BATCH_SECONDS / max(mean, 1e-6)))
                if progress is not None:
                    progress(done / len(sites))
        finally:
            for future in under_way:
                future.cancel()
        return [row for row in rows if row is not None]

    def _first_fault(
        self, under_way: dict[Any, int], failed: int, fault: Exception, n_sites: int
    ) -> Exception:
        """Wait for the batches before a failed one; return the exception of the first site."""
        earlier = sorted(
            (first, future) for future, first in under_way.items() if first < failed
        ) if names_site(fault) else []  # fmt: skip
        for first, future in earlier:
            try:
                with numbered_in(range(first, n_sites)):
                    future.result()
            except Exception as before:
                return before
        return fault
