"""Sums over random logs match those of simple independent readers."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

import slotwise as sw
from reference import log_readers
from reference.job_logs import lsf_line, sge_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

JOBS = 300
YEAR_2022 = 1640995200


def drawn_times(draw: random.Random) -> tuple[int, int, int]:
    """Draw submit, start and end times."""
    submit = YEAR_2022 + draw.randrange(365 * 86400)
    start = submit + draw.choice([0, draw.randrange(86400)])
    return submit, start, start + draw.randrange(1, 86400)


def cobalt_log(draw: random.Random) -> str:
    zone = ZoneInfo("America/Chicago")
    rows = [
        "JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,"
        "USERNAME_GENID,PROJECT_NAME_GENID,QUEUE_NAME,WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,"
        "NODES_REQUESTED,LOCATION,EXIT_STATUS,ELIGIBLE_WAIT_SECONDS"
    ]
    for job in range(JOBS):
        submit, start, end = drawn_times(draw)
        clock = [
            f"{datetime.fromtimestamp(at, zone):%Y-%m-%d %H:%M:%S}" for at in (submit, start, end)
        ]
        clock[0] += draw.choice(["", ".250000"])
        nodes = draw.choice([1, 128, 4096])
        waited, queue = draw.randrange(start - submit + 1), draw.choice(["prod", "débug"])
        rows.append(
            f"n,{job}.0,own,{','.join(clock)},{draw.randrange(9)},7,{queue},7200.0,{end - start}.0,"
            f"{nodes}.0,{2 * nodes}.0,MIR-0,{draw.choice([0, 1, 143])},{waited}.0"
        )
    return "\n".join(rows)


def slurmdbd_log(draw: random.Random) -> str:
    rows = [
        "id_job,id_array_job,id_array_task,id_user,id_qos,account,partition,cpus_req,mem_req,"
        "nodes_alloc,nodelist,priority,state,timelimit,time_submit,time_eligible,time_start,"
        "time_end,tres_req,tres_alloc"
    ]
    for job in range(JOBS):
        submit, start, end = drawn_times(draw)
        state = draw.choice([1, 3, 3, 4, 5, 6, 7])
        begun = draw.random() < 0.9
        cores = draw.randrange(1, 200)
        array = f"{job - job % 5},{job % 5}" if draw.random() < 0.3 else "0,4294967294"
        user, account = draw.randrange(1000, 1009), draw.choice(["physics", "chimie"])
        rows.append(
            f"{job + 1},{array},{user},1,{account},batch,4,100,1,n1,5,{state},"
            f"{draw.choice([60, 4294967295])},{submit},{submit},"
            f'{start if begun else 0},{end},"1=4,2=100","1={cores},2=100,4=1"'
        )
    return "\n".join(rows)


def evalys_log(draw: random.Random) -> str:
    rows = [
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
        "success,final_state,starting_time,execution_time,finish_time,waiting_time"
    ]
    states = [
        "COMPLETED_SUCCESSFULLY",
        "COMPLETED_WALLTIME_REACHED",
        "COMPLETED_KILLED",
        "REJECTED",
    ]
    for job in range(JOBS):
        submit, wait, run = (draw.randrange(10**7) / 4 for _ in range(3))
        state = draw.choice(states)
        if state == "REJECTED":
            rows.append(f"{job},w,d,{submit},{900},10.0,0,{state},-1,-1,-1,-1")
            continue
        cores = draw.randrange(1, 99)
        rows.append(
            f"{job},w,d,{submit},{cores},{run + 1},1,{state},{submit + wait},{run + 1},"
            f"{submit + wait + run + 1},{wait}"
        )
    return "\n".join(rows)


def sacct_json_log(draw: random.Random) -> str:
    jobs = []
    for job in range(JOBS):
        submit, start, end = drawn_times(draw)
        state: Any = draw.choice(["COMPLETED", "FAILED", "TIMEOUT", "RUNNING", "CANCELLED"])
        limit: Any = {"set": True, "infinite": False, "number": 1440}
        amounts = [("cpu", "", draw.randrange(1, 99)), ("node", "", 1), ("gres", "gpu", 2)]
        allocated = [{"type": kind, "name": name, "count": n} for kind, name, n in amounts]
        jobs.append(
            {
                "job_id": job + 1,
                "array": {"job_id": 0, "task_id": {"set": False, "number": 0}},
                "user": draw.choice(["ann", "änne", "日本"]),
                "account": draw.choice(["physics", "chimie"]),
                "state": {"current": draw.choice([state, [state]])},
                "time": {
                    "submission": submit, "eligible": submit, "end": end, "limit": limit,
                    "start": start if draw.random() < 0.9 else 0, "elapsed": end - start,
                },
                "tres": {"allocated": allocated},
                "steps": [{"state": ["COMPLETED"], "time": {"start": {"number": 1}}}] * 3,
            }
        )  # fmt: skip
    return json.dumps({"meta": {"slurm": {}}, "jobs": jobs}, ensure_ascii=draw.random() < 0.5)


def pbs_log(draw: random.Random) -> str:
    rows = []
    for job in range(JOBS):
        submit, start, end = drawn_times(draw)
        cores, user = draw.randrange(1, 99), draw.choice(["ann", "änne"])
        rows.append(
            f"01/02/2024 03:04:05;{draw.choice('EEEEQS')};{job}.own;user={user} group=staff "
            f"queue={draw.choice('ab')} ctime={submit} qtime={submit} etime={submit} "
            f"start={start} exec_host=n1/0*{cores} Resource_List.ncpus={cores} end={end} "
            f"Resource_List.walltime=24:00:00 Exit_status={draw.choice([0, 1, 271])}"
        )
    return "\n".join(rows)


def lsf_log(draw: random.Random) -> str:
    text = '"JOB_NEW" "10.1" 1700000000 41\n'
    for job in range(JOBS):
        submit, start, end = drawn_times(draw)
        hosts = [f"{draw.randrange(1, 9)}*n{number}" for number in range(draw.randrange(1, 5))]
        line = lsf_line(job, hosts, draw.choice([0, 3600]), draw.choice([32, 64]))
        line = line.replace("1700000000", str(submit)).replace("1700000010", str(start))
        line = line.replace("1700000070", str(end)).replace(
            " 33554434 8 ", f" 3 {draw.randrange(1, 99)} "
        )
        text += line.replace('"ann"', draw.choice(['"ann"', '"änne"']))
    return text


def sge_log(draw: random.Random) -> str:
    text = "# Version: 8.1\n"
    for job in range(JOBS):
        submit, start, end = drawn_times(draw)
        unit = draw.choice([1, 1000])
        times = (submit * unit, start * unit if draw.random() < 0.9 else 0, end * unit)
        line = sge_line(job, times, draw.choice([0, 1, 137]))
        line = line.replace(":mpi:4:", f":mpi:{draw.randrange(1, 99)}:")
        text += line.replace(":ann:", draw.choice([":ann:", ":änne:"]))
    return text


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("name", "written", "read", "columns"),
    [
        ("cobalt", cobalt_log, log_readers.cobalt_jobs, ("user", "queue", "state")),
        ("slurmdbd", slurmdbd_log, log_readers.slurmdbd_jobs, ("user", "account", "state")),
        ("evalys", evalys_log, log_readers.evalys_jobs, ("state",)),
        ("pbs", pbs_log, log_readers.pbs_jobs, ("user", "group", "queue")),
        ("lsf", lsf_log, log_readers.lsf_jobs, ("user", "queue")),
        ("sge", sge_log, log_readers.sge_jobs, ("user", "queue", "state")),
        ("sacct-json", sacct_json_log, log_readers.sacct_json_jobs, ("user", "account", "state")),
    ],
)
def test_sums_are_those_of_a_plain_reader(
    tmp_path: Path, seed: int, name: str, written: Callable[[random.Random], str],
    read: Callable[[Path], list[dict[str, Any]]], columns: tuple[str, ...],
) -> None:  # fmt: skip
    path = tmp_path / name
    path.write_text(written(random.Random(seed)).rstrip() + "\n", encoding="utf-8")
    trace, jobs = sw.read_trace(path), read(path)
    assert len(trace) == len(jobs) > JOBS // 2
    assert int((trace.run_time * trace.processors).sum()) == log_readers.core_seconds(jobs)
    assert int(trace.wait.sum()) == sum(job["start"] - job["submit"] for job in jobs)
    assert np.sort(trace.submit).tolist() == sorted(job["submit"] for job in jobs)
    for column in columns:
        assert Counter(map(str, trace.names(column))) == Counter(str(job[column]) for job in jobs)
    if "eligible" in jobs[0]:
        assert int(trace.eligible.sum()) == sum(max(job["eligible"], job["submit"]) for job in jobs)
