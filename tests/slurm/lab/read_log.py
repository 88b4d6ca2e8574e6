"""Writes a lab's recording: jobs from the accounting text and the workload, events from the log.

    python tests/slurm/lab/read_log.py FOLDER_OF_A_LAB STEM   (writes STEM.csv, STEM.events.gz)

Each event line has an instant in seconds, a kind, and the fields of this kind. Instants count from
2026-01-01 00:00 on the emulated clock.
submit JOB PRIORITY | start JOB main|backfill NODES | end JOB | free NODE | priority JOB VALUE
main full|depth (a pass of the main scheduler) | cycle (of the backfill scheduler) | stop (its end)
renew SECONDS (of age and fair share of all waiting jobs; SECONDS since the previous renewal)
parts JOB VALUE NAME=PART ... (a priority and its weighted parts, if they have changed)
held (a pass of the main scheduler was left out, because a job was completing)
cut JOB (the cycle ended early, because the state had changed; JOB was the last job that it tested)
spent JOB (the cycle ended early, because bf_max_time was up; JOB was the last job whose test it
completed, or 0)
plan JOB BEGIN END NODES (of the last cycle; BEGIN as predicted, END rounded down to bf_resolution)
"""

from __future__ import annotations

import csv
import datetime
import gzip
import re
import sys
from pathlib import Path

ZERO = datetime.datetime(2026, 1, 1)
PATTERNS = {
    "submit": re.compile(r"_slurm_rpc_submit_batch_job: JobId=(\d+) InitPrio=(\d+)"),
    "start main": re.compile(r"sched: Allocate JobId=(\d+) NodeList=(\S+)"),
    "start backfill": re.compile(r"_start_job: Started JobId=(\d+) in \S+ on (\S+)"),
    "end": re.compile(r"_job_complete: JobId=(\d+) done|Time limit exhausted for JobId=(\d+)"),
    "answer": re.compile(r"node_did_resp (\S+)"),
    "free": re.compile(r"epilog_complete: JobId=(\d+) Node=(\S+)"),
    "main": re.compile(r"Running job scheduler for (full|default)"),
    "cycle": re.compile(r"_attempt_backfill: beginning"),
    "stop": re.compile(r"_attempt_backfill: (completed testing|no jobs to backfill)"),
    "renew": re.compile(r"_decay_thread: PRIO: Decay factor over (\d+)"),
    "held": re.compile(r"schedule\(\) returning, some job is still completing"),
    "complete": re.compile(r"reached end of job queue|bf_max_job_test: limit|table size limit"),
    "cut": re.compile(r"system state changed, breaking out"),
    "test": re.compile(r"BACKFILL: test for JobId=(\d+) Prio=(\d+)"),
    "part": re.compile(r"Weighted (\S+) (?:priority )?is \S+ \* \S+ = (-?[\d.]+)"),
    "sum": re.compile(r"Job \d+ priority: (-?\d+) \+ .* - (-?\d+) = "),
    "parts": re.compile(r"priority for job (\d+) is (?:now )?(\d+)"),
    "plan": re.compile(r"JobId=(\d+) to start at (\S+), end at (\S+) on nodes (\S+) in"),
}


def seconds(text: str) -> float:
    """Convert an instant, as written in the log or the accounting text, to seconds."""
    return (datetime.datetime.fromisoformat(text) - ZERO).total_seconds()


def node_names(text: str) -> str:
    """Return "n[1-3,7]" as "1-3+7"."""
    if text == "(null)":
        return ""
    return re.sub(r"^n|[\[\]]", "", text).replace(",", "+").replace("+n", "+")


