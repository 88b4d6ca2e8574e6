"""A recording written as sacct output gives the same replay as the recorded requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slurm.case import Case
from slurm.free_replays import epilog_of
from slurm.recorded_site import ZERO, site_of, standing_of, trace_of, with_rule

if TYPE_CHECKING:
    from pathlib import Path

    from slurm.recording import Recorded

COLUMNS = (
    "JobID|User|Account|Partition|QOS|Submit|Eligible|Start|End|State|Timelimit|NNodes|NCPUS|"
    "ReqMem|ReqTRES|AllocTRES|Constraints"
)


def instant(seconds: int) -> str:
    return datetime.fromtimestamp(ZERO + seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def row(entry: Recorded, account: str, most_memory: int) -> str:
    """Return a job's line; ReqMem is the memory on all nodes, as in Slurm 21.08 and later.

    A job without a memory request gets all memory of its nodes, which only AllocTRES shows.
    """
    job = entry.job
    hours, rest = divmod(int(job.limit), 3600)
    limit = f"{hours // 24}-{hours % 24:02}:{rest // 60:02}:{rest % 60:02}"
    memory = f"{job.memory * job.nodes}M" if job.memory else ""
    gpus = f",gres/gpu={job.gpus * job.nodes}" if job.gpus else ""
    tres = f"cpu={job.nodes * job.cpus_per_node},node={job.nodes}{gpus}"
    got = f"{tres},mem={(job.memory or most_memory) * job.nodes}M"
    times = [instant(t) for t in (job.submit, job.submit, entry.start, entry.end)]
    names = (str(job.number), f"u{job.user}", account, job.partition, job.qos or "normal")
    amounts = (limit, str(job.nodes), str(job.nodes * job.cpus_per_node), memory, tres, got)
    return "|".join((*names, *times, "COMPLETED", *amounts, job.feature))


@pytest.mark.parametrize(
    "name", ["node_order", "memory", "memory_gpus", "tres_gpus", "tiers", "features"]
)
def test_a_sacct_log_is_replayed_like_the_requests(name: str, tmp_path: Path) -> None:
    accounts = standing_of(name).account_of
    entries = sorted(
        Case.named(name).recording.jobs.values(), key=lambda e: (e.job.submit, e.job.number)
    )
    ran = [entry for entry in entries if entry.start >= 0]
    assert len(ran) == len(entries)
    log = tmp_path / "jobs.txt"
    most = max(node.memory for node in Case.named(name).machine.nodes)
    rows = [row(entry, accounts.get(entry.job.user, "root"), most) for entry in ran]
    log.write_text("\n".join([COLUMNS, *rows]) + "\n", encoding="utf-8")
    site = with_rule(site_of(name), epilog_time=epilog_of(Case.named(name).recording))
    read = sw.simulate(sw.read_trace(log), site)
    asked = sw.simulate(trace_of(name, whole_memory=True), site)
    assert (read.start - read.start[0]).tolist() == (asked.start - asked.start[0]).tolist()
