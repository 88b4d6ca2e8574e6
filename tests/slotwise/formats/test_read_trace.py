"""Logs of every format, recognised by how they begin and read according to their profiles."""

from __future__ import annotations

import gzip
import json
import pickle
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from reference.job_logs import ALL
from slotwise.cli import main
from slotwise.formats.job_files import write_trace
from slotwise.formats.registry import formats, recognised

if TYPE_CHECKING:
    from pathlib import Path


def log(folder: Path, name: str, text: str | None = None) -> Path:
    path = folder / f"jobs-{name}.log"
    path.write_text(ALL[name] if text is None else text, encoding="utf-8")
    return path


def read(folder: Path, name: str, zone: str | None = None) -> sw.Trace:
    return sw.read_trace(log(folder, name), zone=zone)


def utc(*date: int) -> int:
    return int(datetime(*date, tzinfo=UTC).timestamp())  # type: ignore[arg-type,misc]


@pytest.mark.parametrize("name", ALL)
def test_a_log_is_recognised_and_packed_ones_are_too(tmp_path: Path, name: str) -> None:
    path = log(tmp_path, name)
    found = recognised(str(path))
    assert found is not None
    assert found.name == name
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert sw.read_trace(packed) == sw.read_trace(path) == sw.read_trace(path, name)


def test_every_profile_has_a_log_here() -> None:
    own = {"parquet", "events", "intrepid", "csv", "swf"}
    assert set(formats()) == {*ALL, *own}


def test_sacct_gives_names_times_and_requests(tmp_path: Path) -> None:
    trace = read(tmp_path, "sacct")
    # Job 13 never started, and job 14 is still running; 11.batch is a step.
    assert trace.job_id.tolist() == [11, 15]
    assert trace.submit.tolist() == [utc(2024, 1, 1), utc(2024, 1, 1, 0, 10)]
    assert trace.eligible.tolist() == [utc(2024, 1, 1, 1), utc(2024, 1, 1, 0, 10)]
    assert trace.wait.tolist() == [7200, 5]
    assert trace.run_time.tolist() == [5400, 86400]
    assert trace.requested_time.tolist() == [7200, 86400]
    assert trace.processors.tolist() == [16, 4]
    assert trace.node_count.tolist() == [2, 1]
    assert trace.gpus.tolist() == [4, -1]
    # One job requests 2000 MB per core, the other 16 GB for its 4 cores on one node.
    assert trace.requested_memory.tolist() == [2000 * 1024, 4 << 20]
    assert trace.names("user") == ["änne", "bob"]
    assert trace.names("partition") == ["batch", "debug"]
    assert trace.names("account") == ["physics", "physics"]
    assert trace.names("qos") == ["normal", "high"]
    assert trace.names("state") == ["COMPLETED", "TIMEOUT"]
    assert trace.names("node_list") == ["n[1-2]", "n3"]
    assert trace.status.tolist() == [1, 0]
    assert trace.line.tolist() == [2, 4]
    assert trace.report.dropped == {"not_ended": 1, "never_started": 1}
    assert trace.report.notes == {"step": 1, "zone_assumed": 3}


def test_columns_of_sacct_are_found_in_any_order_and_case(tmp_path: Path) -> None:
    text = "END|state|START|jobid|NCPUS|SUBMIT\n1700000300|COMPLETED|1700000200|5|3|1700000100\n"
    trace = sw.read_trace(log(tmp_path, "sacct", text))
    assert (trace.submit[0], trace.wait[0], trace.run_time[0]) == (1700000100, 100, 100)
    assert trace.processors.tolist() == [3]
    assert "zone_assumed" not in trace.report.notes


def test_the_columns_of_xdmod_need_no_header(tmp_path: Path) -> None:
    trace = read(tmp_path, "sacct-xdmod")
    assert trace.job_id.tolist() == [21, 22, 24]
    assert trace.names("user") == ["ann", "bob", "ann"]
    assert trace.status.tolist() == [1, 5, 0]
    # These jobs state no limit, so their run times are used.
    assert trace.requested_time.tolist() == [600, 600, 600]
    assert trace.report.dropped == {"unknown_state": 1}
    assert trace.report.repaired == {"requested_time_from_run_time": 3}


