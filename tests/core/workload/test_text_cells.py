"""Cells of text files: durations, dates, sizes, job numbers, and unusual records."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

import slotwise as sw
from slotwise._core import TableReader, read_cell
from slotwise.formats.text.raw_columns import MISSING, UNREADABLE

GB = 1 << 20
"""Kilobytes in one gigabyte."""


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1-02:03:04", 93784), ("02:03:04", 7384), ("03:04", 184), ("03:04.500", 185),
        ("03:04.499", 184), ("2-3", 183600), ("2-3:30", 185400), ("90", 90), ("1.5", 2),
        ("-5", -5), ("100:00:00", 360000), ("", UNREADABLE), ("1:2:3:4", UNREADABLE),
        ("-1:00", UNREADABLE), ("1-", UNREADABLE), ("a", UNREADABLE), ("1:.5:3", UNREADABLE),
        ("1.5:00", UNREADABLE),
    ],
)  # fmt: skip
def test_durations(text: str, seconds: int) -> None:
    assert read_cell("duration", text) == seconds


def test_a_bare_number_may_be_minutes() -> None:
    assert read_cell("duration", "90", 60.0) == 5400
    assert read_cell("duration", "0:90", 60.0) == 90


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-02-29T23:59:59", (2024, 2, 29, 23, 59, 59)),
        ("2024-02-29 23:59:59.999", (2024, 2, 29, 23, 59, 59)),
        ("2024-02-29T23:59", (2024, 2, 29, 23, 59)),
        ("2024/03/01", (2024, 3, 1)),
        ("03/01/2024 01:02:03", (2024, 3, 1, 1, 2, 3)),
        ("3/1/2024", (2024, 3, 1)),
        ("3/01/2024 1:02", (2024, 3, 1, 1, 2)),
        ("3/1/2024 12:00 AM", (2024, 3, 1)),
        ("03/1/2024 12:30:00PM", (2024, 3, 1, 12, 30)),
        ("3/1/2024 1:02:03 pm +0100", (2024, 3, 1, 12, 2, 3)),
        ("2024-03-01T01:00:00+0130", (2024, 2, 29, 23, 30)),
        ("2024-03-01T01:00:00-05:00", (2024, 3, 1, 6)),
        ("2024-03-01T01:00:00Z", (2024, 3, 1, 1)),
        ("1900-03-01T00:00:00", (1900, 3, 1)),
        ("2000-12-31T24:00:00", (2001, 1, 1)),
    ],
)
def test_dates(text: str, date: tuple[int, ...]) -> None:
    moment = datetime(*date, tzinfo=UTC)  # type: ignore[arg-type,misc]
    assert read_cell("instant", text) == int(moment.timestamp())


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1700000000", 1700000000), ("1700000000.9", 1700000000),
        ("1700000000999", 1700000000), ("1700000000999999", 1700000000), ("0", 0),
        ("2023-02-29T00:00:00", UNREADABLE), ("1900-02-29", UNREADABLE),
        ("2024-01-01T25:00:00", UNREADABLE), ("2024-01-01Tx", UNREADABLE),
        ("2024-01-01T00:00:00+", UNREADABLE), ("0000-01-01", UNREADABLE),
        ("13/01/2024", UNREADABLE), ("1/2/24", UNREADABLE), ("1/2/2024 13:00 PM", UNREADABLE),
        ("1//2/2024", UNREADABLE), ("123/1/2024", UNREADABLE), ("1/123/2024", UNREADABLE),
        ("1/2/2024 0:00 AM", UNREADABLE), ("2024-01-01T1:00:00", UNREADABLE),
        ("inf", UNREADABLE), ("1e300", UNREADABLE),
    ],
)  # fmt: skip
def test_seconds_since_the_epoch_and_dates_that_are_none(text: str, seconds: int) -> None:
    assert read_cell("instant", text) == seconds


@pytest.mark.parametrize(
    ("text", "kilobytes"),
    [
        ("2800Mc", 2800 * 1024), ("16Gn", 16 * GB), ("512G", 512 * GB), ("15240kb", 15240),
        ("1.5T", 1536 * GB), ("2048b", 2), ("12.27M", 12564), ("4GiB", 4 * GB), ("7", 7),
        ("-1", UNREADABLE), ("G", UNREADABLE), ("1X", UNREADABLE), ("", UNREADABLE),
    ],
)  # fmt: skip
def test_sizes(text: str, kilobytes: int) -> None:
    assert read_cell("size", text) == kilobytes  # 12.27 MB is 12,564.48 KB


def read(text: bytes, *rules: dict[str, Any], **dialect: Any) -> dict[str, Any]:
    given = {
        "delimiter": ",", "has_quotes": True, "comment": "", "skipped_records": 0, "fields": 0,
        "last_takes_rest": False, "longest_line": 100, "hashes_lines": False,
    }  # fmt: skip
    filled = [
        {"bare": 1.0, "key": "", "unknown": [], "is_fallback": False, "field": place, **rule}
        for place, rule in enumerate(rules)
    ]
    reader = TableReader(given | dialect, filled)
    for at in range(len(text)):  # one byte at a time, so every cut between pieces occurs
        reader.feed(text[at : at + 1])
    found: dict[str, Any] = reader.finish()
    return found


def values(found: dict[str, Any], column: int = 0) -> list[Any]:
    told: list[Any] = found["columns"][column]["values"].tolist()
    return told


def test_quotes_hold_delimiters_line_ends_and_quotes() -> None:
    found = read(b'"a, ""b""\nc",1\r\nd,2', {"kind": "label"}, {"kind": "number"})
    assert found["columns"][0]["words"] == [b'a, "b"\nc', b"d"]
    assert values(found, 1) == [1, 2]
    assert found["lines"].tolist() == [1, 3]
    assert found["open_quote"] == 0
    assert read(b'1\n"2\n', {"kind": "label"})["open_quote"] == 2


def test_blanks_part_fields_where_the_delimiter_is_one() -> None:
    found = read(b"  1 \t 2\n3  4 \n", {"kind": "number"}, {"kind": "number"}, delimiter=" ")
    assert (values(found), values(found, 1)) == ([1, 3], [2, 4])


def test_comments_and_empty_lines_are_passed_over() -> None:
    found = read(b"# 9\n\n1\n  \n#\n2", {"kind": "number"}, comment="#")
    assert values(found) == [1, 2]
    assert found["lines"].tolist() == [3, 6]


def test_the_last_field_may_hold_the_delimiter() -> None:
    found = read(
        b"1|a|b|c\n2|d\n3\n", {"kind": "number"}, {"kind": "label"},
        delimiter="|", has_quotes=False, fields=2, last_takes_rest=True,
    )  # fmt: skip
    assert found["columns"][1]["words"] == [b"a|b|c", b"d"]
    assert found["too_few"][:2] == (1, [3])


def test_a_column_is_numbers_until_a_word_is_met() -> None:
    rule = {"kind": "label_or_number"}
    assert values(read(b"1\n-1\n7\n", rule)) == [1, -1, 7]
    found = read(b"1\n\n-1\nann\n1\n", rule)
    assert found["columns"][0]["words"] == [b"1", b"ann"]
    assert values(found) == [0, -1, 1, 0]
    assert values(read(b'"7"\n8\n', rule)) == [7, 8]
    # A name in quotes keeps its zeros.
    assert read(b'"007"\n8\n', rule)["columns"][0]["words"] == [b"007", b"8"]


def test_a_decimal_makes_decimals_of_a_column() -> None:
    found = read(b"9007199254740993\n,\n", {"kind": "number"})
    assert values(found) == [9007199254740993, MISSING]
    assert values(read(b"1\n2.5\n", {"kind": "number"})) == [1.0, 2.5]


def test_items_of_a_list() -> None:
    text = b'"cpu=4,gres/gpu:a=1,gres/gpu:b=2,mem=2G"\n"h_rt=1:00:00 -pe x"\n""\n'
    rules = [{"kind": "item", "key": key, "field": 0} for key in ("cpu", "gres/gpu", "mem", "h_rt")]
    found = read(text, *rules)
    assert values(found) == [4, MISSING, MISSING]
    assert values(found, 1) == [3, MISSING, MISSING]
    assert values(found, 2) == [2 * GB, MISSING, MISSING]
    assert values(found, 3) == [MISSING, 3600, MISSING]


def test_a_fallback_is_read_where_no_field_before_it_has_a_value() -> None:
    rules = [{"kind": "number"}, {"kind": "number", "is_fallback": True}]
    found = read(b"1,bad\n,2\n", *rules)
    assert values(found, 1) == [MISSING, 2]
    assert found["columns"][1]["unreadable"][0] == 0


def test_job_numbers_tell_tasks_and_steps() -> None:
    found = read(b"12_3\n12_[1-4]\n12.batch\n12[7].host\n12+1\nx\n", {"kind": "job_id"})
    assert values(found) == [12, 12, 12, 12, 12, UNREADABLE]
    assert found["columns"][0]["tasks"].tolist() == [3, -2, -1, 7, -1, -1]
    assert found["columns"][0]["extra"].tolist() == [0, 0, 1, 1, 0, 0]


def test_faults_keep_ten_lines_and_the_first_text() -> None:
    found = read(b"".join(b"bad%d\n" % i for i in range(12)), {"kind": "number"})
    assert found["columns"][0]["unreadable"] == (12, list(range(1, 11)), b"bad0", 4)


def test_a_line_without_end_and_zero_bytes_are_refused() -> None:
    with pytest.raises(sw.TraceError, match="line 2: the line has more than 100 bytes"):
        read(b"1\n" + b"2" * 102 + b"\n", {"kind": "number"})
    with pytest.raises(sw.TraceError, match="NUL bytes"):
        read(b"1\n\0", {"kind": "number"})


def test_a_table_of_arrow_is_taken_over() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {
            "submit": pa.array([1700000000, 1700000005], pa.timestamp("s", tz="UTC")),
            "run_time": [5, 6],
            "processors": pa.array([1, 2], pa.uint8()),
            "user": pa.array(["ann", None]).dictionary_encode(),
            "other": [1.5, 2.5],
        }
    )
    trace = sw.Trace.from_table(table)
    assert trace.submit.tolist() == [1700000000, 1700000005]
    assert trace.unix_start_time == 1700000000
    assert trace.names("user") == ["ann", ""]
    with pytest.raises(sw.TraceError, match="no column 'processors'"):
        sw.Trace.from_table(table.drop_columns("processors"))
    with pytest.raises(TypeError, match="dict has no __arrow_c_stream__"):
        sw.Trace.from_table({"submit": [1]})


def test_equal_lines_have_equal_hashes() -> None:
    text = b"1,a\n2,a\n1,a\r\n 1,a\n1,a"
    found = read(text, {"kind": "number"}, hashes_lines=True)
    first, other, *same = found["hashes"].tolist()
    assert same == [first] * 3  # blanks and line breaks around a line do not count
    assert other != first
    assert read(text, {"kind": "number"})["hashes"].tolist() == []


def test_a_number_that_stands_for_no_value_is_none() -> None:
    text = b"60\n4294967295\n"
    for kind in ("number", "duration", "instant"):
        found = read(text, {"kind": kind, "unknown": ["4294967295"]})
        assert values(found) == [60, MISSING]
