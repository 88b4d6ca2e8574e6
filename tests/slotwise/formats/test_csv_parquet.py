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


def test_csv_gives_back_the_trace_with_its_machine_and_date(
    trace: sw.Trace, tmp_path: Path
) -> None:
    dated = sw.Trace.from_columns(
        trace.submit, trace.run_time, trace.processors, trace.requested_time, user=trace.user,
        max_processors=80, unix_start_time=1_600_000_000,
    )  # fmt: skip
    write_trace(dated, tmp_path / "a.csv")
    back = read_columns(tmp_path / "a.csv")
    assert back.max_processors == 80
    assert back.unix_start_time == 1_600_000_000
    assert back == dated
    assert back.content_hash == trace.content_hash
    assert back.user.tolist() == trace.user.tolist()


def test_csv_of_a_trace_without_machine_has_no_column_for_it(tmp_path: Path) -> None:
    unknown = sw.Trace.from_columns([0], [1], [1])
    write_trace(unknown, tmp_path / "a.csv")
    names = (tmp_path / "a.csv").read_text().splitlines()[0].split(",")
    assert not {"max_processors", "unix_start_time"} & {*names}
    assert read_columns(tmp_path / "a.csv").max_processors is None


@pytest.mark.parametrize(
    ("values", "found"),
    [(("8", "8"), 8), (("", ""), None), (("-1", "-1"), None), (("8.0", "8.0"), 8)],
)
def test_a_machine_is_one_number_in_every_row(
    tmp_path: Path, values: tuple[str, str], found: int | None
) -> None:
    rows = "".join(f"{n},5,1,{value}\n" for n, value in enumerate(values))
    (tmp_path / "a.csv").write_text("submit,run_time,processors,max_processors\n" + rows)
    assert read_columns(tmp_path / "a.csv").max_processors == found


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (("8", "9"), "max_processors is 8 in row 1 and 9 in row 2; it applies to the whole trace"),
        (("8", ""), "max_processors is 8 in row 1 and -1 in row 2"),
        (("8.5", "8.5"), "max_processors is 8.5; it must be a whole number"),
        (("0", "0"), "max_processors is 0; it must be a whole number from 1"),
    ],
)
def test_a_machine_of_two_sizes_is_refused(
    tmp_path: Path, values: tuple[str, str], words: str
) -> None:
    rows = "".join(f"{n},5,1,{value}\n" for n, value in enumerate(values))
    (tmp_path / "a.csv").write_text("submit,run_time,processors,max_processors\n" + rows)
    with pytest.raises(sw.TraceError, match=words):
        read_columns(tmp_path / "a.csv")


def test_three_columns_are_enough_and_unknown_ones_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("name,processors,submit,run_time,user\nx,4,10,5,\ny,2,0,1.5,7\n")
    with pytest.warns(sw.TraceWarning, match="column 'name' is not read"):
        trace = read_columns(path)
    # Rows are sorted by submit time, 1.5 s is rounded half up, and the empty user is unknown.
    assert trace.submit.tolist() == [0, 10]
    assert trace.run_time.tolist() == [2, 5]
    assert trace.user.tolist() == [7, -1]
    assert trace.report.repaired["decimals_rounded"] == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no column 'submit'"),
        (b"submit,run_time\n1,2\n", "has no column 'processors'"),
        (b"submit,run_time,processors\n", "contains no job"),
        (
            b"submit,run_time,processors\n1,2\n",
            ":2: 2 values, but 3 column names; give every row one value per column",
        ),
        (b"submit,run_time,processors\n1,2,3\n1,two,3\n", ":3: run_time is 'two'"),
        (b"submit,run_time,processors\n1,2,3\n-1,2,3\n", "submit"),
        (b"\xff\xfe\x00", "contains NUL bytes and is not plain text"),
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
    with pytest.raises(sw.TraceError, match="is not a parquet file"):
        read_columns(path)
    with pytest.raises(sw.TraceError, match="cannot be read"):
        read_columns(tmp_path / "none.parquet")
