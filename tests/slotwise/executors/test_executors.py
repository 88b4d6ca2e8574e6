"""Executors that follow the protocol: same rows, traces sent only once, and workers that die."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.executors import Executor, Task
from slotwise.executors.batches import ATTEMPTS, Batches, Group, map_on
from slotwise.executors.clusters import adapter_of
from slotwise_workers import PlainExecutor, PlainTask, die_while, raise_odd, raise_plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TRACE = sw.generate("lublin", n_jobs=3000, processors=64, seed=5)
SITES = [
    sw.Site(policy=sw.Policy(order=order, backfill=backfill))
    for order in ("fcfs", "sjf", "saf", "wfp3")
    for backfill in ("none", "first-fit", "easy")
]
EXPECTED = [sw.simulate(TRACE, site).metrics() for site in SITES]


def rows_of(sweep: sw.Sweep) -> list[dict[str, float]]:
    return [sweep.row(number) for number in range(len(sweep))]


def test_the_protocol_is_submit_result_and_done() -> None:
    assert isinstance(PlainExecutor(), Executor)
    assert isinstance(PlainTask(int, ()), Task)
    assert not isinstance(object(), Executor)
    with ThreadPoolExecutor(1) as pool:
        assert isinstance(pool, Executor)
        assert isinstance(pool.submit(int), Task)


def test_an_executor_with_the_least_protocol_gives_the_same_rows() -> None:
    seen: list[float] = []
    assert (
        rows_of(sw.sweep(TRACE, SITES, executor=PlainExecutor(), progress=seen.append)) == EXPECTED
    )
    assert seen[-1] == 1


def test_no_batch_carries_the_trace(tmp_path: Path) -> None:
    executor = PlainExecutor()
    sw.sweep(TRACE, SITES * 3, executor=executor, shared_folder=tmp_path)
    assert len(executor.sizes) > 2
    # The trace of 3000 jobs has at least four columns of eight bytes per job. A site takes only a
    # few hundred bytes.
    assert max(executor.sizes) < 30_000 < len(pickle.dumps(TRACE))
    assert list(tmp_path.iterdir()) == []  # the file is removed with its folder


def test_a_trace_is_written_once_to_the_shared_folder(tmp_path: Path) -> None:
    found: list[list[Path]] = []

    def look(_part: float) -> None:
        found.append(sorted(tmp_path.rglob("*.trace")))

    sw.sweep(TRACE, SITES, executor=PlainExecutor(), shared_folder=tmp_path, progress=look)
    assert {len(files) for files in found} == {1}
    assert len({files[0] for files in found}) == 1


def test_a_log_is_read_from_its_own_path(tmp_path: Path) -> None:
    log, folder = tmp_path / "log.swf", tmp_path / "shared"
    sw.write_swf(TRACE, log)
    trace = sw.read_trace(log)
    written: list[Path] = []

    def look(_part: float) -> None:
        written.extend(folder.rglob("*.trace"))

    sweep = sw.sweep(trace, SITES, executor=PlainExecutor(), shared_folder=folder, progress=look)
    assert rows_of(sweep) == [sw.simulate(trace, site).metrics() for site in SITES]
    assert written == []
    # A trace with a changed column is a different trace, although its jobs and its path are the
    # same.
    other = trace.with_columns(user=trace.user + 1)
    sw.sweep(other, SITES, executor=PlainExecutor(), shared_folder=folder, progress=look)
    assert written != []


def test_a_file_that_changes_or_disappears_is_a_typed_error(tmp_path: Path) -> None:
    log = tmp_path / "log.swf"
    trace = sw.read_trace(_written(log, seed=8))

    class Vandal(PlainExecutor):
        def submit(self, *arguments: Any) -> Any:
            log.write_text(log.read_text() + "; more\n")
            return super().submit(*arguments)

    with pytest.raises(sw.WorkerError, match=r"log\.swf has changed since the work began"):
        sw.sweep(trace, SITES, executor=Vandal())

    class Thief(PlainExecutor):
        def submit(self, *arguments: Any) -> Any:
            log.unlink(missing_ok=True)
            return super().submit(*arguments)

    trace = sw.read_trace(_written(log, seed=9))
    with pytest.raises(sw.WorkerError, match=r"cannot read the trace .*set shared_folder="):
        sw.sweep(trace, SITES, executor=Thief())


def _written(log: Path, seed: int) -> Path:
    sw.write_swf(sw.generate("lublin", n_jobs=50, processors=64, seed=seed), log)
    return log


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_process_pools_begin_by_any_method(method: str) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        assert rows_of(sw.sweep(TRACE, SITES, executor=pool)) == EXPECTED


@pytest.fixture
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as made:
        yield made


def test_a_worker_that_dies_is_a_counted_retry(pool: ProcessPoolExecutor, tmp_path: Path) -> None:
    count = tmp_path / "deaths"
    count.touch()
    with adapter_of(pool) as adapter:
        batches = Batches(adapter, largest=4)
        function = partial(die_while, str(count), ATTEMPTS - 1)
        done = list(batches.run([Group(function, list(range(8)))]))
    assert sorted(value for each in done for value in each.values) == [2 * n for n in range(8)]
    assert count.read_text() == "xx"
    # When a worker dies, the pool breaks, and every batch in progress is lost: one or two per
    # worker.
    assert ATTEMPTS - 1 <= batches.n_lost <= 2 * 2 * (ATTEMPTS - 1)


def test_a_worker_that_dies_each_time_is_a_typed_error(
    pool: ProcessPoolExecutor, tmp_path: Path
) -> None:
    count = tmp_path / "deaths"
    count.touch()
    with adapter_of(pool) as adapter, pytest.raises(sw.WorkerError, match="lost 3 times") as raised:
        map_on(adapter, partial(die_while, str(count), 99), [3])
    assert raised.value.attempts == ATTEMPTS == 3
    assert count.read_text() == "xxx"
    assert str(raised.value).startswith("item 1: the worker was lost 3 times (BrokenProcessPool")


def test_a_sweep_survives_losses_and_counts_them() -> None:
    executor = PlainExecutor(losses=2)
    assert rows_of(sw.sweep(TRACE, SITES, executor=executor)) == EXPECTED
    with pytest.raises(sw.WorkerError, match=r"OSError: the node went down"):
        sw.sweep(TRACE, SITES, executor=PlainExecutor(losses=10**6))


def test_an_executor_that_is_shut_down_is_a_typed_error() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(sw.WorkerError, match="cannot schedule new futures after shutdown"):
        sw.sweep(TRACE, SITES, executor=pool)


def test_exceptions_of_a_function_are_not_retried(pool: ProcessPoolExecutor) -> None:
    with adapter_of(pool) as adapter:
        with pytest.raises(LookupError, match="no weights") as raised:
            map_on(adapter, raise_plain, [1])
        assert "raise_plain" in str(raised.value.__cause__)
        with pytest.raises(sw.WorkerError, match="raised OddError: 1 and 2"):
            map_on(adapter, raise_odd, [1])
        # The pool still works after the errors.
        assert map_on(adapter, partial(sorted, reverse=False), [1, 2]) == [1, 2]


def test_whole_results_come_back_from_workers() -> None:
    sweep = sw.sweep(TRACE, SITES[:3], executor=PlainExecutor(), keep_results=True)
    for site, result in zip(SITES, sweep.results, strict=False):
        assert (result.start == sw.simulate(TRACE, site).start).all()


def test_the_first_site_that_fails_is_named() -> None:
    bad = sw.Site(policy=sw.Policy(order={"name": "expression", "key": "0/0*submit"}))
    with pytest.raises(sw.ReplayError, match=r"^site 4 of the sweep: order expression"):
        sw.sweep(TRACE, [*SITES[:3], bad, *SITES, bad], executor=PlainExecutor())
    with pytest.raises(ValueError, match="shared_folder requires an executor"):
        sw.sweep(TRACE, SITES, shared_folder=".")
