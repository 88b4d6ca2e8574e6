"""The table of jobs, as Arrow and as NumPy."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any

import numpy as np
import pandas as pd
import pytest

import slotwise as sw
from slotwise import _core

COLUMNS = [
    *("job_id", "submit", "start", "end", "wait", "run_time", "requested_time", "processors"),
    *("state", "backfilled", "user", "group", "executable", "queue", "partition"),
    *("site_queue", "pool", "reject_reason"),
]


@pytest.fixture
def result() -> sw.Result:
    # Job 1 waits for job 0; job 2 is wider than the machine.
    trace = sw.Trace.from_columns(
        [0, 0, 10], [20, 30, 5], [4, 4, 9], user=[1, 2, -1], max_processors=4, job_id=[7, 8, 9]
    )
    return sw.simulate(trace)


def test_jobs_has_a_column_of_each_kind_by_name(result: sw.Result) -> None:
    jobs = result.jobs
    assert jobs.column_names == COLUMNS
    assert len(jobs) == 3
    assert "wait" in jobs
    assert jobs["wait"].tolist() == [0, 20, -1]
    with pytest.raises(KeyError, match="unknown column 'waits'; known names are: job_id"):
        jobs["waits"]


def test_arrow_table_has_the_values_and_nulls_for_missing_ones(result: sw.Result) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(result.jobs)
    assert table.column_names == COLUMNS
    columns = table.to_pydict()
    assert columns["job_id"] == [7, 8, 9]
    assert columns["start"] == [0, 20, None]
    assert columns["wait"] == [0, 20, None]
    assert columns["state"] == ["completed", "completed", "rejected"]
    assert columns["backfilled"] == [False, False, False]
    assert columns["user"] == [1, 2, None]
    assert columns["queue"] == [None, None, None]
    table.validate(full=True)


def test_jobs_keep_the_schedule_states_and_nodes_of_the_log() -> None:
    pa = pytest.importorskip("pyarrow")
    trace = sw.Trace.from_columns(
        [0, 5], [20, 30], [4, 4], wait=[7, -1], state=[1, 2], node_list=[1, -1], energy=[900, -1],
        labels={"state": {1: "COMPLETED", 2: "FAILED"}, "node_list": {1: "n[1-4]"}},
        max_processors=4,
    )  # fmt: skip
    columns = pa.table(sw.simulate(trace).jobs).to_pydict()
    assert columns["start"] == [0, 20]
    # In the log, the first job starts at 0 + 7 and ends 20 s later; the second has no start.
    assert columns["logged_start"] == [7, None]
    assert columns["logged_end"] == [27, None]
    assert columns["logged_state"] == ["COMPLETED", "FAILED"]
    assert columns["state"] == ["completed", "completed"]
    assert columns["node_list"] == ["n[1-4]", None]
    assert columns["energy"] == [900, None]


def test_arrow_schema_is_the_same_for_every_replay(result: sw.Result) -> None:
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema(result.jobs)
    assert schema == pa.table(result.jobs).schema
    runnable = sw.simulate(result.trace[:2], sw.Site(machine=sw.Processors(4)))
    assert pa.schema(runnable.jobs) == schema
    assert schema.field("state").type == pa.dictionary(pa.uint8(), pa.string())


def test_arrow_columns_are_not_copied(result: sw.Result) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(result.jobs)
    for name, column in (("start", result.start), ("submit", result.trace.submit)):
        assert table[name].chunk(0).buffers()[1].address == column.ctypes.data


def test_arrow_table_outlives_the_result() -> None:
    pa = pytest.importorskip("pyarrow")
    submit = np.arange(10_000)
    trace = sw.Trace.from_columns(submit, submit % 50, submit % 4 + 1, max_processors=4)
    result = sw.simulate(trace)
    expected = result.start.tolist()
    table = pa.table(result.jobs)
    del result, trace
    gc.collect()
    assert table["start"].to_pylist() == expected


def test_arrow_bits_are_right_at_every_length() -> None:
    pa = pytest.importorskip("pyarrow")
    for rows in (0, 1, 7, 8, 9, 64, 65):
        values = np.arange(rows, dtype=np.int64)
        values[::3] = -1
        flags = values % 2 == 0
        exported = Exported([("value", values), ("flag", flags)], [])
        table = pa.table(exported)
        assert table["value"].to_pylist() == [None if v < 0 else v for v in values.tolist()]
        assert table["flag"].to_pylist() == flags.tolist()


class Exported:
    def __init__(self, columns: Any, labels: Any) -> None:
        self.columns = _core.ArrowColumns(columns, labels)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.columns.stream()


def test_unused_capsules_release_their_memory() -> None:
    column = np.arange(5)
    before = sys.getrefcount(column)
    columns = _core.ArrowColumns([("value", column)], [])
    stream, schema = columns.stream(), columns.schema()
    del columns
    assert sys.getrefcount(column) > before
    del stream, schema
    gc.collect()
    assert sys.getrefcount(column) == before


@pytest.mark.threads
def test_a_table_released_by_another_thread_frees_its_columns() -> None:
    pa = pytest.importorskip("pyarrow")
    column = np.arange(5)
    before = sys.getrefcount(column)
    held = [pa.table(Exported([("value", column)], []))]
    assert sys.getrefcount(column) > before
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    gc.collect()
    assert sys.getrefcount(column) == before


def test_a_child_can_be_taken_out_of_the_table() -> None:
    pa = pytest.importorskip("pyarrow")
    start = pa.table(Exported([("a", np.arange(3)), ("b", np.arange(3, 6))], []))["b"]
    gc.collect()
    assert start.to_pylist() == [3, 4, 5]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            [("a", np.arange(3)), ("b", np.arange(2))],
            "column b must be contiguous, with one value per",
        ),
        ([("a", np.arange(6)[::2])], "column a must be contiguous, with one value per row"),
        (
            [("a", np.arange(3.0, dtype=np.float32))],
            "column a is neither int64, int32, float64, uint8 nor bool",
        ),
    ],
)
def test_columns_that_arrow_cannot_borrow_are_refused(columns: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.ArrowColumns(columns, [])


def test_polars_takes_the_jobs(result: sw.Result) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(result.jobs)
    assert frame["wait"].to_list() == [0, 20, None]
    assert frame["state"].cast(pl.String).to_list() == ["completed", "completed", "rejected"]
    assert result.jobs.to_polars().equals(frame)


def test_iteration_gives_the_rows_named_by_column(result: sw.Result) -> None:
    # pandas.DataFrame accepts named tuples and takes the column names from their _fields.
    rows = list(result.jobs)
    assert len(rows) == len(result.jobs)
    assert all(isinstance(row, tuple) and row._fields == tuple(COLUMNS) for row in rows)
    named = [dict(zip(row._fields, row, strict=True)) for row in rows]
    assert [row["job_id"] for row in named] == [7, 8, 9]
    assert [row["start"] for row in named] == [0, 20, None]
    assert [row["state"] for row in named] == ["completed", "completed", "rejected"]
    assert [row["user"] for row in named] == [1, 2, None]
    assert [row["backfilled"] for row in named] == [False, False, False]


def test_the_rows_are_those_of_the_arrow_table() -> None:
    # The table has more rows than are converted to Python objects in one batch.
    submit = np.arange(40_000)
    trace = sw.Trace.from_columns(submit, submit % 50, submit % 5 + 1, max_processors=4)
    pools = [sw.Pool("old", 2), sw.Pool("new", 2)]
    jobs = sw.simulate(trace, sw.Site(machine=4, pools=pools)).jobs
    rows = [dict(zip(row._fields, row, strict=True)) for row in jobs]
    assert rows == jobs.to_arrow().to_pylist()


def test_pandas_takes_the_jobs(result: sw.Result) -> None:
    frame = pd.DataFrame(result.jobs)
    assert frame.columns.tolist() == COLUMNS
    assert frame["job_id"].tolist() == [7, 8, 9]
    assert frame["wait"].isna().tolist() == [False, False, True]
    assert frame["wait"].tolist()[:2] == [0, 20]
    assert frame["state"].tolist() == ["completed", "completed", "rejected"]


def test_pandas_takes_a_sweep(result: sw.Result) -> None:
    trace = result.trace
    sites = [sw.Site(policy=sw.Policy(backfill=name)) for name in ("none", "easy")]
    sweep = sw.sweep(trace, sites)
    frame = pd.DataFrame(sweep)
    assert frame.columns.tolist() == sweep.column_names
    assert frame["site"].tolist() == [0, 1]
    assert frame["mean_wait"].tolist() == sweep["mean_wait"].tolist()


def test_to_pandas_gives_the_jobs(result: sw.Result) -> None:
    frame = result.jobs.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame["state"].tolist() == ["completed", "completed", "rejected"]
    assert frame["wait"].isna().tolist() == [False, False, True]


def test_duckdb_takes_the_jobs(result: sw.Result) -> None:
    duckdb = pytest.importorskip("duckdb")
    jobs = result.jobs
    rows = duckdb.sql(
        "select state, count(*), sum(wait) from jobs group by 1 order by 2"
    ).fetchall()
    assert rows == [("rejected", 1, None), ("completed", 2, 20)]
    assert len(jobs) == 3


def test_a_missing_library_is_named_with_the_remedy(
    result: sw.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(sw.MissingExtraError, match="pip install polars"):
        result.jobs.to_polars()
