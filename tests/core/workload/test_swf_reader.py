"""The SWF reader repairs, rejects or reports each irregularity found in real logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Read = Callable[..., sw.Trace]

# Fields: job, submit, wait, run, allocated, cpu, memory, requested, time, memory, status, user,
# group, exe, queue, partition, preceding, think.
PLAIN = "1 100 5 60 4 50 1000 8 120 2000 1 3 4 5 6 7 -1 -1"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that writes lines or bytes to a log file and reads it."""

    def read(*lines: str | bytes, strict: bool = False) -> sw.Trace:
        path = tmp_path / "log.swf"
        path.write_bytes(
            b"".join(line.encode() + b"\n" if isinstance(line, str) else line for line in lines)
        )
        return sw.read_swf(path, strict=strict)

    return read


def fields(**changed: object) -> str:
    """Return PLAIN with some fields, given by name, replaced."""
    names = [
        "job",
        "submit",
        "wait",
        "run",
        "allocated",
        "cpu",
        "memory",
        "requested",
        "time",
        "requested_memory",
        "status",
        "user",
        "group",
        "executable",
        "queue",
        "partition",
        "preceding",
        "think",
    ]
    values = dict(zip(names, PLAIN.split(), strict=True))
    assert changed.keys() <= values.keys()
    return " ".join(str(changed.get(name, values[name])) for name in names)


def test_every_field_goes_to_its_column(read: Read) -> None:
    trace = read("1 100 5 60 4 50 1000 8 120 2000 1 3 4 5 6 7 9 11")
    expected = {
        "job_id": 1,
        "submit": 100,
        "wait": 5,
        "run_time": 60,
        "allocated_processors": 4,
        "cpu_time": 50,
        "used_memory": 1000,
        "requested_processors": 8,
        "processors": 8,
        "requested_time": 120,
        "requested_memory": 2000,
        "status": 1,
        "user": 3,
        "group": 4,
        "executable": 5,
        "queue": 6,
        "partition": 7,
        "preceding_job": 9,
        "think_time": 11,
        "line": 1,
    }
    assert {name: getattr(trace, name).tolist() for name in expected} == {
        name: [value] for name, value in expected.items()
    }
    assert not trace.report


@pytest.mark.parametrize(
    "line",
    [
        PLAIN.replace(" ", "   "),
        PLAIN.replace(" ", "\t"),
        "   " + PLAIN + "  \t",
        PLAIN + "\r",
        b"\xef\xbb\xbf" + PLAIN.encode() + b"\n",
        PLAIN.encode(),
        b"\n\n  \n" + PLAIN.encode() + b"\n\r\n",
    ],
    ids=["padded", "tabs", "blanks at both ends", "CRLF", "byte order mark", "no last newline",
         "blank lines"],
)  # fmt: skip
def test_spacing_and_line_ends_do_not_matter_and_are_no_faults(
    read: Read, line: str | bytes
) -> None:
    trace = read(line)
    assert trace == read(PLAIN)
    assert not trace.report


def test_a_long_file_of_plain_lines_reads_the_same_as_its_lines_one_by_one(read: Read) -> None:
    """The fast path starts at the second line, and the plain path reads the end of the file."""
    rng = np.random.default_rng(7)
    rows = [[10 ** int(rng.integers(0, 9)) + i for _ in range(18)] for i in range(700)]
    for i, row in enumerate(rows):
        row[1] = i
        row[int(rng.integers(9, 18))] = -1
    trace = read(*(" " * int(rng.integers(3)) + "  ".join(map(str, row)) for row in rows))
    assert trace.job_id.tolist() == [row[0] for row in rows]
    assert trace.queue.tolist() == [row[14] for row in rows]
    assert trace.think_time.tolist() == [row[17] for row in rows]
    assert trace.line.tolist() == list(range(1, 701))


def test_lines_may_be_split_anywhere_between_two_pieces() -> None:
    text = "".join(fields(job=i, submit=i) + "\n" for i in range(40)).encode()
    whole = read_pieces([text])
    for at in range(1, len(text), 7):
        assert read_pieces([text[:at], text[at : at + 3], text[at + 3 :]]) == whole


def read_pieces(pieces: list[bytes]) -> dict[str, list[int]]:
    from slotwise import _core

    reader = _core.SwfReader(0)
    for piece in pieces:
        reader.feed(piece)
    table, _, _ = reader.finish()
    return {name: column.tolist() for name, column in table.columns().items()}


def test_processors_are_the_allocated_ones_where_none_are_requested(read: Read) -> None:
    trace = read(fields(requested=-1), fields(requested=0), PLAIN)
    assert trace.processors.tolist() == [4, 4, 8]
    assert trace.requested_processors.tolist() == [-1, 0, 8]
    assert trace.report.repaired == {"processors_from_allocated": 2}


