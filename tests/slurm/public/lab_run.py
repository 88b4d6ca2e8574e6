"""Runs the public workload on the lab's Slurm, to show how much runs of Slurm differ.

``python -m slurm.public.lab_run FOLDER WORKLOAD COUNTERS --out OUT`` (in `tests`, as root) writes
OUT, a CSV file with the number, submit time and start time of each job. A run takes 15 minutes on
an idle machine. The lab's users must exist (tests/slurm/lab/setup.sh), and also a user `lab5` with
UID 21005.

With ``--compare OUT OTHER ...``, the script prints the mean wait of the record and of each file. It
also compares any two of these schedules: how many pairs of jobs start in the same order in both,
and how many jobs have starts at most 60 s apart. The folder `runs` contains three runs.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from slurm.lab import record
from slurm.lab.daemons import Daemons
from slurm.lab.read_log import seconds
from slurm.public.hypotheses import pairs_in_order
from slurm.public.record import USERS, PublicRun

if TYPE_CHECKING:
    from slurm.recording import Recorded

LAB = Path("/tmp/public-lab")
SETTINGS = """
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=bf_max_job_user=20,bf_window=4320,bf_max_job_test=1200,\
default_queue_depth=1200,bf_continue
TopologyPlugin=topology/tree
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_CORE_DEFAULT_DIST_BLOCK
PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE
FairShareDampeningFactor=5
PriorityDecayHalfLife=0-4
PriorityWeightFairshare=50000
PriorityWeightAge=50000
PriorityWeightPartition=1000000
PriorityWeightJobSize=200000
PriorityMaxAge=0-5
"""
"""The settings of the run, with the flag that 22.05 needs for classic fair share."""


class PublicDaemons(Daemons):
    """Daemons whose nodes are named as in the run."""

    names: tuple[str, ...] = ()

    def start(self, accounts: Path | None) -> None:
        """Start all daemons; return when every node is idle."""
        assert accounts is not None
        self._start_database(accounts)
        self._spawn("ctld", ["slurmctld", "-D"])
        time.sleep(2)
        for name in self.names:
            (self.folder / "spool" / name).mkdir(parents=True)
            self._spawn(f"slurmd.{name}", ["slurmd", "-N", name, "-D"])
        for _ in range(90):
            idle = self.ask(["sinfo", "-h", "-p", "normal", "-t", "idle", "-o", "%D"])
            if sum(map(int, idle.split())) == len(self.names):
                return
            time.sleep(1)
        raise SystemExit(f"{idle!r} of {len(self.names)} nodes are idle")


def prepare(run: PublicRun, port: int) -> tuple[str, ...]:
    """Create the lab's folder; return the names of the nodes."""
    shutil.rmtree(LAB, ignore_errors=True)
    for each in ("state", "spool", "log"):
        (LAB / each).mkdir(parents=True)
    text = (record.HERE / "conf" / "base.conf").read_text() + SETTINGS
    names = tuple(node.name for node in run.machine.nodes)
    for place, node in enumerate(run.machine.nodes, 1):
        gres = f" Gres=gpu:{node.gpus}" if node.gpus else ""
        text += f"NodeName={node.name} CPUs={node.cpus} RealMemory={node.memory} "
        text += f"Port={port + place} Feature={','.join(sorted(node.features))}{gres}\n"
        for each in range(node.gpus):
            (LAB / f"gpu{each}").touch()
            with (LAB / "gres.conf").open("a") as lines:
                lines.write(f"NodeName={node.name} Name=gpu File={LAB}/gpu{each}\n")
    partitions = (run.folder / "slurm.conf").read_text()
    text += "\n".join(re.findall(r"(?m)^PartitionName=.*$", partitions)) + "\n"
    host = socket.gethostname().split(".")[0]
    for mark, value in (("@LAB@", str(LAB)), ("@HOST@", host), ("@PORT@", str(port))):
        text = text.replace(mark, value)
    text = re.sub(r"(?m)^(NodeName=\S+)", rf"\1 NodeHostname={host} NodeAddr=127.0.0.1", text)
    (LAB / "slurm.conf").write_text(text)
    shutil.copy(run.folder / "topology.conf", LAB / "topology.conf")
    commands = ["sacctmgr -i add cluster lab"]
    commands += [
        f"sacctmgr -i add account {account} Fairshare=100"
        for account in dict.fromkeys(USERS.values())
    ]
    for user, account in USERS.items():
        name = user.replace("user", "lab") if user != "admin" else "slurm"
        commands.append(f"sacctmgr -i add user {name} Account={account} Fairshare=1")
    (LAB / "accounts").write_text("\n".join(commands) + "\n")
    return names


