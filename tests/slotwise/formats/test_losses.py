"""A conversion loses exactly the values that it reports as lost."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.cli import main
from slotwise.formats.job_files import TRACE_SUFFIXES, write_trace
from slotwise.formats.losses import EVALYS, lost_in
from slotwise.result.job_files import write_logged_jobs
from slotwise.trace.columns import COLUMNS
from slotwise.trace.labels import LABELLED

if TYPE_CHECKING:
    from pathlib import Path


def full() -> sw.Trace:
    """Return a trace with every column, names for every code, and a header with a comment."""
    columns: dict[str, Any] = {
        name: [position + 2, position + 3]
        for position, name in enumerate(COLUMNS)
        if name not in ("line", "processors", "requested_processors", "submit", "eligible")
    }
    columns |= {name: [f"{name} ä", f"{name}-b"] for name in LABELLED}
    columns |= {"dependency": ["", "afterok:3,singleton"]}
    # The first job requests no time, so its run time replaces the request.
    columns |= {"has_request": [0, 1], "run_time": [7, 8], "requested_time": [7, 20]}
    # A log that names its jobs' states also has their SWF status.
    columns |= {"submit": [5, 9], "eligible": [6, 9], "processors": [4, 8]}
    columns |= {"status": [1, 0], "requested_processors": [4, 8]}
    return sw.Trace.from_columns(
        **columns,
        max_processors=64,
        unix_start_time=1_700_000_000,
        header_lines=["; Computer: own", "; Note: a comment"],
    )


def converted(trace: sw.Trace, path: Path) -> sw.Trace:
    write_trace(trace, path)
    return sw.read_trace(path)


def what_is_lost(before: sw.Trace, after: sw.Trace) -> set[str]:
    """Return the differences, named as `lost_in` names them."""
    lost = set()
    for name in COLUMNS:
        was, is_now = before._column(name), after._column(name)
        if name == "line" or (was == -1).all():
            continue
        if name in LABELLED and before.names(name) == after.names(name):
            continue
        if name in LABELLED and np.array_equal(was, is_now):
            lost.add(f"names of {name}")
        elif not np.array_equal(was, is_now):
            lost.add(name)
    if not set(before.header_lines) <= set(after.header_lines):
        lost.add("header comments")
    if before.unix_start_time != after.unix_start_time:
        lost.add("the date of time 0")
    return lost


@pytest.mark.parametrize("source", TRACE_SUFFIXES)
@pytest.mark.parametrize("target", TRACE_SUFFIXES)
def test_what_each_pair_of_formats_loses_is_said(tmp_path: Path, source: str, target: str) -> None:
    trace = converted(full(), tmp_path / f"one{source}")
    after = converted(trace, tmp_path / f"two{target}")
    said, lost = set(lost_in(trace, target)), what_is_lost(trace, after)
    # A Batsim file is read back with its profiles as executables, which may happen to equal the
    # original ones.
    assert said - lost <= ({"executable"} if target == ".json" else set())
    assert {each.removeprefix("names of ") for each in lost} <= {
        each.removeprefix("names of ") for each in said
    }
    assert after.max_processors == 64


def test_convert_prints_what_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_trace(full(), tmp_path / "full.csv")
    assert main(["convert", str(tmp_path / "full.csv"), str(tmp_path / "less.swf")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Not kept, because the format cannot store it: eligible, gpus" in said
    assert "soft_walltime" in said
    assert "names of user" in said


def test_the_schedule_of_a_log_is_a_jobs_csv_and_what_it_loses_is_said(tmp_path: Path) -> None:
    # The second job failed and the third has no start.
    trace = sw.Trace.from_columns(
        [0, 5, 9], [20, 30, 40], [4, 4, 2], wait=[7, 0, -1], status=[1, 0, 5],
        requested_time=[60, 30, 40], user=["ann", "bob", "ann"], qos=["high", "low", "low"],
        energy=[900, 800, 700], max_processors=64,
    )  # fmt: skip
    write_logged_jobs(trace, tmp_path / "jobs.csv")
    rows = list(csv.DictReader((tmp_path / "jobs.csv").read_text().splitlines()))
    assert [row["final_state"] for row in rows] == [
        "COMPLETED_SUCCESSFULLY", "COMPLETED_FAILED", "REJECTED",
    ]  # fmt: skip
    assert [row["starting_time"] for row in rows] == ["7", "5", "-1"]
    assert [row["finish_time"] for row in rows] == ["27", "35", "-1"]
    # When job 1 starts at 7, job 2 already holds the lowest processors, 0 to 3.
    assert [row["allocated_resources"] for row in rows] == ["4-7", "0-3", ""]
    back = sw.read_trace(tmp_path / "jobs.csv")
    for name in ("submit", "wait", "run_time", "requested_time", "processors", "status", "energy"):
        assert np.array_equal(back._column(name), trace._column(name)[:2])
    assert back.names("user") == ["ann", "bob"]
    assert lost_in(trace, EVALYS) == ["qos", "the size of the machine"]


def test_convert_writes_a_jobs_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_trace(full(), tmp_path / "full.csv")
    target = str(tmp_path / "jobs.csv")
    assert main(["convert", str(tmp_path / "full.csv"), target, "--evalys"]) == 0
    assert "Not kept" in capsys.readouterr().out
    assert sw.read_trace(target, "evalys").submit.tolist() == [5, 9]
    assert main(["convert", str(tmp_path / "full.csv"), f"{target}.swf", "--evalys"]) == 2
    (tmp_path / "bare.csv").write_text("submit,run_time,processors\n0,5,1\n")
    assert main(["convert", str(tmp_path / "bare.csv"), target, "--evalys"]) == 3
    assert "bare.csv: no job has a logged start" in capsys.readouterr().err


def test_requests_for_nodes_are_lost_in_a_workload_of_batsim() -> None:
    demands = sw.Demands([2], cores=[4], memory=[1 << 20])
    trace = sw.Trace.from_columns([0], [20], [8], [20]).with_demands(demands)
    assert lost_in(trace, ".json") == lost_in(trace, EVALYS) == ["requests for nodes"]
    assert lost_in(trace, ".csv") == []