def test_requested_time_is_the_run_time_where_none_is_requested(read: Read) -> None:
    trace = read(fields(time=-1), fields(time=0), PLAIN)
    assert trace.requested_time.tolist() == [60, 60, 120]
    assert trace.report.repaired == {"requested_time_from_run_time": 2}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7.49", 7),
        ("7.5", 8),
        ("7.", 7),
        (".5", 1),
        ("+7", 7),
        ("0007.0", 7),
        ("7e2", 700),
        ("1.25E1", 13),
        ("75e-1", 8),
        ("-0.5", 0),
        ("-1.5", -1),
        ("-1.51", -2),
        ("-2.0", -2),
        ("0.49999999999999999999", 0),
        ("1e-999", 0),
    ],
)
def test_numbers_that_are_not_plain_integers_are_rounded_half_up(
    read: Read, text: str, value: int
) -> None:
    trace = read(fields(cpu=text), PLAIN)
    assert trace.cpu_time.tolist() == [value, 50]
    is_decimal = set(text) & set(".eE")
    assert trace.report.repaired == ({"decimals_rounded": 1} if is_decimal else {})


def test_decimals_are_rounded_on_the_fast_path_too(read: Read) -> None:
    trace = read(*[PLAIN] * 3, fields(cpu="3.5"), fields(cpu="3.49"), *[PLAIN] * 3)
    assert trace.cpu_time.tolist() == [50, 50, 50, 4, 3, 50, 50, 50]
    assert trace.report.repaired == {"decimals_rounded": 2}
    assert trace.report.faults()[0].lines == (4, 5)


@pytest.mark.parametrize("extra", ["0.975", "3 gpu,fat,interactive 12"])
def test_fields_behind_the_18th_are_ignored(read: Read, extra: str) -> None:
    lines = [PLAIN] * 5
    trace = read(*(f"{line} {extra}" for line in lines))
    assert trace == read(*lines)
    assert trace.report.repaired == {"fields_ignored": 5}


def test_a_line_of_5_to_17_fields_is_a_job_with_unknown_values(read: Read) -> None:
    trace = read("1 100 5 60 4", PLAIN)
    assert trace.processors.tolist() == [4, 8]
    assert trace.user.tolist() == [-1, 3]
    assert trace.report.repaired == {
        "fields_missing": 1,
        "processors_from_allocated": 1,
        "requested_time_from_run_time": 1,
    }


def test_lines_out_of_submit_order_are_sorted_and_ties_keep_the_order_of_the_file(
    read: Read,
) -> None:
    submits = [5, 3, 5, 9, 3, 9]  # lines 2 and 5 are out of order
    trace = read(*(fields(job=i + 1, submit=s) for i, s in enumerate(submits)))
    assert trace.submit.tolist() == [3, 3, 5, 5, 9, 9]
    assert trace.job_id.tolist() == [2, 5, 1, 3, 4, 6]
    assert trace.line.tolist() == [2, 5, 1, 3, 4, 6]
    assert trace.report.repaired == {"submit_unsorted": 2}
    assert trace.report.faults()[0].lines == (2, 5)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (fields(run=-1), "negative_run_time"),
        (fields(submit=-1), "negative_submit"),
        (fields(requested=-1, allocated=-1), "no_processors"),
        (fields(requested=0, allocated=0), "no_processors"),
        (fields(status="COMPLETED"), "malformed"),
        (fields(status="1x"), "malformed"),
        (fields(status="-"), "malformed"),
        (fields(status="--1"), "malformed"),
        (fields(status="1.2.3"), "malformed"),
        (fields(status="."), "malformed"),
        (fields(status="1e"), "malformed"),
        (fields(status="nan"), "malformed"),
        (PLAIN.replace(" ", ","), "malformed"),
        ("1 100 5 60", "too_few_fields"),
        ("17", "too_few_fields"),
    ],
)
def test_a_line_that_cannot_be_a_job_is_dropped_with_one_reason(
    read: Read, line: str, reason: str
) -> None:
    trace = read(PLAIN, PLAIN, line, PLAIN)
    assert len(trace) == 3
    assert trace.report.dropped == {reason: 1}
    assert trace.report.repaired == {}
    assert trace.report.faults("dropped")[0].lines == (3,)


def test_a_job_of_length_0_is_a_job(read: Read) -> None:
    trace = read(fields(run=0))
    assert trace.run_time.tolist() == [0]
    assert not trace.report


def test_a_repaired_line_that_is_dropped_counts_as_dropped_alone(read: Read) -> None:
    trace = read(PLAIN, fields(run=-1, cpu="0.5", time=-1))
    assert trace.report.to_dict() == {
        "repaired": {},
        "dropped": {"negative_run_time": 1},
        "rejected": {},
        "notes": {},
    }


def test_a_status_that_holds_an_exit_code_is_kept(read: Read) -> None:
    assert read(fields(status=137)).status.tolist() == [137]


def test_a_number_too_large_for_an_unused_column_is_unknown(read: Read) -> None:
    """Some systems write 2^32 - 1 for an unknown user; the CPU time here has 20 digits."""
    trace = read(fields(user=2**32 - 1), fields(cpu="9" * 20), fields(user=2**31 - 1), PLAIN)
    assert trace.user.tolist() == [-1, 3, 2**31 - 1, 3]
    assert trace.cpu_time.tolist() == [50, -1, 50, 50]
    assert trace.report.repaired == {"value_out_of_range": 2}


