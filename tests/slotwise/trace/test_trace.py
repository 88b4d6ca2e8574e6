"""Traces in memory: created from arrays, sliced, compared, hashed, pickled."""

from __future__ import annotations

import multiprocessing
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

WIDE = {
    *("submit", "run_time", "requested_time", "processors", "wait", "cpu_time", "used_memory"),
    *("requested_memory", "preceding_job", "think_time", "job_id", "line"),
    *("allocated_processors", "requested_processors"),
}
NARROW = {"status", "user", "group", "executable", "queue", "partition"}


def small(**columns: Any) -> sw.Trace:
    return sw.Trace.from_columns([0, 10, 10, 30], [60, 0, 5, 7], [4, 8, 1, 2], **columns)


def test_every_column_is_a_read_only_view_with_its_type() -> None:
    trace = small(user=[1, 2, 3, 4])
    for name in WIDE | NARROW:
        column = getattr(trace, name)
        assert column.dtype == (np.int64 if name in WIDE else np.int32), name
        assert column.shape == (4,)
        assert not column.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
    assert np.shares_memory(trace.submit, trace.submit)


def test_a_column_outlives_its_trace() -> None:
    submit = small().submit
    assert submit.tolist() == [0, 10, 10, 30]


def test_columns_nobody_gave_are_unknown() -> None:
    trace = small()
    assert trace.user.tolist() == [-1] * 4
    assert trace.wait.tolist() == [-1] * 4
    assert trace.line.tolist() == [0] * 4
    assert trace.job_id.tolist() == [1, 2, 3, 4]
    assert trace.requested_time.tolist() == trace.run_time.tolist()
    assert trace.requested_processors.tolist() == trace.processors.tolist()
    assert (trace.max_processors, trace.unix_start_time, trace.source) == (None, None, "")
    assert (trace.header, trace.header_lines) == ({}, [])
    assert not trace.report


@pytest.mark.parametrize("kind", [list, tuple, np.array, lambda v: np.array(v, dtype=np.uint8),
                                  lambda v: [np.int16(x) for x in v],
                                  lambda v: np.array(v, dtype=float),
                                  lambda v: np.repeat(v, 2)[::2]])  # fmt: skip
def test_columns_may_be_any_array_of_numbers(kind: Any) -> None:
    trace = sw.Trace.from_columns(kind([0, 10, 10, 30]), kind([60, 0, 5, 7]), kind([4, 8, 1, 2]))
    assert trace == small()
    assert not trace.report


def test_given_arrays_are_copied() -> None:
    submit = np.array([0, 10, 10, 30])
    trace = sw.Trace.from_columns(submit, [60, 0, 5, 7], [4, 8, 1, 2])
    submit[:] = 7
    assert trace == small()


def test_unsorted_rows_are_sorted_stably_and_counted() -> None:
    trace = sw.Trace.from_columns([5, 3, 5, 3], [1, 2, 3, 4], [1, 1, 1, 1], user=[9, 8, 7, 6])
    assert trace.run_time.tolist() == [2, 4, 1, 3]
    assert trace.user.tolist() == [8, 6, 9, 7]
    assert trace.job_id.tolist() == [2, 4, 1, 3]
    assert trace.report.repaired == {"submit_unsorted": 2}
    assert trace.report.faults()[0].lines == ()


def test_decimals_are_rounded_half_up_and_counted_a_row() -> None:
    trace = sw.Trace.from_columns(
        [0.5, 1.0, 2.49], [0.49999999999999994, 1.5, 3], [1, 1, 1], wait=[-1.5, -0.5, 2]
    )
    assert trace.submit.tolist() == [1, 1, 2]
    assert trace.run_time.tolist() == [0, 2, 3]
    assert trace.wait.tolist() == [-1, 0, 2]
    assert trace.report.repaired == {"decimals_rounded": 3}


def test_a_request_that_is_not_positive_is_the_run_time() -> None:
    """The second job runs for 0 s and requests 0 s, which needs no repair."""
    trace = small(requested_time=[100, 0, -1, 0])
    assert trace.requested_time.tolist() == [100, 0, 5, 7]
    assert trace.report.repaired == {"requested_time_from_run_time": 2}


def test_a_request_marked_absent_is_the_run_time() -> None:
    trace = small(requested_time=[100, 100, 100, 0], has_request=[1, 0, 1, 1])
    assert trace.requested_time.tolist() == [100, trace.run_time[1], 100, trace.run_time[3]]
    assert trace.has_request.tolist() == [1, 0, 1, 0]
    longer = trace.with_columns(run_time=[9, 9, 9, 9])
    assert longer.requested_time.tolist() == [100, 9, 100, 9]


