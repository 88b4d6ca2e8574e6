"""Plain readers of job logs, written independently of the package; they return dictionaries."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

XDMOD = [
    "jobid", "jobidraw", "cluster", "partition", "qos", "account", "group", "gid", "user", "uid",
    "submit", "eligible", "start", "end", "elapsed", "exitcode", "state", "nnodes", "ncpus",
    "reqcpus", "reqmem", "reqtres", "alloctres", "timelimit", "nodelist", "jobname",
]  # fmt: skip


def lines_of(path: Path) -> list[str]:
    data = path.read_bytes()
    text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    return text.decode().splitlines()


def seconds(date: str) -> int:
    return int(datetime.fromisoformat(date + "+00:00").timestamp())


def sacct_jobs(path: Path, *, header: bool) -> list[dict[str, Any]]:
    lines = lines_of(path)
    names = lines.pop(0).lower().split("|") if header else XDMOD
    rows = (dict(zip(names, line.split("|", len(names) - 1), strict=True)) for line in lines)
    jobs = []
    for row in rows:
        if "." in row["jobidraw"] or "Unknown" in (row["start"], row["end"]) or row["ncpus"] == "0":
            continue
        times = {name: seconds(row[name]) for name in ("submit", "start", "end")}
        state = row["state"].split()[0]
        if state in ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"):
            jobs.append({**row, **times, "cores": int(row["ncpus"]), "state": state})
    return jobs


def eagle_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for row in csv.DictReader(lines_of(path)):
        times = {name: seconds(row[f"{name}_time"]) for name in ("submit", "start", "end")}
        jobs.append({**row, **times, "cores": int(row["nodes_req"])})
    return jobs


def alibaba_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for row in csv.DictReader(lines_of(path)):
        if not row["scheduled_time"] or row["pod_phase"] == "Pending":
            continue
        times = {"start": int(row["scheduled_time"]), "end": int(row["deletion_time"])}
        cores = -(-int(row["cpu_milli"]) // 1000)
        jobs.append({**row, **times, "submit": int(row["creation_time"]), "cores": cores})
    return jobs


def pbs_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for line in lines_of(path):
        _, kind, _, values = line.split(";", 3)
        if kind == "E":
            row = dict(re.findall(r"(\S+?)=(\S*)", values))
            times = {
                "submit": int(row["ctime"]),
                "start": int(row["start"]),
                "end": int(row["end"]),
            }
            jobs.append({**row, **times, "cores": int(row["Resource_List.ncpus"])})
    return jobs


def lsf_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for line in lines_of(path):
        fields = next(csv.reader([line], delimiter=" "))
        if fields[0] == "JOB_FINISH":
            times = {"submit": int(fields[7]), "start": int(fields[10]), "end": int(fields[2])}
            names = {"user": fields[11], "queue": fields[12]}
            jobs.append({**names, **times, "cores": int(fields[6])})
    return jobs


def sge_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for line in lines_of(path):
        fields = [] if line.startswith("#") else line.split(":")
        if fields and fields[9] != "0":
            times = [int(text) // (1000 if len(text) > 10 else 1) for text in fields[8:11]]
            job = dict(zip(("submit", "start", "end"), times, strict=True))
            names = {"user": fields[3], "queue": fields[0], "state": fields[12]}
            jobs.append({**job, **names, "cores": int(fields[34])})
    return jobs


def cobalt_jobs(path: Path) -> list[dict[str, Any]]:
    zone = ZoneInfo("America/Chicago")
    jobs = []
    for row in csv.DictReader(lines_of(path)):
        points = {"submit": "QUEUED", "start": "START", "end": "END"}
        times = {
            name: int(
                datetime.fromisoformat(row[f"{word}_TIMESTAMP"]).replace(tzinfo=zone).timestamp()
            )
            for name, word in points.items()
        }
        eligible = times["start"] - int(float(row["ELIGIBLE_WAIT_SECONDS"]))
        names = {"user": row["USERNAME_GENID"], "queue": row["QUEUE_NAME"]}
        cores = int(float(row["NODES_USED"]))
        jobs.append(
            {**names, **times, "cores": cores, "eligible": eligible, "state": row["EXIT_STATUS"]}
        )
    return jobs


def slurmdbd_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for row in csv.DictReader(lines_of(path)):
        # Pending, running and suspended jobs have the states 0 to 2.
        if int(row["state"]) < 3 or row["time_start"] == "0":
            continue
        allocated = dict(part.split("=") for part in row["tres_alloc"].split(","))
        times = {name: int(row[f"time_{name}"]) for name in ("submit", "start", "end")}
        jobs.append({**row, **times, "cores": int(allocated["1"]), "user": int(row["id_user"])})
    return jobs


def evalys_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for row in csv.DictReader(lines_of(path)):
        if row["final_state"] == "REJECTED":
            continue
        seconds = {
            name: math.floor(float(text) + 0.5) for name, text in row.items() if "time" in name
        }
        times = {"submit": seconds["submission_time"], "start": seconds["starting_time"]}
        times["end"] = times["start"] + seconds["execution_time"]
        cores = int(row["requested_number_of_resources"])
        jobs.append({**times, "cores": cores, "state": row["final_state"]})
    return jobs


def sacct_json_jobs(path: Path) -> list[dict[str, Any]]:
    jobs = []
    for job in json.loads(path.read_text(encoding="utf-8"))["jobs"]:
        state = job["state"]["current"]
        state = state if isinstance(state, str) else state[0]
        if state in ("RUNNING", "PENDING") or job["time"]["start"] == 0:
            continue
        cores = sum(each["count"] for each in job["tres"]["allocated"] if each["type"] == "cpu")
        times = {name: job["time"][name] for name in ("start", "end")}
        submit = job["time"]["submission"]
        jobs.append({**job, **times, "submit": submit, "cores": cores, "state": state})
    return jobs


def core_seconds(jobs: Iterable[dict[str, Any]]) -> int:
    return sum(job["cores"] * (job["end"] - job["start"]) for job in jobs)


def counts(jobs: Iterable[dict[str, Any]], column: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for job in jobs:
        found[job[column]] = found.get(job[column], 0) + 1
    return found
