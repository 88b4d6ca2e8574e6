"""SWF files: refusals, the header, strict reading, writing."""

from __future__ import annotations

import gzip
import os
import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

JOB = "1 100 5 60 4 50 1000 8 120 2000 1 3 4 5 6 7 -1 -1\n"
WIDE = JOB.replace(" 8 120", " 99 120")


def write(folder: Path, content: str | bytes, name: str = "log.swf") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def packed(jobs: int) -> bytes:
    """Return the same bytes in every process, because xdist compares the names of the tests."""
    return gzip.compress(JOB.encode() * jobs, mtime=0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\x7fELF\0\0\1", "is binary"),
        ("1 2 3\n".encode("utf-16"), "is binary"),
        (JOB.encode() + b"\0", "is binary"),
        (b"; only\n; comments\n", "that can be replayed: 2 lines, all of them comments or blank"),
        (b"\xe9\xe8\xff garbage\nmore of it\n", r"2 lines dropped \(a field is not a number\)"),
        (b"<html>\n<p>Not found\n", "2 lines dropped .* first on line 1"),
        (b"1 2 3 -1 5 6 7 8 9\n", r"1 line dropped \(run_time < 0\), the first on line 1"),
        (packed(0), "the file is empty"),
        (packed(50)[:-9], "gzip data is cut short"),
        (packed(1)[:2], "gzip data is cut short"),
        (packed(1)[:-8] + b"12345678", "gzip data is damaged"),
        (packed(1) + b"trailing", "gzip data is damaged"),
        (b"\x1f\x8bnothing packed", "gzip data is damaged"),
        (b"BZh91AY", "compressed with bzip2"),
        (b"\xfd7zXZ\0", "compressed with xz"),
        (b"PK\x03\x04", "compressed with zip"),
    ],
)
def test_a_file_that_is_no_trace_gives_one_message_with_its_name(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = write(tmp_path, content)
    with pytest.raises(sw.TraceError, match=message) as caught:
        sw.read_swf(path)
    assert caught.value.path == str(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert caught.value.line is None


def test_a_missing_file_and_a_folder_say_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(sw.TraceError, match=r"nothing.swf: cannot be read \(No such file"):
        sw.read_swf(tmp_path / "nothing.swf")
    with pytest.raises(sw.TraceError, match=r"cannot be read \(Is a directory"):
        sw.read_swf(tmp_path)


@given(data=st.binary(max_size=300), packed=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_any_bytes_are_a_trace_or_a_trace_error(tmp_path: Path, data: bytes, packed: bool) -> None:
    path = write(tmp_path, gzip.compress(data) if packed else data)
    try:
        assert len(sw.read_swf(path)) > 0
    except sw.TraceError as error:
        assert error.path == str(path)  # noqa: PT017


swf_like = st.lists(
    st.lists(
        st.sampled_from(["-1", "0", "7", "12345678", "123456789", "0.5", "1e9", "x", ";", "-", "."])
        | st.integers().map(str),
        max_size=20,
    ).map(" ".join),
    max_size=8,
)


@given(lines=swf_like, end=st.sampled_from(["\n", "\r\n", " \n"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_lines_like_those_of_a_log_are_jobs_comments_or_counted(
    tmp_path: Path, lines: list[str], end: str
) -> None:
    """Check that each line is read as a job or a comment, is blank, or is counted as dropped."""
    path = write(tmp_path, JOB + "".join(line + end for line in lines))
    try:
        trace = sw.read_swf(path)
    except sw.TraceError as error:
        assert "must lie" in str(error)  # noqa: PT017
        assert error.line is not None  # noqa: PT017
        return
    blank = sum(not line.strip() for line in lines)
    kept = len(trace) + len(trace.header_lines) + blank + trace.report.total_dropped
    assert kept == 1 + len(lines)


def test_a_trace_error_keeps_its_place_through_pickle() -> None:
    error = pickle.loads(pickle.dumps(sw.TraceError("wrong", path="log.swf", line=3)))
    assert (str(error), error.path, error.line) == ("log.swf:3: wrong", "log.swf", 3)


def test_gzip_is_known_by_its_content_and_may_have_several_members(tmp_path: Path) -> None:
    plain = sw.read_swf(write(tmp_path, JOB + JOB))
    parts = gzip.compress(JOB.encode())
    for content in (gzip.compress((JOB + JOB).encode()), parts + parts, parts + b"\0\0" + parts,
                    parts + parts + b"\0" * 600):  # fmt: skip
        assert sw.read_swf(write(tmp_path, content, "without_suffix")) == plain


def test_a_pipe_is_read(tmp_path: Path) -> None:
    for content in (JOB.encode(), gzip.compress(JOB.encode())):
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
        assert len(sw.read_swf(f"/dev/fd/{reading}")) == 1
        os.close(reading)


@pytest.mark.parametrize(
    ("header", "size", "repaired"),
    [
        ("; MaxProcs: 338\n", 338, {}),
        (";MaxProcs:338\n", 338, {}),
        (";\tMaxProcs:\t338\t\r\n", 338, {}),
        ("; MaxProcs: 338 (batch partition; 512 total)\n", 338, {"header_text_after_number": 1}),
        ("; MaxProcs: 1664 (72, 1368, 224)\n", 1664, {"header_text_after_number": 1}),
        ("; MaxProcs: 93,312\n", 93_312, {}),
        ("; maxprocs: 12\n", 12, {}),
        ("; MaxNodes: 64\n; MaxProcs: 512\n", 512, {}),
        ("; MaxProcs: 512\n; MaxNodes: 64\n", 512, {}),
        ("; MaxNodes: 64\n", 64, {"machine_from_max_nodes": 1}),
        ("; MaxProcs: -1\n; MaxNodes: 64\n", 64, {"machine_from_max_nodes": 1}),
        ("; MaxProcs: many\n", None, {"header_number_unreadable": 1}),
        ("; MaxProcs:\n", None, {"header_number_unreadable": 1}),
        ("; MaxProcs: 0\n", None, {}),
        ("; MaxProcs: 99999999999999999999\n", None, {"header_number_unreadable": 1}),
        ("; Note: MaxProcs: 12\n", None, {}),
        ("", None, {}),
    ],
)
def test_the_machine_is_max_procs_else_max_nodes_else_unknown(
    tmp_path: Path, header: str, size: int | None, repaired: dict[str, int]
) -> None:
    trace = sw.read_swf(write(tmp_path, header + JOB))
    assert trace.max_processors == size
    assert trace.report.repaired == repaired


def test_header_values_are_found_by_key_and_lines_are_kept_verbatim(tmp_path: Path) -> None:
    lines = [
        "; Version: 2.2",
        ";Computer:IBM SP2 ",
        ";   no key here",
        "; Information: http://a.example/",
        ";              http://b.example/",
        "; Information: more",
        "; UnixStartTime: 843480031",
        ";",
    ]
    trace = sw.read_swf(write(tmp_path, "\n".join(lines) + "\n" + JOB))
    assert trace.header_lines == lines
    assert trace.header == {
        "Version": "2.2",
        "Computer": "IBM SP2",
        "Information": "http://a.example/\nmore",
        "UnixStartTime": "843480031",
    }
    assert trace.unix_start_time == 843_480_031


def test_latin_1_and_utf_8_comments_are_both_text(tmp_path: Path) -> None:
    content = b"; Note: caf\xe9\n; Note: caf\xc3\xa9\n" + JOB.encode()
    assert sw.read_swf(write(tmp_path, content)).header["Note"] == "café\ncafé"


def test_jobs_wider_than_the_machine_stay_and_are_reported(tmp_path: Path) -> None:
    trace = sw.read_swf(write(tmp_path, "; MaxProcs: 98\n" + JOB + WIDE + JOB + WIDE))
    assert len(trace) == 4
    assert trace.report.rejected == {"wider_than_machine": 2}
    assert trace.report.faults("rejected")[0].lines == (3, 5)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (JOB + JOB.replace(" 60 ", " -1 ") + WIDE, 2, "run_time < 0"),
        (JOB + JOB.replace(" 50 ", " 0.5 ") + JOB.replace("1 ", "x ", 1), 2, "rounded half up"),
        (JOB + JOB + "; MaxNodes: 64\n" + "garbage\n", 3, "MaxNodes is used"),
        (WIDE + "; MaxProcs: 98\n", 1, "more processors than"),
        ("; MaxProcs: 98 (of 100)\n" + WIDE, 1, "text after a number"),
        (JOB.replace(" 100 ", " 200 ") + JOB, 2, "sorted by submit"),
    ],
)
def test_strict_turns_the_first_fault_of_the_file_into_an_error(
    tmp_path: Path, content: str, line: int, message: str
) -> None:
    path = write(tmp_path, content)
    assert len(sw.read_swf(path)) > 0
    with pytest.raises(sw.TraceError, match=message) as caught:
        sw.read_swf(path, strict=True)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_a_strict_error_shows_the_text_it_refuses(tmp_path: Path) -> None:
    path = write(tmp_path, JOB + JOB.replace(" 50 ", "   0.5 "))
    with pytest.raises(sw.TraceError, match=r"decimals_rounded in '1 100 5 60 4 0\.5 1000 "):
        sw.read_swf(path, strict=True)


def test_strict_reads_a_file_without_fault(tmp_path: Path) -> None:
    path = write(tmp_path, "; MaxProcs: 8\n" + JOB)
    assert sw.read_swf(path, strict=True) == sw.read_swf(path)


def test_a_report_says_in_words_what_was_done_and_where(tmp_path: Path) -> None:
    bad = JOB.replace(" 60 ", " -1 ")
    report = sw.read_swf(write(tmp_path, "; MaxProcs: 98\n" + JOB + bad * 12 + WIDE)).report
    assert str(report).splitlines() == [
        "dropped          12  negative_run_time: run_time < 0 "
        "(lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …)",
        "rejected          1  wider_than_machine: more processors than the machine has "
        "according to the header (line 15)",
        "note              1  duplicate_job_id: the same job number as on an earlier line: both "
        "jobs are kept (line 15)",
    ]
    assert (report.total_repaired, report.total_dropped, report.total_rejected) == (0, 12, 1)
    assert str(sw.TraceReport()) == "nothing repaired, dropped or rejected"
    with pytest.raises(ValueError, match="unknown kind 'odd'; known names are: repaired, dropped"):
        report.faults("odd")


int64 = st.integers(-(2**62), 2**62)
int32 = st.integers(-(2**31), 2**31 - 1)

comments = st.builds(
    str.__add__,
    st.sampled_from(["; MaxProcs: 7", "; MaxNodes: 9 (of 10)", ";UnixStartTime:5", "\t;", "; é"]),
    st.text(st.characters(exclude_characters="\n\r\0", codec="utf-8"), max_size=5),
)


@st.composite
def traces(draw: st.DrawFn) -> sw.Trace:
    n = draw(st.integers(1, 12))

    def column(values: st.SearchStrategy[int]) -> list[int]:
        return draw(st.lists(values, min_size=n, max_size=n))

    wide = ("wait", "cpu_time", "used_memory", "requested_memory", "preceding_job", "think_time",
            "job_id", "allocated_processors")  # fmt: skip
    narrow = ("status", "user", "group", "executable", "queue", "partition")
    optional = {
        name: column(int64 if name in wide else int32)
        for name in draw(st.sets(st.sampled_from(wide + narrow)))
    }
    return sw.Trace.from_columns(
        column(st.integers(0, 50) | st.integers(0, 2**53)),
        column(st.integers(0, 2**32 - 2)),
        column(st.integers(1, 2**31 - 1)),
        draw(st.none() | st.just(column(st.integers(-1, 2**32 - 2)))),
        max_processors=draw(st.none() | st.integers(1, 2**31 - 1)),
        unix_start_time=draw(st.none() | st.integers(0, 2**40)),
        header_lines=draw(st.none() | st.lists(comments)),
        **optional,
    )


@given(trace=traces(), name=st.sampled_from(["out.swf", "out.swf.gz"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_trace_that_is_written_and_read_is_the_same(
    tmp_path: Path, trace: sw.Trace, name: str
) -> None:
    sw.write_swf(trace, tmp_path / name)
    back = sw.read_swf(tmp_path / name)
    assert back == trace
    assert back.content_hash == trace.content_hash
    added = len(back.header_lines) - len(trace.header_lines)
    assert back.header_lines[added:] == trace.header_lines
    assert back.report.total_dropped == 0
    assert back.report.repaired.keys() <= {
        "machine_from_max_nodes",
        "header_text_after_number",
        "header_number_unreadable",
        "requested_time_from_run_time",  # jobs without a request are written without one
    }


@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "RICC-2010-2", "lublin_256"])
def test_real_logs_survive_a_round_trip_with_their_header(
    shared_traces: Path, tmp_path: Path, name: str
) -> None:
    trace = sw.read_swf(shared_traces / f"{name}.swf.gz")
    sw.write_swf(trace, tmp_path / "copy.swf")
    back = sw.read_swf(tmp_path / "copy.swf")
    assert back == trace
    assert back.header_lines == trace.header_lines


def test_what_is_written_is_18_numbers_a_line_behind_the_header(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns(
        [0, 10], [60, 70], [4, 8], max_processors=8, unix_start_time=5, user=[3, -1]
    )
    sw.write_swf(trace, tmp_path / "out.swf")
    assert (tmp_path / "out.swf").read_text().splitlines() == [
        "; Version: 2.2",
        "; MaxProcs: 8",
        "; UnixStartTime: 5",
        "1 0 -1 60 -1 -1 -1 4 -1 -1 -1 3 -1 -1 -1 -1 -1 -1",
        "2 10 -1 70 -1 -1 -1 8 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
    ]


def test_a_packed_file_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([0], [60], [4])
    for name in ("a.swf.gz", "b.swf.gz"):
        sw.write_swf(trace, tmp_path / name)
    assert (tmp_path / "a.swf.gz").read_bytes() == (tmp_path / "b.swf.gz").read_bytes()


def test_a_result_is_written_as_its_schedule(tmp_path: Path) -> None:
    """On 8 processors, job 1 runs from 0 to 60; job 2 waits for it and is killed after 70 of 90 s;
    job 3 is too wide."""
    trace = sw.Trace.from_columns([0, 10, 20], [60, 90, 5], [4, 8, 9], [60, 70, 5], wait=[7, 7, 7])
    result = sw.simulate(trace, sw.Site(sw.Processors(8)))
    sw.write_swf(result, tmp_path / "out.swf")
    lines = (tmp_path / "out.swf").read_text().splitlines()
    assert lines[-3:] == [
        "1 0 0 60 -1 -1 -1 4 60 -1 1 -1 -1 -1 -1 -1 -1 -1",
        "2 10 50 70 -1 -1 -1 8 70 -1 0 -1 -1 -1 -1 -1 -1 -1",
        "3 20 -1 -1 -1 -1 -1 9 5 -1 5 -1 -1 -1 -1 -1 -1 -1",
    ]
    back = sw.read_swf(tmp_path / "out.swf")
    assert back.wait.tolist() == [0, 50]
    assert back.report.dropped == {"negative_run_time": 1}
    assert "1 job never started" in back.header["Note"]


def test_a_folder_that_is_not_there_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([0], [60], [4])
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere; create it first"):
        sw.write_swf(trace, tmp_path / "nowhere" / "out.swf")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        sw.write_swf(trace, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    path = tmp_path / "out.swf"
    path.write_text("old")

    def fail(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("slotwise.formats.swf.format_swf", fail)
    with pytest.raises(KeyboardInterrupt):
        sw.write_swf(sw.Trace.from_columns([0], [60], [4]), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_a_device_is_written_to(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([0], [60], [4])
    target = tmp_path / "target.swf"
    (tmp_path / "link.swf").symlink_to(target)
    sw.write_swf(trace, tmp_path / "link.swf")
    assert (tmp_path / "link.swf").is_symlink()
    assert sw.read_swf(target) == trace
    sw.write_swf(trace, "/dev/null")