def test_comments_say_the_machine_where_the_number_is_not_given() -> None:
    lines = ["; MaxProcs: 8", ";", "\t;UnixStartTime:7"]
    assert small(header_lines=lines).max_processors == 8
    assert small(header_lines=lines).unix_start_time == 7
    assert small(header_lines=lines).header_lines == lines
    assert small(header_lines=lines, max_processors=9).max_processors == 9


def test_jobs_wider_than_the_machine_are_counted() -> None:
    assert small(max_processors=3).report.rejected == {"wider_than_machine": 2}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"submit": [0, 1, -5, 3]}, r"submit\[2\] is -5; it must lie between 0 and 2\^53"),
        ({"submit": [0, 1, 2, 2**53 + 1]}, r"submit\[3\] is 9007199254740993; it must lie"),
        ({"submit": [0, 1, 2, np.nan]}, r"submit\[3\] is nan; it must be a finite number"),
        ({"submit": [0, 1, np.inf, 3]}, r"submit\[2\] is inf; it must be a finite number"),
        ({"submit": [0.0, 1e300, 2, 3]}, r"submit\[1\] is 1e\+300; it does not fit"),
        ({"submit": [0, 1, 2, 10**30]}, r"submit\[3\] is 10{30}; it does not fit"),
        ({"submit": [0, 1, 2]}, "run_time has 4 values and submit has 3; give every column"),
        ({"submit": [[0, 1], [2, 3]]}, r"submit has the shape \(2, 2\)"),
        ({"submit": 7}, r"submit has the shape \(\)"),
        ({"submit": ["a", "b", "c", "d"]}, r"submit\[0\] is .*'a'.*; a column must contain"),
        ({"submit": [0, 1, None, 3]}, r"submit\[2\] is None; a column must contain numbers"),
        (
            {"submit": [True, True, True, True]},
            r"submit\[0\] is .*True.*; a column must contain numbers",
        ),
        ({"submit": np.array(["2020-01-01"] * 4, dtype="M8[s]")}, r"submit\[0\] is "),
        ({"run_time": [0, -1, 2, 3]}, r"run_time\[1\] is -1; it must lie between 0 and 2\^32 - 2"),
        ({"run_time": [0, 1, 2, 2**32 - 1]}, r"run_time\[3\] is 4294967295"),
        ({"processors": [1, 0, 1, 1]}, r"processors\[1\] is 0; it must lie between 1 and"),
        ({"requested_time": [1, 2, 3, 2**32]}, r"requested_time\[3\] is 4294967296; it must be"),
        ({"user": [1, 2, 3, 2**31]}, r"user\[3\] is 2147483648; it does not fit into 32 bits"),
        ({"user": [1, 2, 3]}, "user has 3 values and submit has 4"),
        ({"requested_processors": [4, 8, 1, 3]}, r"processors\[3\] is 2; it must equal requested"),
        ({"max_processors": 0}, "max_processors is 0; it must be a whole number from 1"),
        ({"max_processors": "many"}, "max_processors is 'many'; it must be a whole number"),
        ({"max_processors": 2.5}, r"max_processors is 2\.5"),
        (
            {"header_lines": ["; a", "b"]},
            r"header_lines\[1\] is 'b'; a comment must be a "
            r"single line of valid text that",
        ),
        ({"header_lines": ["; a\n; b"]}, r"header_lines\[0\] is "),
        ({"header_lines": [7]}, r"header_lines\[0\] is 7"),
        ({"unix_start_time": -3}, "unix_start_time is -3; it must be a whole number from 0"),
    ],
)
def test_what_cannot_be_meant_is_refused_naming_column_row_value_and_rule(
    changed: dict[str, Any], message: str
) -> None:
    columns: dict[str, Any] = {
        "submit": [0, 1, 2, 3],
        "run_time": [60, 0, 5, 7],
        "processors": [4, 8, 1, 2],
    }
    with pytest.raises(sw.TraceError, match=message):
        sw.Trace.from_columns(**(columns | changed))


