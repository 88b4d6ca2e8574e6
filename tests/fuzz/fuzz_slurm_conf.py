"""Fuzz target: node tables are read from a `slurm.conf`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import written

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.SiteError,)
BOUNDED = 600
_TABLE = b"""\
ClusterName=small
SchedulerType=sched/backfill
NodeName=DEFAULT RealMemory=1000 Sockets=2 CoresPerSocket=4 Weight=60
NodeName=n[01-03] Feature=CPU-A,OPA
NodeName=g[1,4] Gres=gpu:v100:2(S:0) Feature=CPU-B Weight=190
NodeName=b1 CPUs=8 ThreadsPerCore=2 \\
  Weight=160 # a comment
PartitionName=DEFAULT State=UP Nodes=ALL
PartitionName=all Nodes=n[01-03],b1
PartitionName=debug Nodes=g[1,4]
"""
SEEDS = [
    _TABLE,
    b"NodeName=n CPUs=4\nPartitionName=p Nodes=ALL\n",
    b"NodeName=n[1-4,7] Boards=1 SocketsPerBoard=2 CoresPerSocket=8\nPartitionName=p Nodes=n1\n",
    b"nodename=r[0-1]n[0-3]-ib procs=4\npartitionname=gpus nodes=r0n0-ib\n",
    b"Include other.conf\nNodeName=a,b,c CPUs=1 Gres=gpu,gpu:k80:2,mic:1\n",
]
TOKENS = [
    *(b"NodeName=", b"PartitionName=", b" Nodes=ALL", b" CPUs=4", b" Gres=gpu:2", b" Weight=3"),
    *(b"[1-3]", b"[5-1]", b"[1-", b"[a-b]", b"[1-1000000]", b"[,]", b"[[1]]", b" Feature=gpus"),
    *(b"DEFAULT", b"\\\n", b"#", "\u0661".encode(), b"\xc2\x85", b"\xe2\x80\xa8", b"\xef\xbb\xbf"),
]


def run(data: bytes, folder: Path) -> None:
    path = written(folder, "slurm.conf", data)
    sw.read_slurm_nodes(path)
    sw.read_slurm_nodes(path, features=["CPU-A", "gpu:v100"])
