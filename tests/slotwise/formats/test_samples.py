"""Real logs: values published elsewhere, and sums from plain independent readers."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from reference import log_readers
from slotwise.advice.logged_site.described import describe_log
from slotwise.cli import main
from slotwise.cli.grouped_waits import GroupedWaits
from slotwise.formats.format import ReadOptions
from slotwise.formats.records.lsf import lsf_records
from slotwise.formats.records.pbs import pbs_records
from slotwise.formats.registry import format_of_profile
from slotwise.formats.slurm_site import describe_site
from slotwise.formats.text.profile import Profile
from slotwise.site.machine.hostlist import expanded

if TYPE_CHECKING:
    from pathlib import Path


def check_sums(trace: sw.Trace, jobs: list[dict[str, Any]], *columns: str) -> None:
    assert len(trace) == len(jobs)
    assert int((trace.run_time * trace.processors).sum()) == log_readers.core_seconds(jobs)
    assert int(trace.wait.sum()) == sum(job["start"] - job["submit"] for job in jobs)
    for column in columns:
        assert Counter(trace.names(column)) == log_readers.counts(jobs, column)


def test_sacct_of_phillips(shared_traces: Path) -> None:
    path = shared_traces / "accounting/slurm-sacct-phillips.log.gz"
    trace = sw.read_trace(path)
    jobs = log_readers.sacct_jobs(path, header=False)
    assert len(jobs) == 4285
    check_sums(trace, jobs, "user", "group", "account", "partition", "qos")
    states = Counter(name.split()[0] for name in trace.names("state"))
    assert states == {"COMPLETED": 2324, "FAILED": 1717, "CANCELLED": 243, "TIMEOUT": 1}


def test_five_hundred_jobs_of_a_real_slurm_replay_with_their_names(shared_traces: Path) -> None:
    path = shared_traces / "formats/slurm-real-micro/slurm_acct.out"
    trace = sw.read_trace(path)
    check_sums(trace, log_readers.sacct_jobs(path, header=True), "user", "account", "state")
    # The machine has 10 nodes of 12 cores.
    result = sw.simulate(trace, sw.Site(machine=sw.Processors(120)))
    assert set(result.metrics_by("user")) == {f"user{number}" for number in range(1, 6)}
    assert (result.start >= 0).all()


def test_eagle(shared_traces: Path) -> None:
    path = shared_traces / "formats/eagle/sample_eagle_data.csv"
    trace = sw.read_trace(path)
    check_sums(trace, log_readers.eagle_jobs(path), "user", "account", "partition", "state")
    # Mountain Standard Time, 7 hours behind UTC.
    assert trace.submit[0] == log_readers.seconds("2019-01-01 08:55:55") + 7 * 3600


@pytest.mark.parametrize("name", ["default", "gpushare100"])
def test_pods_of_alibaba(shared_traces: Path, name: str) -> None:
    path = shared_traces / f"formats/alibaba-gpu-2023/openb_pod_list_{name}.csv.gz"
    trace = sw.read_trace(path)
    jobs = log_readers.alibaba_jobs(path)
    check_sums(trace, jobs, "qos")
    assert trace.gpus.sum() == sum(int(job["num_gpu"]) for job in jobs)


def test_values_that_xdmod_finds_in_sacct(shared_traces: Path) -> None:
    folder = shared_traces / "accounting/slurm"
    expected = json.loads((folder / "output__accounting-logs.json").read_text())
    trace = sw.read_trace(folder / "input__accounting-logs.log")
    # The last of the four jobs had no nodes.
    assert trace.report.dropped == {"no_processors": 1}
    assert len(trace) == 3
    eligible = np.maximum(trace.eligible, trace.submit)
    for row, job in enumerate(expected[:3]):
        start = trace.submit[row] + trace.wait[row]
        assert trace.job_id[row] == int(job["job_id"])
        assert trace.submit[row] == job["submit_time"]
        assert eligible[row] == job["eligible_time"]
        assert start == job["start_time"]
        assert start + trace.run_time[row] == job["end_time"]
        assert trace.requested_time[row] == job["timelimit"]
        assert trace.processors[row] == int(job["ncpus"])
        assert trace.node_count[row] == int(job["nnodes"])
        for ours, theirs in (
            ("user", "user_name"), ("group", "group_name"), ("account", "account_name"),
            ("partition", "partition_name"), ("qos", "qos_name"), ("state", "state"),
            ("node_list", "node_list"),
        ):  # fmt: skip
            assert trace.names(ours)[row] == job[theirs]


@pytest.mark.parametrize(
    ("name", "reason"), [("non-ended", "2 x not_ended"), ("unknown", "2 x unknown_state")]
)
def test_states_that_xdmod_skips(shared_traces: Path, name: str, reason: str) -> None:
    with pytest.raises(sw.TraceError, match=reason):
        sw.read_trace(shared_traces / f"accounting/slurm/input__{name}-job-state.log")


def test_array_tasks_of_xdmod_are_rows_of_their_own(shared_traces: Path) -> None:
    trace = sw.read_trace(
        shared_traces / "accounting/slurm/input__accounting-logs-with-job-arrays.log"
    )
    assert trace.job_id.tolist() == [4103947] * 6


def test_bytes_of_many_to_a_letter_shift_no_column(shared_traces: Path) -> None:
    trace = sw.read_trace(shared_traces / "accounting/slurm/input__utf8-multibyte-chars.log")
    assert trace.names("node_list") == ["d07n07s02"]
    trace = sw.read_trace(shared_traces / "formats/xdmod/lsf/input-utf8-multibyte-chars.log")
    assert trace.requested_time.tolist() == [43200]


def test_values_that_xdmod_finds_in_pbs(shared_traces: Path) -> None:
    folder = shared_traces / "accounting/pbs"
    expected = json.loads((folder / "output__accounting-logs.json").read_text())
    path = folder / "input__accounting-logs.log"
    records = [record for _, record in pbs_records(str(path))]
    assert len(records) == len(expected) == 9
    for record, job in zip(records, expected.values(), strict=True):
        assert record["id"].split(".")[0] == job["job_id"]
        for name in ("queue", "user", "ctime", "start", "end", "jobname"):
            assert record[name] == str(job[name])
        if job.get("node_list"):
            assert record["exec_host.list"] == job["node_list"]
    trace = sw.read_trace(path)
    by_id = {number: row for row, number in enumerate(trace.job_id.tolist())}
    limits = {int(j["job_id"]): j.get("resource_list_walltime") for j in expected.values()}
    for number, limit in limits.items():
        row = by_id[number]
        assert trace.requested_time[row] == (trace.run_time[row] if limit is None else limit)
    # The last job requested 48 processors, but its host list does not give their number. Two jobs
    # request 28 processors as nodes=1:ppn=28, without ncpus.
    cpus = {number: int(trace.processors[row]) for number, row in by_id.items()}
    assert cpus == {
        6: 32, 6464684: 4, 2994: 65, 2995: 12, 7904: 28, 10711: 28, 10712: 28, 3073070: 48
    }  # fmt: skip
    gpus = {number: int(trace.gpus[row]) for number, row in by_id.items() if trace.gpus[row] > 0}
    # Resource_List.gpu=2 of job 10712 counts here, although XDMoD finds no GPU.
    assert gpus == {7904: 1, 10711: 4, 10712: 2, 3073070: 4}


def test_values_that_xdmod_finds_in_lsf(shared_traces: Path) -> None:
    folder = shared_traces / "formats/xdmod/lsf"
    expected = json.loads((folder / "output-accounting-logs.json").read_text())
    records = [record for _, record in lsf_records(str(folder / "input-accounting-logs.log"))]
    assert len(records) == len(expected) == 2
    for record, job in zip(records, expected, strict=True):
        assert record["job_id"] == job["job_id"]
        assert record["submit"] == job["submit_time"]
        assert record["start"] == job["start_time"]
        assert record["end"] == job["event_time"]
        assert record["processors"] == job["num_processors"]
        assert record["user"] == job["user_name"]
        assert record["queue"] == job["queue"]
        assert record["project"] == job["project_name"]
        assert record["status"] == job["j_status"]
        assert record["hosts"] == ",".join(dict.fromkeys(job["exec_hosts"]))
        assert record["run_limit"] == "43200"  # BSUB -W 12:00 in its script


@pytest.mark.parametrize("name", ["sge", "uge"])
def test_values_that_xdmod_finds_in_grid_engine(shared_traces: Path, name: str) -> None:
    folder = shared_traces / "formats/xdmod" / name
    expected = json.loads((folder / "output-accounting-logs.json").read_text())
    trace = sw.read_trace(folder / "input-accounting-logs.log")
    assert len(trace) == len(expected) == 2
    for row, job in enumerate(expected):
        assert trace.job_id[row] == int(job["job_number"])
        assert trace.submit[row] == int(job["submission_time"])
        assert trace.submit[row] + trace.wait[row] == int(job["start_time"])
        assert trace.run_time[row] == int(job["end_time"]) - int(job["start_time"])
        assert trace.processors[row] == int(job["slots"])
        assert trace.names("user")[row] == job["owner"]
        assert trace.names("queue")[row] == job["qname"]
        limit = job.get("resource_list_h_rt")
        assert trace.requested_time[row] == int(limit or trace.run_time[row])


def test_steps_between_jobs_are_passed_over(shared_traces: Path) -> None:
    trace = sw.read_trace(shared_traces / "formats/slurm2sql/test-data1.csv")
    assert trace.job_id.tolist() == [43974388, 43977780]
    assert trace.run_time.tolist() == [12805, 17]  # job 2 has no end; 17 s is its elapsed time
    assert trace.report.notes["step"] == 3


def test_workloads_of_batsim(shared_traces: Path) -> None:
    folder = shared_traces / "formats/batsim"
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text())
        if path.name == "test_long_workload.json":
            with pytest.raises(sw.TraceError, match=r"must lie between 0 and 2\^53 seconds"):
                sw.read_trace(path)
            continue
        trace = sw.read_trace(path)
        timed = [
            job for job in told["jobs"]
            if job.get("walltime", -1) > 0 or told["profiles"][job["profile"]]["type"] == "delay"
        ]  # fmt: skip
        assert len(trace) == len(timed)
        assert trace.processors.sum() == sum(job["res"] for job in timed)


def test_the_array_tasks_that_xdmod_finds_are_in_the_numbers(shared_traces: Path) -> None:
    folder = shared_traces / "accounting/slurm"
    expected = json.loads((folder / "output__accounting-logs-with-job-arrays.json").read_text())
    lines = (folder / "input__accounting-logs-with-job-arrays.log").read_text().splitlines()
    # A list of tasks is written like a list of nodes: 4103947_[1-3] has tasks 1 to 3.
    tasks = [line.partition("|")[0].partition("_")[2] for line in lines]
    assert [[int(name) for name in expanded(each, 100)] for each in tasks] == expected
    assert len(sw.read_trace(folder / "input__accounting-logs-with-job-arrays.log")) == len(tasks)


@pytest.mark.parametrize(
    ("name", "words"), [("non-ended", "non-ended state"), ("unknown", "unknown state")]
)
def test_xdmod_skips_as_many_rows_for_their_states(
    shared_traces: Path, name: str, words: str
) -> None:
    folder = shared_traces / "accounting/slurm"
    expected = json.loads((folder / f"output__{name}-job-state.json").read_text())
    skipped = [log for job in expected for log in job["debug"] if words in log]
    with pytest.raises(sw.TraceError, match=f"{len(skipped)} x "):
        sw.read_trace(folder / f"input__{name}-job-state.log")


def test_texts_of_many_bytes_to_a_letter_are_those_that_xdmod_finds(
    shared_traces: Path, tmp_path: Path
) -> None:
    folder = shared_traces / "accounting/slurm"
    (job,) = json.loads((folder / "output__utf8-multibyte-chars.json").read_text())
    profile = resources.files("slotwise.formats.profiles").joinpath("sacct-xdmod.toml").read_text()
    (tmp_path / "named.toml").write_text(
        profile.replace("[columns]\n", '[columns]\nexecutable = "jobname"\n'), encoding="utf-8"
    )
    named = format_of_profile(Profile.load(tmp_path / "named.toml"))
    trace = named.read(str(folder / "input__utf8-multibyte-chars.log"), ReadOptions())
    assert trace.names("executable") == [job["job_name"]]
    folder = shared_traces / "formats/xdmod/lsf"
    (command,) = json.loads((folder / "output-utf8-multibyte-chars.json").read_text())
    ((_, record),) = lsf_records(str(folder / "input-utf8-multibyte-chars.log"))
    assert record["command"] == command["command"]


def test_the_site_of_the_real_slurm_run_has_its_ten_nodes_of_twelve_cores(
    shared_traces: Path,
) -> None:
    folder = shared_traces / "formats/slurm-real-micro"
    trace = sw.read_trace(folder / "slurm_acct.out")
    nodes = tomllib.loads(describe_log(trace))["machine"]["nodes"]
    assert {(each["hosts"], each["cores"]) for each in nodes} == {
        ("b1", 12), ("g1", 12), ("m[1-4]", 12), ("n[1-4]", 12),
    }  # fmt: skip


def test_the_real_slurm_run_replays_on_the_nodes_of_its_slurm_conf(
    shared_traces: Path, tmp_path: Path
) -> None:
    folder = shared_traces / "formats/slurm-real-micro"
    site = describe_site(folder / "slurm.conf").site
    trace = sw.read_trace(folder / "slurm_acct.out")
    # The debug partition has no jobs in the log.
    with pytest.warns(sw.SiteWarning, match="no queue or partition 'debug'; it has normal"):
        result = sw.simulate(trace, site)
    assert (result.start >= 0).all()
    assert set(result.queue.tolist()) == {0}
    result.to_report(
        tmp_path / "page.html",
        groups=GroupedWaits({"log": result}, "user", 10, (0, 0)).tables(whole=True),
    )
    page = (tmp_path / "page.html").read_text()
    assert all(f"user{number}" in page for number in range(1, 6))


@pytest.mark.parametrize(
    ("path", "by", "name", "machine"),
    [
        ("accounting/slurm-sacct-phillips.log.gz", "user", "noror", ["--processors", "372"]),
        ("formats/eagle/sample_eagle_data.csv", "account", "account0003", ["--processors", "2000"]),
        (
            "formats/alibaba-gpu-2023/openb_pod_list_default.csv.gz", "qos", "Burstable",
            ["--processors", "100000"],
        ),
        ("formats/batsim/example_workload_hpc_seed1_jobs250.json", "executable", "ft.D.8", []),
    ],
)  # fmt: skip
def test_samples_replay_with_their_names_on_the_screen_and_in_the_report(
    shared_traces: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    path: str, by: str, name: str, machine: list[str],
) -> None:  # fmt: skip
    report = tmp_path / "page.html"
    typed = ["run", str(shared_traces / path), *machine, "--by", by, "--report", str(report)]
    assert main(typed) == 0
    assert name in capsys.readouterr().out
    assert name in report.read_text()
