"""Tables in Parquet files: same rows, bounded memory, and reused files."""

from __future__ import annotations

import tracemalloc
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise_workers import PlainExecutor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pa = pytest.importorskip("pyarrow", reason="needs pip install 'slotwise[parquet]'")

SITES = [
    sw.Site(policy=sw.Policy(order=order, backfill=backfill))
    for order in ("fcfs", "sjf", "saf")
    for backfill in ("none", "easy")
]


def drawn(seed: int) -> sw.Trace:
    return sw.generate("lublin", n_jobs=200, processors=32, seed=seed)


def table_of(shards: sw.SweepShards) -> Any:
    return pa.concat_tables(list(shards.tables()), promote_options="default").to_pylist()


@pytest.mark.parametrize("elsewhere", [False, True])
def test_rows_are_those_of_a_sweep(elsewhere: bool, tmp_path: Path) -> None:
    executor = PlainExecutor() if elsewhere else None
    told: list[int] = []
    shards = sw.sweep_shards(
        drawn, SITES, tmp_path, seeds=[5, 2], rows_per_file=5, executor=executor,
        progress=told.append,
    )  # fmt: skip
    whole = sw.sweep(drawn, SITES, seeds=[5, 2])
    rows = table_of(shards)
    assert (len(shards), len(rows)) == (12, 12)
    assert [path.name for path in shards.paths] == [f"rows-{n:06}.parquet" for n in range(3)]
    assert told == [5, 10, 12]
    for number, row in enumerate(rows):
        assert (row["trace"], row["seed"], row["site"]) == ("", [5, 2][number // 6], number % 6)
        metrics = whole.row(number)
        assert {name: row[name] for name in metrics} == metrics
    best = shards.best("mean_wait")
    assert best["mean_wait"] == min(row["mean_wait"] for row in rows)
    most = shards.best("mean_wait", largest=True)
    assert most["mean_wait"] == max(row["mean_wait"] for row in rows)


def test_complete_files_are_kept_and_missing_ones_computed(tmp_path: Path) -> None:
    traces = {"a": drawn(1), "b": drawn(2)}
    first = sw.sweep_shards(traces, SITES, tmp_path, rows_per_file=4)
    before = {path: path.stat().st_mtime_ns for path in first.paths}
    first.paths[1].unlink()
    again = sw.sweep_shards(traces, SITES, tmp_path, rows_per_file=4)
    after = {path: path.stat().st_mtime_ns for path in again.paths}
    assert [before[path] == after[path] for path in first.paths] == [True, False, True]
    names = [row["trace"] for row in table_of(again)]
    assert names == ["a"] * 6 + ["b"] * 6
    with pytest.raises(ValueError, match=r"rows-000000\.parquet contains rows from another sweep"):
        sw.sweep_shards(traces, SITES[1:], tmp_path, rows_per_file=4)
    first.paths[0].write_bytes(b"PAR1 cut")
    with pytest.raises(ValueError, match="contains rows from another sweep"):
        sw.sweep_shards(traces, SITES, tmp_path, rows_per_file=4)


def test_files_of_the_same_jobs_of_other_users_are_refused(tmp_path: Path) -> None:
    columns = ([0, 0], [10, 10], [1, 1])
    of_one = sw.Trace.from_columns(*columns, max_processors=4, user=[1, 1])
    of_two = sw.Trace.from_columns(*columns, max_processors=4, user=[1, 2])
    site = sw.Site(limits=sw.Limits(running_per_user=1))
    # If both jobs belong to one user, the second waits 10 s for the first.
    assert sw.sweep_shards(of_one, [site], tmp_path).best("mean_wait")["mean_wait"] == 5
    with pytest.raises(ValueError, match="contains rows from another sweep"):
        sw.sweep_shards(of_two, [site], tmp_path)


def test_memory_holds_one_file_of_rows(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([0, 1], [5, 5], [1, 1], max_processors=1)

    def peak(n_rows: int) -> int:
        tracemalloc.start()
        sites = islice(cycle(SITES), n_rows)
        shards = sw.sweep_shards(trace, sites, tmp_path / str(n_rows), 1, rows_per_file=200)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(shards) == n_rows
        return size

    peak(200)  # imports
    # With twenty times the rows, in files of 200 rows, the peak memory less than doubles.
    assert peak(8000) < 2 * peak(400)


def test_a_site_that_fails_is_named_and_earlier_files_stay(tmp_path: Path) -> None:
    bad = sw.Site(policy=sw.Policy(order={"name": "expression", "key": "0/0*submit"}))
    with pytest.raises(sw.ReplayError, match=r"^site 7 of the sweep: order"):
        sw.sweep_shards(drawn(1), [*SITES, bad], tmp_path, rows_per_file=4)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["rows-000000.parquet"]


@pytest.mark.parametrize("workers", [0, -1, "2", 1.5])
def test_impossible_workers_are_refused_as_by_a_sweep(workers: Any, tmp_path: Path) -> None:
    message = "workers is .*; it must be a number of threads from 1 to 4096"
    with pytest.raises(ValueError, match=message):
        sw.sweep_shards(drawn(1), SITES, tmp_path / "new", workers)
    assert not (tmp_path / "new").exists()


def test_workers_and_an_executor_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="workers and executor cannot be combined"):
        sw.sweep_shards(drawn(1), SITES, tmp_path, 2, executor=PlainExecutor())


def test_impossible_arguments_are_refused(tmp_path: Path) -> None:
    def generated() -> Iterator[sw.Site]:
        yield from SITES

    with pytest.raises(ValueError, match="sites is a generator, which can be read only once"):
        sw.sweep_shards(drawn, generated(), tmp_path, seeds=[1, 2])
    assert len(sw.sweep_shards(drawn, generated, tmp_path, seeds=[1, 2])) == 12
    with pytest.raises(ValueError, match="rows_per_file is 0"):
        sw.sweep_shards(drawn(1), SITES, tmp_path, rows_per_file=0)
    wrong: Any = ["easy"]
    with pytest.raises(TypeError, match="site 1 of the sweep is 'easy'"):
        sw.sweep_shards(drawn(1), wrong, tmp_path / "b")


def test_a_sweep_of_no_sites_is_refused_and_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError, match="needs at least one site, but sites is empty"):
        sw.sweep_shards(drawn(1), [], tmp_path / "none")
    assert not (tmp_path / "none").exists()
