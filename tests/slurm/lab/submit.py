"""Submits a workload at its instants of the emulated clock, and returns when the queue is empty.

With the option "factors", it writes what `sprio -l` prints after every 25th job to
priorities.sprio.

record.py starts it under libfaketime: `time.time` and `time.sleep` follow the emulated clock.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path


def command(row: dict[str, str], *, per_cpu: bool, by_user: bool) -> list[str]:
    """Return the sbatch call of one job."""
    call = ["sbatch", "--parsable", "-J", "j" + row["job"], "-N", row["nodes"]]
    if row["exclusive"] == "1":
        call.append("--exclusive")
    elif per_cpu:  # by default, a node gives only one CPU
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


def submitted(call: list[str]) -> str:
    """Submit a job, up to five times if the controller does not answer; return its number."""
    for _ in range(5):
        done = subprocess.run(call, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip()
    raise SystemExit(f"not submitted: {' '.join(call)}")


def note_priorities(path: Path, job: str) -> None:
    """Append what `sprio -l` prints, below the number of the job that was submitted last."""
    with path.open("a", encoding="ascii") as file:
        file.write(f"# after job {job}\n")
        file.flush()
        subprocess.run(["sprio", "-l"], stdout=file, check=True)


def main() -> None:
    """Submit each job."""
    workload, options = Path(sys.argv[1]), sys.argv[2:]
    began = time.time()
    with workload.open(encoding="ascii") as lines:
        for row in csv.DictReader(lines):
            wait = int(row["submit"]) - (time.time() - began)
            if wait > 0:
                time.sleep(wait)
            call = command(row, per_cpu="percpu" in options, by_user="users" in options)
            number = submitted(call)
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
            # Jobs beyond the limits of their partition wait forever.
            subprocess.run(["scancel", *(words[0] for words in left)], check=False)


if __name__ == "__main__":
    main()
