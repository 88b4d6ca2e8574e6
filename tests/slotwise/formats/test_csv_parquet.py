"""Traces in csv and parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.csv_parquet import read_columns
from slotwise.formats.job_files import write_trace

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def trace() -> sw.Trace:
    return sw.generate("lublin", n_jobs=300, processors=64, seed=2)


def test_parquet_gives_back_the_trace_with_its_header(trace: sw.Trace, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    write_trace(trace, tmp_path / "a.parquet")
    back = read_columns(tmp_path / "a.parquet")
    assert back == trace
    assert back.header["Computer"] == trace.header["Computer"]
    assert back.source == str(tmp_path / "a.parquet")


def test_csv_gives_back_the_columns_and_no_machine(trace: sw.Trace, tmp_path: Path) -> None:
    write_trace(trace, tmp_path / "a.csv")
    back = read_columns(tmp_path / "a.csv")
    assert back.max_processors is None
    assert back.content_hash == trace.content_hash
    assert back.user.tolist() == trace.user.tolist()


def test_three_columns_are_enough_and_unknown_ones_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("name,processors,submit,run_time,user\nx,4,10,5,\ny,2,0,1.5,7\n")
    trace = read_columns(path)
    # Sorted by submit; 1.5 s is rounded half up; the empty user is unknown.
    assert trace.submit.tolist() == [0, 10]
    assert trace.run_time.tolist() == [2, 5]
    assert trace.user.tolist() == [7, -1]
    assert trace.report.repaired["decimals_rounded"] == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no column 'submit'"),
        (b"submit,run_time\n1,2\n", "has no column 'processors'"),
        (b"submit,run_time,processors\n", "holds no job"),
        (b"submit,run_time,processors\n1,2\n", ":2: 2 values under 3 names"),
        (b"submit,run_time,processors\n1,2,3\n1,two,3\n", ":3: run_time is 'two'"),
        (b"submit,run_time,processors\n1,2,3\n-1,2,3\n", "submit"),
        (b"\xff\xfe\x00", "no csv file in UTF-8"),
        (b"submit,run_time,processors\n1,%s,3\n" % (b"9" * 30), "run_time"),
    ],
)
def test_files_that_hold_no_trace_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(sw.TraceError) as caught:
        read_columns(path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_files_that_are_no_parquet_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    path.write_text("text")
    with pytest.raises(sw.TraceError, match="no parquet file"):
        read_columns(path)
    with pytest.raises(sw.TraceError, match="cannot be read"):
        read_columns(tmp_path / "none.parquet")