def command(each: Recorded, options: dict[str, str]) -> list[str]:
    """Return the sbatch command for one job, which sleeps as long as the recorded job ran."""
    user = str(21000 + int(each.job.user.removeprefix("user")))
    call = ["sbatch", "-Q", "-J", f"j{each.job.number}", "--uid", user, "--gid", user]
    call += ["-n", options["-n"], "--ntasks-per-node", options["--ntasks-per-node"]]
    call += ["-t", str(each.job.limit // 60), "-A", options["-A"], "-p", options["-p"]]
    call += [f"{name}={options[name]}" for name in ("--constraint", "--gres", "--mem")
             if name in options]  # fmt: skip
    run = each.job.run if each.state == "COMPLETED" else each.job.limit + 3600
    return [*call, "-o", "/dev/null", "-D", "/tmp", "--wrap", f"exec sleep {run}"]


def submit(path: Path) -> None:
    """Submit the jobs on the emulated clock; return when the queue is empty."""
    began = time.time()
    for instant, call in json.loads(path.read_text()):
        time.sleep(max(0.0, instant - (time.time() - began)))
        for _ in range(5):
            if subprocess.run(call, check=False).returncode == 0:
                break
    empty = 0
    while empty < 2:
        time.sleep(60)
        queue = subprocess.run(
            ["squeue", "-h", "-o", "%i"], capture_output=True, text=True, check=False
        )
        empty = empty + 1 if queue.returncode == 0 and not queue.stdout.strip() else 0


def recorded(run: PublicRun, out: Path, port: int, speed: int) -> None:
    """Run the workload on a lab and write the starts."""
    names = prepare(run, port)
    jobs = sorted(run.jobs.values(), key=lambda each: (each.job.submit, each.job.number))
    first = jobs[0].job.submit
    rows = [
        (each.job.submit - first, command(each, run.requests[each.job.number])) for each in jobs
    ]
    (LAB / "calls.json").write_text(json.dumps(rows))
    daemons = PublicDaemons(LAB, port, len(names), speed)
    daemons.names = names
    try:
        daemons.start(LAB / "accounts")
        call = [sys.executable, "-m", "slurm.public.lab_run", "--submit", str(LAB / "calls.json")]
        subprocess.run(call, env=daemons.environment(), check=True)
    finally:
        daemons.stop()
    with out.open("w", newline="") as lines:
        writer = csv.writer(lines)
        writer.writerow(["job", "submit", "start"])
        for line in (LAB / "log" / "jobcomp.log").read_text().splitlines():
            found = dict(word.split("=", 1) for word in line.split() if "=" in word)
            times = [round(seconds(found[name])) for name in ("SubmitTime", "StartTime")]
            writer.writerow([found["Name"].removeprefix("j"), *times])


def within_a_minute(first: dict[int, int], second: dict[int, int]) -> float:
    """Return the share of jobs whose starts are at most 60 s apart."""
    return sum(abs(first[job] - second[job]) <= 60 for job in first) / len(first)


def compare(run: PublicRun, files: list[Path]) -> None:
    """Print mean waits, pairs in the same order, and the shares of starts at most 60 s apart.

    Starts are counted from the first submission.
    """
    first = min(each.job.submit for each in run.jobs.values())
    starts = {"record": {number: each.start - first for number, each in run.jobs.items()}}
    waits = {"record": [each.start - each.job.submit for each in run.jobs.values()]}
    for path in files:
        with path.open() as lines:
            rows = list(csv.DictReader(lines))
        first = min(int(row["submit"]) for row in rows)
        starts[path.name] = {int(row["job"]): int(row["start"]) - first for row in rows}
        waits[path.name] = [int(row["start"]) - int(row["submit"]) for row in rows]
    for name, own in starts.items():
        pairs = [f"{pairs_in_order(own, other):.1%}" for other in starts.values()]
        near = [f"{within_a_minute(own, other):.0%}" for other in starts.values()]
        mean = sum(waits[name]) / len(waits[name])
        sys.stdout.write(
            f"{name}: mean wait {mean:,.0f} s, pairs {', '.join(pairs)}, "
            f"within 60 s {', '.join(near)}\n"
        )


def main() -> None:
    options = argparse.ArgumentParser(description="Run the public workload on the lab's Slurm.")
    options.add_argument("files", nargs="*", type=Path, help="folder, workload, counters")
    options.add_argument("--out", type=Path)
    options.add_argument("--compare", nargs="+", type=Path)
    options.add_argument("--port", type=int, default=28000)
    options.add_argument("--speed", type=int, default=60)
    options.add_argument("--submit", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.submit:
        submit(given.submit)
        return
    run = PublicRun(*given.files)
    if given.out:
        recorded(run, given.out, given.port, given.speed)
    if given.compare:
        compare(run, given.compare)


if __name__ == "__main__":
    main()
