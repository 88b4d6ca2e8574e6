"""Columns written by other programs, and columns that no trace can hold."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.formats.csv_parquet import read_columns
from slotwise.formats.job_files import HEADER_KEY, write_trace

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "submit,run_time,processors\n"


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([10**400, 1], r"submit\[0\] is 1000.*does not fit into 64 bits"),
        ([1, -(10**400)], r"submit\[1\] is -1000.*does not fit into 64 bits"),
        ([10**5000, 1], r"submit\[0\] is a value too large to be shown"),
        ([Fraction(10**400, 3), 1], r"submit\[0\] is Fraction.*does not fit into 64 bits"),
        (
            np.array([1, 2], "m8[s]"),
            r"submit\[0\] is 1 seconds \(timedelta64\[s\]\); a column must contain",
        ),
        (
            np.array([1, 2], "M8[s]"),
            r"submit\[0\] is 1970.* \(datetime64\[s\]\); a column must contain",
        ),
        (np.array([1, np.inf], np.float16), r"submit\[1\] is inf; it must be a finite number"),
    ],
)
def test_columns_other_than_64_bit_numbers_are_refused(values: Any, told: str) -> None:
    with pytest.raises(sw.TraceError, match=told):
        sw.Trace.from_columns(values, [1, 1], [1, 1])


def csv_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("1_0", "run_time is '1_0'; it must be a number"),
        ("\u0661\u0660", "run_time is '\u0661\u0660'; it must be a number"),
        ("0x10", "run_time is '0x10'; it must be a number"),
        ("9" * 5000, "run_time has 5,000 characters"),
        ("0" * 401, "run_time has 401 characters"),
    ],
)
def test_csv_accepts_the_same_forms_of_numbers_as_swf(
    tmp_path: Path, value: str, told: str
) -> None:
    path = csv_of(tmp_path, HEAD + f"0,1,1\n\n0,{value},1\n")
    with pytest.raises(sw.TraceError) as raised:
        read_columns(path)
    assert f"{path}:4: {told}" in str(raised.value)  # the empty line counts as a line


def test_numbers_of_every_form_are_read_from_a_csv_file(tmp_path: Path) -> None:
    rows = ["0,1,1", "1,+2,1", "2, 3. ,1", "3,.5,1", "4,1e1,1", f"5,{'0' * 399}7,1"]
    trace = read_columns(csv_of(tmp_path, HEAD + "\n".join(rows) + "\n"))
    assert trace.run_time.tolist() == [1, 2, 3, 1, 10, 7]  # .5 is rounded up to 1


def test_columns_of_many_chunks_stay_exact_unless_one_has_a_decimal(tmp_path: Path) -> None:
    # A double cannot hold 2^53 + 1; NumPy would round it if any chunk contained a decimal number.
    memory = 2**53 + 1
    rows = [f"{i},1,1,{memory}" for i in range(20_000)]
    trace = read_columns(
        csv_of(tmp_path, "submit,run_time,processors,cpu_time\n" + "\n".join(rows))
    )
    assert set(trace.cpu_time.tolist()) == {memory}
    rows[-1] = "20000,1.5,1,1.5"
    trace = read_columns(
        csv_of(tmp_path, "submit,run_time,processors,cpu_time\n" + "\n".join(rows))
    )
    assert set(trace.cpu_time.tolist()) == {2**53, 2}


def test_one_long_field_is_refused_with_its_length(tmp_path: Path) -> None:
    path = csv_of(tmp_path, HEAD + "0,1,1\n" * 50_000 + f"0,1,{'0' * 100_000}1\n")
    with pytest.raises(sw.TraceError, match=r"a\.csv:50002: processors has 100,001 characters"):
        read_columns(path)


def test_an_endless_csv_line_is_refused(tmp_path: Path) -> None:
    path = csv_of(tmp_path, HEAD + "0,1,1\n" + "," * (2 << 20))
    with pytest.raises(sw.TraceError, match=r"a\.csv:3: the line has more than 1048576 bytes"):
        read_columns(path)


def parquet_of(tmp_path: Path, metadata: dict[bytes, bytes] | None = None, **columns: Any) -> Path:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    given = {"submit": [0, 1], "run_time": [5, 6], "processors": [1, 2]} | columns
    table = pa.table(given).replace_schema_metadata(metadata)
    pq.write_table(table, tmp_path / "a.parquet")
    return tmp_path / "a.parquet"


@pytest.mark.parametrize("kind", ["uint8", "uint16", "uint32", "uint64", "int8", "float16"])
def test_numbers_of_every_type_are_read_from_parquet(tmp_path: Path, kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    column = pa.array([1, 2]).cast(kind)
    nulls = pa.array([7, None]).cast(kind)
    trace = read_columns(
        parquet_of(tmp_path, submit=column, run_time=column, processors=column, user=nulls)
    )
    assert trace.submit.tolist() == trace.processors.tolist() == [1, 2]
    assert trace.user.tolist() == [7, -1]


def test_a_parquet_column_of_nulls_alone_is_unknown(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    assert read_columns(parquet_of(tmp_path, user=pa.nulls(2))).user.tolist() == [-1, -1]


@pytest.mark.parametrize("kind", ["duration[s]", "timestamp[ms]", "string", "date32[day]", "bool"])
def test_parquet_columns_without_numbers_are_refused_by_name(tmp_path: Path, kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    whole = pa.array([1, 2], pa.int32())
    kinds = {"duration[s]": pa.duration("s"), "timestamp[ms]": pa.timestamp("ms")}
    wanted = kinds.get(kind) or {"string": pa.string(), "bool": pa.bool_()}.get(kind, pa.date32())
    column = (whole if "date" in kind or kind in ("string", "bool") else whole.cast("int64")).cast(
        wanted
    )
    with pytest.raises(sw.TraceError) as raised:
        read_columns(parquet_of(tmp_path, run_time=column))
    assert f"a.parquet: run_time has the type {kind}; a column must contain numbers" in str(
        raised.value
    )


def test_parquet_numbers_too_large_and_columns_given_twice_are_refused(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    large = pa.array([None, 2**64 - 1], pa.uint64())
    with pytest.raises(sw.TraceError, match="user has nulls and a number that is too large"):
        read_columns(parquet_of(tmp_path, user=large))
    names = ["submit", "run_time", "processors", "submit"]
    pq.write_table(pa.Table.from_arrays([pa.array([1])] * 4, names=names), tmp_path / "b.parquet")
    with pytest.raises(
        sw.TraceError, match=r"b\.parquet: the file has 2 columns 'submit'; keep one"
    ):
        read_columns(tmp_path / "b.parquet")


def test_parquet_metadata_outside_utf8_is_read_as_in_a_log(tmp_path: Path) -> None:
    kept = {HEADER_KEY: b"; Computer: M\xfcnchen\r\n; Note: x\n", b"\xff": b"\xfe"}
    trace = read_columns(parquet_of(tmp_path, kept))
    assert dict(trace.header) == {"Computer": "M\xfcnchen", "Note": "x"}


@pytest.mark.parametrize("mark", [b"\x85", b"\xe2\x80\xa8", b"\x0c", b"\x0b", b"\x1c", b"\x1e"])
def test_comments_written_by_convert_are_read_back(tmp_path: Path, mark: bytes) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "l.swf").write_bytes(
        b"; MaxProcs: 8\n; Note: wait" + mark + b" what\n"
        b"1 0 0 50 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"
    )
    trace = sw.read_swf(tmp_path / "l.swf")
    write_trace(trace, tmp_path / "l.parquet")
    assert read_columns(tmp_path / "l.parquet") == trace