def test_pbs_and_torque(tmp_path: Path) -> None:
    trace = read(tmp_path, "pbs")
    assert trace.job_id.tolist() == [31, 32]
    # The first job has 8 + 8 processors in exec_host; the second has 3 nodes with ppn=4.
    assert trace.processors.tolist() == [16, 12]
    assert trace.gpus.tolist() == [-1, 6]
    assert trace.node_count.tolist() == [2, -1]
    assert trace.eligible.tolist() == [1700000060, 1700000010]
    assert trace.wait.tolist() == [100, 0]
    assert trace.run_time.tolist() == [300, 100]
    assert trace.requested_time.tolist() == [3600, 86400]
    assert trace.status.tolist() == [1, 5]
    assert trace.names("queue") == ["batch", "gpu"]
    assert trace.names("account") == ["physics", ""]
    assert trace.names("node_list") == ["n1,n2", ""]


def test_the_order_of_an_accounting_file_is_no_fault(tmp_path: Path) -> None:
    path = log(tmp_path, "pbs", "".join(reversed(ALL["pbs"].splitlines(keepends=True))))
    trace = sw.read_trace(path)
    assert trace.job_id.tolist() == [31, 32]
    assert trace.report.repaired == {}


def test_lsf_finds_the_limit_behind_lists_of_hosts(tmp_path: Path) -> None:
    trace = read(tmp_path, "lsf")
    assert trace.job_id.tolist() == [41, 42]
    assert trace.processors.tolist() == [8, 8]
    assert trace.node_count.tolist() == [1, 2]
    # Job 42 has no limit, so its run time is used.
    assert trace.requested_time.tolist() == [3600, 60]
    assert trace.wait.tolist() == [10, 10]
    assert trace.status.tolist() == [1, 0]
    assert trace.names("account") == ["physics", "physics"]
    assert trace.names("node_list") == ["n1", "n1,n2"]


def test_grid_engine_in_seconds_and_milliseconds(tmp_path: Path) -> None:
    trace = read(tmp_path, "sge")
    assert trace.submit.tolist() == [1700000000, 1700000005]
    assert trace.wait.tolist() == [30, 35]  # fractions are cut off
    assert trace.run_time.tolist() == [60, 60]
    assert trace.requested_time.tolist() == [7200, 7200]
    assert trace.processors.tolist() == [4, 4]
    assert trace.status.tolist() == [1, 0]
    assert trace.report.dropped == {"never_started": 1}


def test_the_job_table_of_slurmdbd(tmp_path: Path) -> None:
    trace = read(tmp_path, "slurmdbd")
    assert trace.job_id.tolist() == [61]
    assert trace.processors.tolist() == [8]  # the allocated amount of TRES 1, the CPUs
    assert trace.requested_time.tolist() == [3600]
    assert trace.eligible.tolist() == [1700000100]
    assert trace.user.tolist() == [1001]


def test_sacct_as_json(tmp_path: Path) -> None:
    trace = read(tmp_path, "sacct-json")
    assert trace.job_id.tolist() == [71]
    assert trace.processors.tolist() == [64]
    assert trace.gpus.tolist() == [8]
    assert trace.requested_time.tolist() == [1800]
    assert trace.eligible.tolist() == [1700000005]
    # The job requests 1,024 MB in total on 64 processors, so 16 MB per processor.
    assert trace.requested_memory.tolist() == [16 * 1024]
    assert trace.report.dropped == {"not_ended": 1}


def test_pods_of_alibaba_ask_resources_of_one_node(tmp_path: Path) -> None:
    trace = read(tmp_path, "alibaba-gpu")
    assert trace.submit.tolist() == [0, 5]
    assert trace.processors.tolist() == [2, 32]  # 1.5 CPUs count as 2
    assert trace.unix_start_time is None
    assert trace.demands is not None
    assert trace.demands.units.tolist() == [1, 1]
    assert trace.demands.each["gpus"].tolist() == [1, 2]
    assert trace.demands.each["memory"].tolist() == [1 << 20, 2 << 20]


def test_eagle_counts_in_nodes_on_a_clock_in_denver(tmp_path: Path) -> None:
    trace = read(tmp_path, "eagle")
    assert trace.processors.tolist() == [2, 1]
    # Mountain Daylight Time is 6 hours behind UTC.
    assert trace.submit[0] == utc(2019, 7, 1, 18)
    assert trace.gpus.tolist() == [0, 2]
    assert trace.report.notes == {}


def test_cobalt_says_how_long_a_job_was_eligible(tmp_path: Path) -> None:
    trace = read(tmp_path, "cobalt")
    # Central Standard Time is 6 hours behind UTC. The job was eligible 600 s before its start.
    assert trace.submit.tolist() == [utc(2022, 1, 1, 6)]
    assert trace.eligible.tolist() == [utc(2022, 1, 1, 6, 50)]
    assert trace.processors.tolist() == [128]


