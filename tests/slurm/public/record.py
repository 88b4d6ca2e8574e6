"""The public run: jobs, recorded starts, backfill cycles, and the scheduler that started each job.

Three files describe the run. `slurm_acct.out` contains the jobs as listed by sacct. The workload
(`jobs500.events`) contains the requests of the users, such as features. `sdiag.csv` contains
Slurm's counters for each minute: the time of the last backfill cycle, and the number of jobs that
backfill has started so far.
"""

from __future__ import annotations

import csv
import datetime
import shlex
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from reference.slurm.conf import duration, hosts, read_conf
from reference.slurm.fair_share import Shares
from reference.slurm.job import Job
from reference.slurm.node_sets import node_set
from slurm.public.tree import Tree
from slurm.recording import Recorded

if TYPE_CHECKING:
    from pathlib import Path

    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters

DAEMON = "2021-02-11T22:36:09"
"""Start of slurmctld, in seconds, according to the log of the run."""
USERS = {
    "admin": "account0",
    "user1": "account1",
    "user2": "account1",
    "user3": "account1",
    "user4": "account2",
    "user5": "account2",
}
SHARES = Shares(
    {"account0": 100, "account1": 100, "account2": 100},
    {user: (account, 1) for user, account in USERS.items()},
)
"""The shares that the log of the run lists. It also shows that the database was new."""


@dataclass(frozen=True)
class PublicRun:
    """Files of the run; `folder` contains the record, slurm.conf and topology.conf."""

    folder: Path
    workload: Path
    counters: Path
    by_name: bool = True  # order of the nodes: by name, or as in slurm.conf

    @cached_property
    def machine(self) -> Machine:
        return read_conf(self.folder / "slurm.conf", by_name=self.by_name)[0]

    @cached_property
    def parameters(self) -> Parameters:
        """The parameters; `max_job_bf` is the old name of `bf_max_job_test`."""
        return replace(read_conf(self.folder / "slurm.conf")[1], bf_max_job_test=1200)

    @cached_property
    def tree(self) -> Tree:
        return Tree.read(self.folder / "topology.conf", self.machine)

    @cached_property
    def requests(self) -> dict[int, dict[str, str]]:
        """Options of each job, by job number."""
        found = {}
        for line in self.workload.read_text(encoding="utf-8").splitlines():
            words = shlex.split(line.partition("|")[2])
            options = dict(word.split("=", 1) for word in words if "=" in word)
            options |= {
                word: value
                for word, value in pairwise(words)
                if word.startswith("-") and "=" not in word
            }
            found[int(options["-J"].removeprefix("jobid_"))] = options
        return found

    @cached_property
    def jobs(self) -> dict[int, Recorded]:
        """Jobs with outcomes; `by` is "main", "backfill" or, if the scheduler is unknown, empty."""
        place = {node.name: number for number, node in enumerate(self.machine.nodes)}
        found = {}
        with (self.folder / "slurm_acct.out").open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines, delimiter="|"):
                job = self._job(row)
                start, end = instant(row["Start"]), instant(row["End"])
                found[job.number] = Recorded(
                    job=replace(job, run=end - start),
                    start=start,
                    end=end,
                    nodes=node_set(place[name] for name in hosts(row["NodeList"])),
                    by="",
                    state=row["State"],
                )
        return {number: replace(each, by=self._by(each, found)) for number, each in found.items()}

    def _job(self, row: dict[str, str]) -> Job:
        number, nodes, cpus = int(row["JobID"]), int(row["NNodes"]), int(row["NCPUS"])
        memory = int(row["ReqMem"][:-2])
        if row["ReqMem"].endswith("c"):
            memory *= cpus // nodes
        return Job(
            number=number,
            submit=instant(row["Submit"]),
            limit=duration(row["Timelimit"]) or 0,
            nodes=nodes,
            cpus=cpus,
            partition=row["Partition"],
            memory=memory,
            gpus=int(row["ReqGRES"].removeprefix("gpu:") or 0),
            feature=self.requests[number].get("--constraint", ""),
            user=row["User"],
            account=row["Account"],
        )

    @cached_property
    def minutes(self) -> list[dict[str, str]]:
        """The counters, one row per minute."""
        with self.counters.open(encoding="utf-8") as lines:
            return list(csv.DictReader(lines))

    def _by(self, job: Recorded, jobs: dict[int, Recorded]) -> str:
        """Return the scheduler that started the job: "main" or "backfill".

        Return an empty string if both schedulers started jobs in that minute, or if the counters
        do not cover it.
        """
        for (begin, before), (end, after) in self._backfilled:
            if begin <= job.start < end:
                starts = sum(begin <= each.start < end for each in jobs.values())
                return {0: "main", starts: "backfill"}.get(after - before, "")
        return ""

    @cached_property
    def _backfilled(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        name = "backfil_stats__total_backfilled_jobs_since_last_slurm_start"
        counts = [(instant(row["sdiag_output_time"]), int(row[name])) for row in self.minutes]
        return list(pairwise(counts))

    @cached_property
    def cycles(self) -> list[int]:
        """Instants of backfill cycles: those in the counters, and the starts of backfilled jobs.

        A cycle ran every 30 s, so the counters give only every other one.
        """
        named = {
            instant(row["backfil_stats__last_cycle_when"])
            for row in self.minutes
            if not row["backfil_stats__last_cycle_when"].startswith("1970")
        }
        return sorted(named | {job.start for job in self.jobs.values() if job.by == "backfill"})


def instant(text: str) -> int:
    """Convert a UTC time to Unix seconds."""
    return int(datetime.datetime.fromisoformat(text.replace(" ", "T") + "+00:00").timestamp())
