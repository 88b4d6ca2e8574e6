"""Plain readers of job logs, written independently of the package: jobs as dictionaries."""

from __future__ import annotations

import csv
import gzip
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

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


def pbs_records(path: Path) -> list[dict[str, str]]:
    pattern = re.compile(r"(\S+?)=(\S*)")
    return [dict(pattern.findall(line.split(";", 3)[3])) for line in lines_of(path)]


def core_seconds(jobs: Iterable[dict[str, Any]]) -> int:
    return sum(job["cores"] * (job["end"] - job["start"]) for job in jobs)


def counts(jobs: Iterable[dict[str, Any]], column: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for job in jobs:
        found[job[column]] = found.get(job[column], 0) + 1
    return found