def test_jobs_of_evalys_have_decimals(tmp_path: Path) -> None:
    trace = read(tmp_path, "evalys")
    assert trace.job_id.tolist() == [1, 2]
    assert trace.run_time.tolist() == [10, 10]
    assert trace.wait.tolist() == [1, 0]  # 0.5 s is rounded half up
    assert trace.report.dropped == {"not_ended": 1}


def test_profiles_of_batsim_say_the_run_times(tmp_path: Path) -> None:
    trace = read(tmp_path, "batsim")
    assert trace.job_id.tolist() == [1, 2, 3]
    # The profile of job 1 is a delay of 20 s. That of job 2 is four such delays, and the job has no
    # walltime. The profile of job 3 states no duration, so the walltime is used.
    assert trace.run_time.tolist() == [20, 80, 50]
    assert trace.requested_time.tolist() == [100, 80, 50]
    assert trace.wait.tolist() == [-1, -1, -1]
    assert trace.names("executable") == ["d", "twice", "work"]
    assert trace.max_processors == 8


def test_sequences_of_sequences_of_batsim_are_added_up_once(tmp_path: Path) -> None:
    profiles = {"p0": {"type": "delay", "delay": 1e-6}, "round": {"type": "sequence"}}
    # Each profile repeats the previous one ten times, so p12 has 10^12 delays of a microsecond.
    for i in range(1, 13):
        profiles[f"p{i}"] = {"type": "composed", "seq": [f"p{i - 1}"] * 10}
    profiles["round"]["seq"] = ["p0", "round"]
    jobs = [
        {"id": i, "subtime": 0, "walltime": 7, "res": 1, "profile": profile}
        for i, profile in enumerate(("p12", "round"))
    ]
    (tmp_path / "w.json").write_text(json.dumps({"jobs": jobs, "profiles": profiles}))
    # A sequence that contains itself has no end, so the walltime is used.
    assert sw.read_trace(tmp_path / "w.json").run_time.tolist() == [1_000_000, 7]


@pytest.mark.parametrize(
    ("start", "end", "elapsed", "run_time"),
    [
        # On 2024-10-27, clocks in Stockholm pass from 02:00 to 03:00 twice.
        ("2024-10-27T02:30:00", "2024-10-27T02:10:00", "00:40:00", 2400),
        ("2024-10-27T02:10:00", "2024-10-27T02:30:00", "01:20:00", 4800),
        ("2024-10-27T01:30:00", "2024-10-27T03:30:00", "03:00:00", 10800),
        # On 2024-03-31, they skip the hour from 02:00 to 03:00.
        ("2024-03-31T01:30:00", "2024-03-31T03:30:00", "01:00:00", 3600),
        ("2024-06-01T01:00:00", "2024-06-01T02:00:00", "01:00:00", 3600),
    ],
)
def test_run_times_tell_which_of_two_hours_is_meant(
    tmp_path: Path, start: str, end: str, elapsed: str, run_time: int
) -> None:
    head = "JobID|Submit|Start|End|Elapsed|State|NCPUS"
    text = f"{head}\n1|{start}|{start}|{end}|{elapsed}|COMPLETED|1\n"
    trace = sw.read_trace(log(tmp_path, "sacct", text), zone="Europe/Stockholm")
    assert trace.run_time.tolist() == [run_time]


def test_a_row_that_two_exports_share_counts_once(tmp_path: Path) -> None:
    head, *rows = ALL["sacct"].splitlines()
    again = "\n".join([head, *rows, *rows]) + "\n"
    trace = sw.read_trace(log(tmp_path, "sacct", again))
    assert trace == read(tmp_path, "sacct")
    assert trace.report.dropped["repeated_row"] == 2


def test_attempts_of_a_requeued_job_are_jobs_of_their_own(tmp_path: Path) -> None:
    text = (
        "JobIDRaw|Submit|Start|End|State|NCPUS\n"
        "9|2024-01-01T00:00:00|2024-01-01T00:01:00|2024-01-01T00:02:00|NODE_FAIL|4\n"
        "9|2024-01-01T00:02:00|2024-01-01T00:05:00|2024-01-01T00:09:00|COMPLETED|4\n"
    )
    trace = sw.read_trace(log(tmp_path, "sacct", text), "sacct")
    assert trace.run_time.tolist() == [60, 240]
    assert trace.job_id.tolist() == [9, 9]


def test_a_zone_in_the_times_is_heeded(tmp_path: Path) -> None:
    text = (
        "JobID|Submit|Start|End|State|NCPUS\n"
        "1|2024-01-01T01:00:00+01:00|2024-01-01T00:00:10Z|2024-01-01T00:00:20Z|COMPLETED|1\n"
    )
    trace = sw.read_trace(log(tmp_path, "sacct", text), zone="Asia/Tokyo")
    assert (trace.submit[0], trace.wait[0]) == (utc(2024, 1, 1), 10)
    assert trace.report.notes == {}