def test_slices_masks_and_numbers_choose_jobs() -> None:
    trace = small(user=[1, 2, 3, 4], max_processors=8, unix_start_time=9)
    assert trace[1:3].user.tolist() == [2, 3]
    assert trace[trace.processors > 2].user.tolist() == [1, 2]
    assert trace[[True, False, False, True]].user.tolist() == [1, 4]
    assert trace[[3, 0]].user.tolist() == [1, 4]
    assert trace[np.array([-1], dtype=np.int8)].user.tolist() == [4]
    assert trace[::-1].user.tolist() == [1, 3, 2, 4]  # sorted by submit; ties keep their order
    assert trace[[2, 2]].user.tolist() == [3, 3]
    assert len(trace[[]]) == len(trace[9:]) == 0
    chosen = trace[1:3]
    assert (chosen.max_processors, chosen.unix_start_time) == (8, 9)
    assert chosen.wait.tolist() == [-1, -1]
    assert len(trace) == 4


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (1, TypeError, "1 does not select rows .*one job is"),
        ("submit", TypeError, "does not select rows"),
        ([0.5], TypeError, "row numbers must be whole numbers, not float64"),
        (["a"], TypeError, "whole numbers"),
        ([4], IndexError, "row 4 is not in a trace of 4 jobs"),
        ([-5], IndexError, "row -5 is not in a trace of 4 jobs"),
        ([True, False], IndexError, "the mask has 2 values, but the trace has 4 jobs"),
    ],
)
def test_rows_that_are_not_there_are_refused(
    rows: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        small()[rows]


def test_equality_is_by_content() -> None:
    assert small() == small()
    assert hash(small()) == hash(small())
    assert small() != small(user=[1, 2, 3, 4])
    assert small(user=[-1] * 4) == small()
    assert small(max_processors=8) != small()
    assert small() != small()[:3]
    assert small() != "trace"


def test_the_content_hash_is_of_the_four_primary_columns_in_little_endian() -> None:
    """The digest is the output of `sha256sum` for the bytes of the columns."""
    import hashlib

    expected = hashlib.sha256()
    for column in ([0, 10, 10, 30], [60, 0, 5, 7], [60, 0, 5, 7], [4, 8, 1, 2]):
        expected.update(b"".join(value.to_bytes(8, "little") for value in column))
    assert small().content_hash == expected.hexdigest()
    assert small(user=[1, 2, 3, 4]).content_hash == small().content_hash
    assert small()[:3].content_hash != small().content_hash


def test_a_trace_pickles_with_its_header_and_report() -> None:
    trace = sw.Trace.from_columns([5, 3], [1, 2], [1, 9], max_processors=4, user=[1, 2])
    back = pickle.loads(pickle.dumps(trace))
    assert back == trace
    assert back.report == trace.report
    assert back.report.rejected == {"wider_than_machine": 1}
    assert back.content_hash == trace.content_hash


def test_a_trace_goes_to_another_process() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(hash_elsewhere, [pickle.dumps(small())]) == [small().content_hash]


def hash_elsewhere(pickled: bytes) -> str:
    trace = pickle.loads(pickled)
    assert isinstance(trace, sw.Trace)
    return trace.content_hash


def test_repr_says_jobs_days_and_machine() -> None:
    trace = sw.Trace.from_columns([0, 129_600], [1, 1], [1, 1], max_processors=35_232)
    assert repr(trace) == "<Trace: 2 jobs, 1.5 days, 35,232 processors>"
    assert repr(small()[:0]) == "<Trace: 0 jobs, machine unknown>"


def test_a_trace_is_not_made_by_its_class() -> None:
    with pytest.raises(TypeError, match="read_swf"):
        sw.Trace()


def test_a_pickled_table_that_was_tampered_with_is_refused() -> None:
    from slotwise import _core

    columns = {name: [1] for name in ("submit", "run_time", "requested_time", "processors")}
    with pytest.raises(ValueError, match=r"submit\[1\] is 1; rows must be sorted"):
        _core.JobTable({**{n: [2, 3] for n in columns}, "submit": [2, 1]})
    with pytest.raises(ValueError, match="user has 2 values and submit has 1"):
        _core.JobTable({**columns, "user": [1, 2]})


def test_columns_can_be_replaced_and_the_others_stay() -> None:
    trace = sw.Trace.from_columns(
        [0, 0], [10, 5], [1, 1], job_id=[7, 9], user=[3, 4], max_processors=4
    )
    chain = trace.with_columns(preceding_job=[-1, 7], think_time=[-1, 3])
    assert chain.user.tolist() == [3, 4]
    assert chain.max_processors == 4
    assert chain.requested_time.tolist() == trace.requested_time.tolist()
    # The second job waits until the first ends, at 10, and then 3 s more.
    assert sw.simulate(chain, sw.Site(dependencies=True)).start.tolist() == [0, 13]
    assert trace.preceding_job.tolist() == [-1, -1]
    assert trace.with_columns() == trace


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"submit": [0, 1]}, TypeError, "no argument 'submit'; known names are run_time"),
        ({"colour": [0, 1]}, TypeError, "no argument 'colour'"),
        ({"user": [1]}, sw.TraceError, "user has 1 values and submit has 2"),
        ({"processors": [0, 1]}, sw.TraceError, "processors"),
    ],
)
def test_columns_that_cannot_be_replaced_are_refused(
    columns: dict[str, list[int]], error: type[Exception], message: str
) -> None:
    trace = sw.Trace.from_columns([0, 0], [10, 5], [1, 1])
    with pytest.raises(error, match=message):
        trace.with_columns(**columns)


def test_lines_of_the_file_stay_with_replaced_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.swf"
    path.write_text("; MaxProcs: 8\n1 0 -1 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
    trace = sw.read_swf(path).with_columns(user=[5])
    assert trace.line.tolist() == [2]
    assert trace.user.tolist() == [5]
