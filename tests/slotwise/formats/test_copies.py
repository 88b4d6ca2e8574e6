"""Duplicate lines in a log count once; tasks of an array and attempts of a job are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from reference.job_logs import ALL, SGE, lsf_line, sge_line

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, name: str, text: str) -> sw.Trace:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return sw.read_trace(path, name)


@pytest.mark.parametrize("name", ["lsf", "sge", "slurmdbd", "cobalt", "alibaba-gpu", "evalys"])
def test_a_log_whose_lines_occur_twice_has_the_same_jobs(tmp_path: Path, name: str) -> None:
    once = read(tmp_path, name, ALL[name])
    first, *rest = ALL[name].splitlines(keepends=True)
    twice = read(tmp_path, name, first + 2 * "".join(rest))
    assert twice.job_id.tolist() == once.job_id.tolist()
    assert twice.report.dropped["repeated_line"] == len(once)
    assert "repeated_line" not in once.report.dropped


@pytest.mark.parametrize("name", ["sacct", "sacct-xdmod", "pbs", "sacct-json"])
def test_logs_that_number_their_rows_drop_copies_by_job_and_times(
    tmp_path: Path, name: str
) -> None:
    once = read(tmp_path, name, ALL[name])
    if name == "sacct-json":
        begin, end = ALL[name].index("[\n") + 2, ALL[name].rindex("]")
        jobs = ALL[name][begin:end]
        twice = read(tmp_path, name, f"{ALL[name][:begin]}{jobs},{jobs}{ALL[name][end:]}")
    else:
        twice = read(tmp_path, name, 2 * ALL[name])
    assert twice.job_id.tolist() == once.job_id.tolist()
    assert twice.report.dropped["repeated_row"] == len(once)


def test_the_line_of_the_copy_is_named(tmp_path: Path) -> None:
    trace = read(tmp_path, "sge", SGE + SGE.splitlines(keepends=True)[2])
    # The file has two comments and three jobs, and then a copy of the first job.
    (fault,) = [each for each in trace.report.faults() if each.reason == "repeated_line"]
    assert (fault.count, fault.lines) == (1, (6,))


def test_tasks_of_an_array_with_the_same_times_are_kept(tmp_path: Path) -> None:
    line = sge_line(54, (1700000000, 1700000030, 1700000090))
    # In an SGE line, the task number follows the number of slots.
    tasks = [line.replace(":mpi:4:0:", f":mpi:4:{task}:") for task in (1, 2, 3)]
    assert read(tmp_path, "sge", "".join(tasks)).job_id.tolist() == [54] * 3
    line = lsf_line(43, ["4*n1"], 3600)
    # In an LSF line, the array index follows the shell and the event.
    tasks = [line.replace(' 8 "" "" 0 0 0 ', f' 8 "" "" {task} 0 0 ') for task in (1, 2, 3)]
    assert len({*tasks}) == 3
    assert read(tmp_path, "lsf", "".join(tasks)).job_id.tolist() == [43] * 3


def test_attempts_of_a_requeued_job_are_kept(tmp_path: Path) -> None:
    attempts = [sge_line(55, (1700000000, start, start + 60)) for start in (1700000030, 1700000500)]
    assert read(tmp_path, "sge", "".join(attempts)).wait.tolist() == [30, 500]
    line = lsf_line(44, ["4*n1"], 3600)
    again = line.replace("1700000010", "1700000020")
    assert read(tmp_path, "lsf", line + again).wait.tolist() == [10, 20]


def test_equal_jobs_without_numbers_are_kept(tmp_path: Path) -> None:
    row = "0,60,4,ann\n"
    assert len(read(tmp_path, "csv", "submit,run_time,processors,user\n" + 3 * row)) == 3
    # In Eagle's log, array tasks have no number of their own, and 41 of its 1,000 published lines
    # repeat an earlier line.
    text = ALL["eagle"]
    assert len(read(tmp_path, "eagle", text + text.splitlines()[1] + "\n")) == 3
