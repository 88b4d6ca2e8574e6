"""Columns of a csv file that are not columns of a trace, and requests given as units."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

NEEDED = "submit,run_time,processors"


def written(folder: Path, names: str, row: str) -> Path:
    path = folder / "a.csv"
    path.write_text(f"{NEEDED},{names}\n0,60,4,{row}\n")
    return path


@pytest.mark.parametrize(
    ("names", "row", "message"),
    [
        ("unitz", "1", r"column 'unitz' \(nearest known name: 'units'\) is not read"),
        ("gpu", "1", r"column 'gpu' \(nearest known name: 'gpus'\) is not read"),
        ("colour", "1", "column 'colour' is not read, because traces have no such column"),
        ("colour,usr", "1,2", r"columns 'colour', 'usr' \(nearest known name: 'user'\) are not"),
    ],
)
def test_a_column_that_is_not_read_is_named_with_the_nearest(
    tmp_path: Path, names: str, row: str, message: str
) -> None:
    with pytest.warns(sw.TraceWarning, match=message):
        assert len(sw.read_csv(written(tmp_path, names, row))) == 1


def test_a_parquet_file_is_warned_of_too(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow as pa
    from pyarrow import parquet

    path = tmp_path / "a.parquet"
    parquet.write_table(
        pa.table({"submit": [0], "run_time": [1], "processors": [1], "usr": [3]}), path
    )
    with pytest.warns(sw.TraceWarning, match=r"column 'usr' \(nearest known name: 'user'\)"):
        sw.read_trace(path)


def test_the_jobs_of_a_result_are_read_without_a_warning(tmp_path: Path) -> None:
    result = sw.simulate(sw.Trace.from_columns([0], [60], [4], max_processors=4, user=["ann"]))
    names = result.jobs.column_names
    text = ",".join(names)
    row = ",".join("0" if name != "processors" else "4" for name in names)
    (tmp_path / "jobs.csv").write_text(f"{text}\n{row}\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(sw.read_csv(tmp_path / "jobs.csv")) == 1


@pytest.mark.parametrize(
    ("names", "row", "message"),
    [
        ("unit_gpus", "1", "has a column 'unit_gpus' but no column 'units', .*: add the column"),
        ("unitz,unit_cores", "1,4", "no column 'units', .*: rename 'unitz', or add the column"),
    ],
)
def test_requests_of_units_need_the_number_of_units(
    tmp_path: Path, names: str, row: str, message: str
) -> None:
    with pytest.raises(sw.TraceError, match=message):
        sw.read_csv(written(tmp_path, names, row))


@pytest.mark.parametrize(
    ("cell", "kilobytes"),
    # 16 GB is 16 x 1024 x 1024 KB.
    [("16GB", 16777216), ("16G", 16777216), ("512MB", 524288), ("2048", 2048)],
)
def test_memory_of_units_may_be_a_size(tmp_path: Path, cell: str, kilobytes: int) -> None:
    path = written(tmp_path, "units,unit_cores,unit_memory", f"1,4,{cell}")
    demands = sw.read_csv(path).demands
    assert demands is not None
    assert demands.each["memory"].tolist() == [kilobytes]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("16Gc", "unit_memory in row 1 is per core or per node"),
        ("a lot", "unit_memory is 'a lot'; it must be a number of KB, or a size, such as 16GB"),
    ],
)
def test_other_memory_is_refused(tmp_path: Path, cell: str, message: str) -> None:
    with pytest.raises(sw.TraceError, match=message):
        sw.read_csv(written(tmp_path, "units,unit_cores,unit_memory", f"1,4,{cell}"))


def test_a_zone_moves_the_dates_of_csv_without_one(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{NEEDED}\n2024-07-01T00:00:00,60,4\n2024-07-01T00:00:05Z,60,4\n")
    # Stockholm is 2 hours ahead of UTC in summer.
    first, zoned = 1719792000 - 7200, 1719792005
    assert sw.read_trace(path, zone="Europe/Stockholm").submit.tolist() == [first, zoned]
    assert sw.read_csv(path).submit.tolist() == [first + 7200, zoned]


def test_a_date_or_a_duration_below_an_empty_cell_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        f"{NEEDED},eligible,wait\n"
        "2024-07-01T00:00:00,60,4,,\n"
        "2024-07-01T00:00:05,90,4,2024-07-01T00:01:00,1-00:00:05\n"
    )
    trace = sw.read_csv(path)
    assert trace.eligible.tolist() == [-1, 1719792060]
    assert trace.wait.tolist() == [-1, 86405]


def test_a_date_before_1990_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{NEEDED}\n2024-07-01,60,4\n1970-01-01T01:00:00,60,4\n")
    with pytest.raises(sw.TraceError, match=r"a.csv:3: submit is 1970-01-01 01:00:00, before 1990"):
        sw.read_trace(path)


def test_dates_as_a_spreadsheet_writes_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{NEEDED}\n7/1/2024,60,4\n7/1/2024 1:00:05 PM,60,4\n")
    assert sw.read_csv(path).submit.tolist() == [1719792000, 1719792000 + 13 * 3600 + 5]