def test_names_that_are_not_utf8_are_latin1(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(ALL["sacct"].encode("latin-1"))
    assert sw.read_trace(path).names("user") == ["änne", "bob"]


def test_a_log_packed_with_zstd_is_read(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "log.zst"
    with pa.CompressedOutputStream(str(path), "zstd") as packed:
        packed.write(ALL["sacct"].encode())
    assert sw.read_trace(path) == read(tmp_path, "sacct")


@pytest.mark.parametrize("name", sorted(set(ALL)))
def test_names_and_columns_come_back_from_csv_and_parquet(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    trace = read(tmp_path, name)
    for kind in (".csv", ".parquet"):
        path = tmp_path / f"copy{kind}"
        write_trace(trace, path)
        back = sw.read_trace(path)
        assert back == trace
        for column in trace.labels:
            assert back.names(column) == trace.names(column)


def test_a_workload_for_batsim_is_read_again(tmp_path: Path) -> None:
    trace = read(tmp_path, "sacct")
    write_trace(trace, tmp_path / "w.json")
    back = sw.read_trace(tmp_path / "w.json")
    for column in ("submit", "run_time", "requested_time", "processors", "job_id"):
        assert np.array_equal(getattr(back, column), getattr(trace, column))


def test_names_are_in_metrics_explanations_and_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"{job}|{user}|{at}|{at}|{at + 100}|COMPLETED|4|2"
        for job, user, at in ((1, "ann", 1700000000), (2, "[bold]bob", 1700000010))
    ]
    text = "\n".join(["JobID|User|Submit|Start|End|State|NCPUS|TimelimitRaw", *rows, ""])
    path = log(tmp_path, "sacct", text)
    result = sw.simulate(sw.read_trace(path), sw.Site(machine=sw.Processors(4)))
    # Job 2 waits from 10 to 100 for job 1.
    assert {u: m["mean_wait"] for u, m in result.metrics_by("user").items()} == {
        "ann": 0, "[bold]bob": 90,
    }  # fmt: skip
    page = tmp_path / "page.html"
    assert main(["run", str(path), "--processors", "4", "--report", str(page)]) == 0
    assert '"1":"ann"' in page.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["explain", str(path), "2", "--processors", "4"]) == 0
    assert "ann" in capsys.readouterr().out


def test_names_stay_in_snapshots_and_pickles(tmp_path: Path) -> None:
    trace = read(tmp_path, "sacct-xdmod")
    assert pickle.loads(pickle.dumps(trace)).names("user") == trace.names("user")
    sim = sw.Simulation(trace, sw.Site(machine=sw.Processors(8)))
    sim.run(until=int(trace.submit[0]))
    back = sw.Snapshot.from_bytes(sim.snapshot().to_bytes()).simulation()
    back.run()
    assert back.result().trace.names("user") == trace.names("user")


@pytest.mark.parametrize("how", ["sacct", "pbs", "lsf", "sge"])
def test_the_command_at_the_centre_is_printed(how: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--how", how]) == 0
    out = capsys.readouterr().out
    assert f"--format {how}" in out
    has_dates = how in ("sacct", "pbs")
    assert ("# Replace the dates with those of the log that you want." in out) == has_dates
    assert main(["info", "--how", "csv"]) == 2
    assert main(["formats", "--json"]) == 0


def test_commands_take_a_format_and_a_zone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(log(tmp_path, "sacct"))
    firsts = []
    for options in ([], ["--zone", "Asia/Tokyo"]):
        assert main(["info", path, "--format", "sacct", "--json", *options]) == 0
        firsts.append(json.loads(capsys.readouterr().out)["first_submit"])
    assert firsts[0] - firsts[1] == 9 * 3600  # Tokyo is 9 hours ahead
    assert main(["info", path, "--format", "pbs"]) == 3
    assert "looks like sacct" in capsys.readouterr().err
    assert main(["info", path, "--format", "nothing"]) == 2
    assert main(["info", path, "--zone", "Mars"]) == 2
    assert main(["convert", path, str(tmp_path / "o.csv"), "--anonymise"]) == 0
    text = (tmp_path / "o.csv").read_text()
    assert "bob" not in text
    assert "physics" not in text
    assert '"COMPLETED"' in text


def test_times_in_utc_are_noted_by_info_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(log(tmp_path, "sacct"))
    assert main(["info", path]) == 0
    assert "times without a zone" in capsys.readouterr().out
    assert main(["run", path, "--processors", "16"]) == 0
    assert "zone" not in capsys.readouterr().out