class LogReader:
    """Turns lines in slurmctld's log into events, and keeps track of completing nodes.

    A node is free when it reports that its job's epilog is complete. `reports` lists these jobs and
    nodes. Without a report, a node is free when it answers the message that ends its job.
    """

    def __init__(
        self,
        job_of: dict[int, int],
        nodes_of: dict[int, set[int]],
        reports: set[tuple[int, int]],
    ) -> None:
        self.job_of = job_of
        self.nodes_of = nodes_of
        self.reports = reports
        self.completing: dict[int, int] = {}  # the job of each completing node
        self.priority: dict[int, str] = {}
        self.last_tested = 0  # the job tested last in this cycle
        self.tested_before = 0  # the job tested before `last_tested`
        self.has_outcome = False  # `last_tested` was started or planned
        self.is_complete = False  # the log says why the cycle ended
        self.parts: dict[str, str] = {}  # parts of a priority whose total is on a later line
        self.parts_of: dict[int, str] = {}

    def events(self, line: str) -> list[str]:
        """Return the events in one line of the log, without their instant."""
        for kind, pattern in PATTERNS.items():
            found = pattern.search(line)
            if found:
                return self._event(kind, [each for each in found.groups() if each is not None])
        return []

    def _event(self, kind: str, fields: list[str]) -> list[str]:
        if kind in ("cycle", "complete", "cut"):
            self.is_complete = kind != "cycle"
        if kind == "cycle":
            self.last_tested = 0
        if kind in ("cycle", "renew", "held"):
            return [" ".join([kind, *fields])]
        if kind == "stop":
            is_spent = fields[0].startswith("completed") and not self.is_complete
            last = self.last_tested if self.has_outcome else self.tested_before
            return [f"spent {last}", "stop"] if is_spent else ["stop"]
        if kind in ("complete", "cut"):
            return [f"cut {self.last_tested}"] if kind == "cut" else []
        if kind == "main":
            return ["main " + ("full" if fields[0] == "full" else "depth")]
        if kind in ("answer", "free"):
            node = int(fields[-1][1:])
            job = self.completing.get(node)
            if job is None or (kind == "answer" and (job, node) in self.reports):
                return []
            del self.completing[node]
            return [f"free {node}"]
        if kind == "part":
            self.parts[fields[0].removeprefix("TRES:").lower()] = fields[1]
            return []
        if kind == "sum":
            self.parts |= {"site": fields[0], "nice": fields[1]}
            return []
        number = int(fields[0])
        if kind == "parts":
            fields.append(self._written_parts())
            self.parts = {}
        if number not in self.job_of:
            return []
        return self._of_job(kind, self.job_of[number], fields[1:])

    def _written_parts(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.parts.items() if float(value))

    def _of_job(self, kind: str, job: int, fields: list[str]) -> list[str]:
        if kind == "submit":
            self.priority[job] = fields[0]
            return [f"submit {job} {fields[0]}"]
        if kind == "test":
            self.tested_before, self.last_tested = self.last_tested, job
            self.has_outcome = False
            if self.priority.get(job) == fields[0]:
                return []
            self.priority[job] = fields[0]
            return [f"priority {job} {fields[0]}"]
        if kind in ("plan", "start backfill") and job == self.last_tested:
            self.has_outcome = True
        if kind == "parts":
            text = f"parts {job} {fields[0]} {fields[1]}".rstrip()
            is_new = self.parts_of.get(job) != text
            self.parts_of[job] = text
            return [text] if is_new else []
        if kind == "plan":
            begin, end = (round(seconds(each)) for each in fields[:2])
            return [f"plan {job} {begin} {end} {node_names(fields[2])}"]
        if kind == "end":
            self.completing |= dict.fromkeys(self.nodes_of[job], job)
            return [f"end {job}"]
        return [f"start {job} {kind.split()[1]} {node_names(fields[0])}"]


def members(text: str) -> set[int]:
    """Return the node numbers of "1-3+7"."""
    found: set[int] = set()
    if not text:
        return found
    for part in text.split("+"):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def accounting(folder: Path) -> list[dict[str, str]]:
    """Return the finished jobs, each as a dict of names and values."""
    lines = (folder / "log" / "jobcomp.log").read_text().splitlines()
    return [dict(part.split("=", 1) for part in line.split() if "=" in part) for line in lines]


def write_recording(folder: Path, stem: Path) -> int:
    """Write the jobs and the events of a lab; return the number of jobs."""
    with (folder / "workload.csv").open(encoding="ascii") as lines:
        asked = {int(row["job"]): row for row in csv.DictReader(lines)}
    ended = accounting(folder)
    job_of = {int(row["JobId"]): int(row["Name"][1:]) for row in ended}
    nodes_of = {int(r["Name"][1:]): members(node_names(r["NodeList"])) for r in ended}
    log = (folder / "log" / "slurmctld.log").read_text(errors="replace")
    reports = {
        (job_of[int(job)], int(node[1:]))
        for job, node in PATTERNS["free"].findall(log)
        if int(job) in job_of
    }
    reader = LogReader(job_of, nodes_of, reports)
    events, started_by = [], {}
    for line in log.splitlines():
        if not line.startswith("["):
            continue
        for event in reader.events(line):
            events.append(f"{seconds(line[1:24]):.3f} {event}")
            words = event.split()
            if words[0] == "start":
                started_by[int(words[1])] = words[2]
    rows = [_row(row, asked[int(row["Name"][1:])], started_by) for row in ended]
    header = "job,submit,start,end,nodes,cpus,memory,gpus,feature,exclusive,limit,partition,user,"
    header += "state,by,run,nodelist,qos,nice,site"
    stem.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join([header, *(",".join(map(str, row)) for row in sorted(rows))]) + "\n"
    stem.with_suffix(".csv").write_text(text, encoding="ascii")
    packed = gzip.compress(("\n".join(events) + "\n").encode("ascii"), mtime=0)
    stem.with_suffix(".events.gz").write_bytes(packed)
    return len(rows)


def _row(row: dict[str, str], asked: dict[str, str], by: dict[int, str]) -> list[object]:
    job = int(row["Name"][1:])
    instants = [round(seconds(row[each])) for each in ("EligibleTime", "StartTime", "EndTime")]
    if row["NodeList"] == "(null)":
        instants[1:] = [-1, -1]
    request = [asked[each] for each in ("cpus", "memory", "gpus", "feature", "exclusive")]
    limit = int(row["TimeLimit"]) * 60
    who = [row["Partition"], asked["user"], row["JobState"], by.get(job, "unknown")]
    nodes = node_names(row["NodeList"])
    standing = [asked[each] for each in ("qos", "nice", "site")]
    return [job, *instants, asked["nodes"], *request, limit, *who, asked["run"], nodes, *standing]


if __name__ == "__main__":
    written = write_recording(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.stdout.write(f"{written} jobs\n")
