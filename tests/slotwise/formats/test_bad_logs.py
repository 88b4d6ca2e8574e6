"""Logs that are truncated, mixed, faulty or forged: counts by reason, or one clear error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from reference.job_logs import ALL
from slotwise.terminal.exits import ExitCode, exit_code_of

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "JobID|Cluster|Submit|Start|End|Elapsed|State|NCPUS"
GOOD = "1|own|2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|00:01:00|COMPLETED|4"


def sacct(folder: Path, *rows: str, end: str = "\n") -> Path:
    path = folder / "sacct.txt"
    path.write_text("\n".join([HEAD, *rows]) + end, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2|own|2024-01-01T00:00:00|Unknown|Unknown|00:00:00|CANCELLED by 5|0", "never_started"),
        ("2|own|2024-01-01T00:00:00|2024-01-01T00:01:00|Unknown|Unknown|COMPLETED|4", "not_ended"),
        ("2|own|2024-01-01T00:00:00|2024-01-01T00:01:00|Unknown|00:09:00|PENDING|4", "not_ended"),
        (GOOD.replace("COMPLETED", "FINE"), "unknown_state"),
        (GOOD.replace("00:02:00|", "00:00:59|"), "end_before_start"),
        (GOOD.replace("|00:01:00|", "|-5|"), "end_before_start"),
        (GOOD.replace("2024-01-01T00:01:00", "1969-12-31T00:01:00"), "before_1990"),
        (GOOD.replace("|4", "|0"), "no_processors"),
        (GOOD.replace("|4", "|many"), "malformed"),
        (GOOD.replace("2024-01-01T00:00:00", "2024-13-01T00:00:00"), "malformed"),
        (GOOD[:40], "other_field_count"),
        (GOOD + "|5", "other_field_count"),
    ],
)
def test_a_row_that_is_no_job_is_dropped_with_its_reason(
    tmp_path: Path, row: str, reason: str
) -> None:
    trace = sw.read_trace(sacct(tmp_path, GOOD, row))
    assert len(trace) == 1
    assert trace.report.dropped == {reason: 1}
    assert trace.report.faults("dropped")[0].lines == (3,)


def test_a_line_that_is_cut_short_at_the_end_is_dropped(tmp_path: Path) -> None:
    trace = sw.read_trace(sacct(tmp_path, GOOD, GOOD[:30], end=""))
    assert trace.report.dropped == {"other_field_count": 1}


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("pbs", 30),  # 01/02/2024 03:04:05;E;31.own;us
        ("pbs", 12),  # 01/02/2024 0
        ("lsf", 200),  # cut within the hosts
        ("lsf", 8),  # "JOB_FIN
    ],
)
def test_a_record_that_is_cut_short_is_counted(tmp_path: Path, name: str, cut: int) -> None:
    lines = ALL[name].splitlines(keepends=True)
    (tmp_path / "whole").write_text("".join(lines))
    (tmp_path / "cut").write_text("".join(lines) + lines[1][:cut])
    whole, trace = sw.read_trace(tmp_path / "whole"), sw.read_trace(tmp_path / "cut")
    assert trace.job_id.tolist() == whole.job_id.tolist()
    assert trace.report.dropped == {"malformed": 1}
    assert trace.report.faults("dropped")[0].lines == (len(lines) + 1,)


def test_lines_of_something_else_in_an_accounting_file_are_counted(tmp_path: Path) -> None:
    for name in ("pbs", "lsf"):
        path = tmp_path / name
        path.write_text(f"{ALL[name]}\n#comment of LSF\nnoise\n\n")
        # PBS logs have no comments, so the reader counts this one as malformed.
        assert sw.read_trace(path).report.dropped == {"malformed": 2 if name == "pbs" else 1}


def test_a_record_of_pbs_may_list_many_nodes(tmp_path: Path) -> None:
    hosts = "+".join(f"node{number:06d}/0*16" for number in range(100_000))
    path = tmp_path / "pbs"
    # 100,000 names of 16 letters are more than 1 MiB.
    path.write_text(ALL["pbs"].replace("n1/0*8+n2/0-7", hosts))
    assert sw.read_trace(path).node_count[0] == 100_000


def test_counts_that_no_number_can_hold_are_no_counts(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for name, host, forged in (
        ("pbs", "n1/0*8", "n1/0*" + "9" * 5000),
        ("pbs", "3:ppn=4", "3:ppn=²"),
        ("pbs", "Exit_status=0", "Exit_status=²"),
        ("lsf", " 3600 0 0", " ² 0 0"),
    ):
        path.write_text(ALL[name].replace(host, forged))
        assert len(sw.read_trace(path)) == 2


def test_a_cell_that_no_replay_needs_is_repaired(tmp_path: Path) -> None:
    text = (
        "JobID|Submit|Start|End|State|NCPUS|ReqMem|Timelimit\n"
        "1|1700000000|1700000001|1700000009|COMPLETED|1|x|00:01:00\n"
    )
    (tmp_path / "a").write_text(text)
    trace = sw.read_trace(tmp_path / "a")
    (fault,) = trace.report.faults("repaired")
    assert (fault.reason, fault.lines, fault.example) == ("cell_unreadable", (2,), "ReqMem: x")


def test_a_submit_after_the_start_and_an_early_eligible_are_repaired(tmp_path: Path) -> None:
    text = (
        "JobID|Submit|Eligible|Start|End|State|NCPUS|Timelimit\n"
        "1|1700000005|1700000005|1700000001|1700000009|COMPLETED|1|00:01:00\n"
        "2|1700000005|1700000001|1700000006|1700000009|COMPLETED|1|00:01:00\n"
    )
    (tmp_path / "a").write_text(text)
    trace = sw.read_trace(tmp_path / "a")
    assert trace.submit.tolist() == [1700000001, 1700000005]
    assert trace.report.repaired == {"submit_after_start": 1, "eligible_before_submit": 1}


def test_jobs_without_a_time_limit_are_counted_with_their_lines(tmp_path: Path) -> None:
    rows = [f"{i}|1700000000|1700000001|1700000009|COMPLETED|1" for i in range(1, 6)]
    (tmp_path / "none").write_text("\n".join(["JobID|Submit|Start|End|State|NCPUS", *rows]))
    limits = ["", "UNLIMITED", "Partition_Limit", "00:10:00", "0"]
    some = [f"{row}|{limit}" for row, limit in zip(rows, limits, strict=True)]
    some.insert(0, "JobID|Submit|Start|End|State|NCPUS|Timelimit")
    (tmp_path / "some").write_text("\n".join(some))
    for name, lines, has_request in (
        ("none", (2, 3, 4, 5, 6), [0, 0, 0, 0, 0]), ("some", (2, 3, 4, 6), [0, 0, 0, 1, 0])
    ):  # fmt: skip
        trace = sw.read_trace(tmp_path / name)
        assert trace.has_request.tolist() == has_request
        (fault,) = trace.report.faults("repaired")
        assert (fault.reason, fault.lines) == ("requested_time_from_run_time", lines)
        assert fault.count == len(lines)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "\n", "the file is empty: it contains no jobs, only a header"),
        (HEAD + "\n" + GOOD.replace("COMPLETED", "RUNNING"), "1 x not_ended"),
        (f"{HEAD}\n{GOOD}\n{GOOD.replace('own', 'other')}", "jobs from 2 clusters (own, other)"),
        (HEAD + "\n" + GOOD + "\n\0\0\0", "contains NUL bytes"),
        (HEAD + "\n" + GOOD + "\n" + "x" * (17 << 20), "sacct.txt:3: the line has more than"),
        (
            HEAD + "\n" + GOOD + "\n" + GOOD.replace("2024-01-01T00:01:00", "1704067260"),
            "start contains times with a zone and times without one",
        ),
    ],
)
def test_a_file_that_cannot_be_replayed_is_one_error(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text)
    with pytest.raises(sw.TraceError) as caught:
        sw.read_trace(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert exit_code_of(caught.value) == ExitCode.TRACE_REFUSED


@pytest.mark.parametrize(
    ("header", "lacking"),
    [
        ("JobID|User|Partition|Start|End|State|NCPUS", "column Submit;"),
        ("jobid|user|partition|submit|start|state|ncpus", "column End;"),
        ("JobID|User|Partition|Submit|Start|Elapsed|State", "column NCPUS;"),
        ("User|Account|Partition|State|AllocTRES", "columns JobID, Submit, Start and End;"),
        ("JobID,User,Partition,Submit,End,State,NCPUS", "column Start;"),
    ],
)
def test_a_column_that_sacct_did_not_export_is_named(
    tmp_path: Path, header: str, lacking: str
) -> None:
    separator = "|" if "|" in header else ","
    n_columns = header.count(separator) + 1
    row = separator.join("2024-01-01T00:00:00" if i > 2 else "1" for i in range(n_columns))
    (tmp_path / "log").write_text(f"{header}\n{row}\n")
    for format in (None, "sacct"):
        with pytest.raises(sw.TraceError) as caught:
            sw.read_trace(tmp_path / "log", format)
        assert f"output of sacct, but has no {lacking} export the log again" in str(caught.value)
        assert "sacct -a -X -P -D" in str(caught.value)


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    (tmp_path / "log").touch()
    with pytest.raises(sw.TraceError, match="the file is empty; use a file with jobs"):
        sw.read_trace(tmp_path / "log")


@pytest.mark.parametrize("named", ["sacct", "pbs", "lsf", "batsim", "sge", "eagle", "csv", "swf"])
@pytest.mark.parametrize("name", ["sacct-xdmod", "pbs", "sge", "batsim"])
def test_a_file_of_another_format_is_named(tmp_path: Path, named: str, name: str) -> None:
    if named == name:
        return
    path = tmp_path / "log"
    path.write_text(ALL[name])
    with pytest.raises(sw.TraceError, match=f"looks like {name} .*--format {name}"):
        sw.read_trace(path, named)


def test_columns_of_fixed_width_name_the_command_that_writes_them_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(
        "JobID        Submit              Start               State      NCPUS \n"
        "------------ ------------------- ------------------- ---------- -----\n"
        "1            2024-01-01T00:00:00 2024-01-01T00:01:00 COMPLETED      4\n"
    )
    for named in (None, "sacct", "swf"):
        with pytest.raises(
            sw.TraceError, match=r"sacct with fixed-width columns.*info --how sacct"
        ):
            sw.read_trace(path, named)


def test_a_file_like_no_format_says_where_they_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("JobId=1001 UserId=ann(1005) JobState=COMPLETED\n")
    with pytest.raises(sw.TraceError, match="none of the known formats: 'slotwise formats'"):
        sw.read_trace(path)
    path.write_text("")
    with pytest.raises(sw.TraceError, match="the file is empty; use a file with jobs"):
        sw.read_trace(path)


def test_an_unknown_format_or_zone_is_refused(tmp_path: Path) -> None:
    path = sacct(tmp_path, GOOD)
    with pytest.raises(ValueError, match=r"unknown format 'sact'; known names are .*sacct"):
        sw.read_trace(path, "sact")
    with pytest.raises(sw.TraceError, match="'Mars' is not a known time zone"):
        sw.read_trace(path, zone="Mars")


@pytest.mark.parametrize("text", ["{", '{"jobs": [', '{"jobs": [{"id": 1', '{"nb_res": 2}', "{}"])
def test_json_that_ends_too_early_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "w.json").write_text(text)
    with pytest.raises(sw.TraceError):
        sw.read_trace(tmp_path / "w.json", "batsim")


def test_deep_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text('{"a": ' + "[" * 200_000)
    with pytest.raises(sw.TraceError, match="cannot be read as JSON"):
        sw.read_trace(tmp_path / "w.json", "batsim")


def test_a_number_above_every_float_leaves_the_run_time_of_a_batsim_job_open(
    tmp_path: Path,
) -> None:
    workload = {
        "nb_res": 4,
        "jobs": [{"id": 1, "subtime": 0, "walltime": 60, "res": 1, "profile": "p"}],
        "profiles": {"p": {"type": "delay", "delay": 10**400}},
    }
    (tmp_path / "w.json").write_text(json.dumps(workload))
    assert sw.read_trace(tmp_path / "w.json", "batsim").run_time.tolist() == [60]  # the walltime
    workload["profiles"] = {
        "p": {"type": "composed", "repeat": 10**400, "seq": ["d"]},
        "d": {"type": "delay", "delay": 10},
    }
    (tmp_path / "w.json").write_text(json.dumps(workload))
    assert sw.read_trace(tmp_path / "w.json", "batsim").run_time.tolist() == [10]  # one delay
