"""Submits the jobs of a workload on the emulated clock, and returns when the queue is empty.

Jobs that Slurm rejects are written to refused.csv, with Slurm's message. With the "factors" option,
the output of `sprio -l` after every 25th job is written to priorities.sprio.

record.py starts this script under libfaketime, so `time.time` and `time.sleep` follow the emulated
clock.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import time
from pathlib import Path


def command(row: dict[str, str], *, per_cpu: bool, by_user: bool) -> list[str]:
    """Return the sbatch command for one job."""
    call = ["sbatch", "--parsable", "-J", "j" + row["job"], "-N", row["nodes"]]
    if row["exclusive"] == "1":
        call.append("--exclusive")
    elif per_cpu:  # by default, a job gets only one CPU per node
        each = int(row["cpus"]) // int(row["nodes"])
        call.append(f"--ntasks={each}" if row["nodes"] == "1" else f"--ntasks-per-node={each}")
    if row["memory"] != "0":
        call.append("--mem=" + row["memory"])
    if row["gpus"] != "0":
        call.append("--gres=gpu:" + row["gpus"])
    if row["feature"]:
        call += ["-C", row["feature"]]
    if by_user:
        call += ["--uid", row["user"], "--gid", row["user"]]
    if row["qos"]:
        call += ["--qos", row["qos"]]
    if row["nice"] != "0":
        call.append("--nice=" + row["nice"])
    call += ["-t", str(int(row["limit"]) // 60), "-p", row["partition"], "-o", "/dev/null"]
    return [*call, "-D", "/tmp", "--wrap", "exec sleep " + row["run"]]


def submitted(call: list[str]) -> tuple[str, str]:
    """Submit a job; return its number or, if Slurm refuses it, an empty string and Slurm's message.

    If the controller does not answer, try up to five times.
    """
    for _ in range(5):
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip(), ""
        if refused := re.search(
            r"submission failed: ((?:Requested time|Node count).*)", done.stderr
        ):
            return "", refused[1]
    raise SystemExit(f"not submitted: {' '.join(call)}: {done.stderr}")


def note_refusal(path: Path, row: dict[str, str], refusal: str) -> None:
    """Append a job that Slurm refused, and Slurm's message, to a file."""
    names = ("job", "nodes", "limit", "partition")
    if not path.exists():
        path.write_text(",".join([*names, "message"]) + "\n", encoding="ascii")
    with path.open("a", encoding="ascii") as file:
        file.write(",".join([*(row[name] for name in names), refusal]) + "\n")


def note_priorities(path: Path, job: str) -> None:
    """Append the number of the last job submitted, and the output of `sprio -l`, to a file."""
    with path.open("a", encoding="ascii") as file:
        file.write(f"# after job {job}\n")
        file.flush()
        subprocess.run(["sprio", "-l"], stdout=file, check=True)


def main() -> None:
    workload, options = Path(sys.argv[1]), sys.argv[2:]
    began = time.time()
    with workload.open(encoding="ascii") as lines:
        for row in csv.DictReader(lines):
            wait = int(row["submit"]) - (time.time() - began)
            if wait > 0:
                time.sleep(wait)
            call = command(row, per_cpu="percpu" in options, by_user="users" in options)
            number, refusal = submitted(call)
            if refusal:
                note_refusal(workload.with_name("refused.csv"), row, refusal)
                continue
            if row["site"] != "0":
                subprocess.run(
                    ["scontrol", "update", f"JobId={number}", "SiteFactor=" + row["site"]],
                    check=True,
                )
            if "factors" in options and int(row["job"]) % 25 == 0:
                note_priorities(workload.with_name("priorities.sprio"), row["job"])
    empty = 0
    while empty < 2:
        time.sleep(60)
        queue = subprocess.run(
            ["squeue", "-h", "-o", "%i %r"], capture_output=True, text=True, check=False
        )
        empty = empty + 1 if queue.returncode == 0 and not queue.stdout.strip() else 0
        left = [line.split() for line in queue.stdout.splitlines()]
        if left and all(words[1].startswith("Partition") for words in left):
            # Jobs that exceed the limits of their partition wait for ever.
            subprocess.run(["scancel", *(words[0] for words in left)], check=False)


if __name__ == "__main__":
    main()