def test_a_job_number_used_twice_is_kept_and_noted(read: Read) -> None:
    trace = read(fields(job=1), fields(job=2), fields(job=1), fields(job=1), fields(job=-1),
                 fields(job=-1))  # fmt: skip
    assert len(trace) == 6
    assert trace.report.notes == {"duplicate_job_id": 2}
    assert trace.report.faults()[0].lines == (3, 4)
    assert read(fields(job=1), fields(job=1), strict=True) == read(fields(job=1), fields(job=1))


def test_comments_may_stand_anywhere_and_lines_are_counted_with_them(read: Read) -> None:
    trace = read("; one", PLAIN, " ; two", "", fields(job=2), ";three")
    assert trace.header_lines == ["; one", " ; two", ";three"]
    assert trace.line.tolist() == [2, 5]


@pytest.mark.parametrize(
    ("field", "value", "bound"),
    [
        ("submit", 2**53 + 1, "between 0 and 2^53"),
        ("submit", "9" * 25, "between 0 and 2^53"),
        ("run", 2**32 - 1, "2^32 - 2"),
        ("time", 2**32 - 1, "2^32 - 2"),
        ("requested", 2**31, "2^31 - 1"),
    ],
)
def test_a_time_or_size_that_overflows_is_refused_with_file_and_line(
    read: Read, field: str, value: object, bound: str
) -> None:
    for lines in ([fields(**{field: value})], [PLAIN] * 5 + [fields(**{field: value})] + [PLAIN]):
        with pytest.raises(sw.TraceError) as caught:
            read(*lines)
        assert caught.value.line == (1 if len(lines) == 1 else 6)
        assert caught.value.path.endswith("log.swf")
        assert f"is {value}; it must lie" in str(caught.value)
        assert bound in str(caught.value)


def test_the_largest_values_a_replay_takes_are_read(read: Read) -> None:
    trace = read(fields(submit=2**53, run=2**32 - 2, time=2**32 - 2, requested=2**31 - 1))
    assert trace.submit.tolist() == [2**53]
    assert trace.processors.tolist() == [2**31 - 1]


@pytest.mark.parametrize(
    ("name", "jobs", "dropped", "first_submit", "machine"),
    [
        # Numbers of jobs and dropped lines, first submit times and machine sizes, as in the README
        # of the traces. One job of KTH has no processors.
        ("KTH-SP2-1996-2.1-cln", 28_476 - 1, {"no_processors": 1}, 599_850, 100),
        ("SDSC-BLUE-2000-4.2-cln", 243_306 - 10_744, {"negative_run_time": 10_744}, 430_593, 1152),
        ("CEA-Curie-2011-2.1-cln", 312_826 - 19, {"no_processors": 19}, 31_656_837, 93_312),
        ("RICC-2010-2", 447_794, {}, 0, 8192),
        ("theta-2023-jan", 2849, {}, 1_672_543_325, 4360),
        ("theta-2023-feb-dec", 26_671, {}, 1_668_693_697, 4360),
        ("lublin_256", 10_000, {}, 5094, 256),
    ],
)
def test_real_logs_are_read_whole(
    shared_traces: Path,
    name: str,
    jobs: int,
    dropped: dict[str, int],
    first_submit: int,
    machine: int,
) -> None:
    trace = sw.read_swf(shared_traces / f"{name}.swf.gz")
    assert len(trace) == jobs
    assert trace.report.dropped == dropped
    assert trace.submit[0] == first_submit
    assert trace.max_processors == machine
    assert trace.report.rejected == {}


def test_facts_known_of_real_logs_are_found(shared_traces: Path) -> None:
    """Compare the numbers of overruns and of jobs of length 0 with the README of the traces."""
    kth = sw.read_swf(shared_traces / "KTH-SP2-1996-2.1-cln.swf.gz")
    assert np.count_nonzero(kth.run_time > kth.requested_time) == 475
    curie = sw.read_swf(shared_traces / "CEA-Curie-2011-2.1-cln.swf.gz")
    assert np.count_nonzero(curie.run_time == 0) == 17_286 - 19  # the 19 dropped jobs have length 0
    theta = sw.read_swf(shared_traces / "theta-2023-feb-dec.swf.gz")
    assert np.count_nonzero(theta.run_time > theta.requested_time) == 5816
    assert theta.report.repaired == {"fields_ignored": 26_671}
    lublin = sw.read_swf(shared_traces / "lublin_256.swf.gz")
    assert lublin.report.repaired == {
        "machine_from_max_nodes": 1,
        "processors_from_allocated": 10_000,
        "requested_time_from_run_time": 10_000,
    }


def test_columns_of_another_format_are_refused(shared_traces: Path) -> None:
    with pytest.raises(sw.TraceError, match=r"txt:2: .*no line has the 18 fields of SWF"):
        sw.read_swf(shared_traces / "anl-intrepid-3000jobs.txt")
