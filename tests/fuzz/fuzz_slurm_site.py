"""Fuzz target: a site is read from a `slurm.conf`, a `gres.conf` and node events.

The three parts of an input are separated by `=====`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import written

import slotwise as sw
from slotwise.formats.slurm_site import describe_site

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.SiteError,)
BOUNDED = 600
_CONF = b"""\
ClusterName=small
SchedulerParameters==bf_window=4320
SelectType=select/linear
NodeName=DEFAULT RealMemory=1000 Sockets=2 CoresPerSocket=4 Weight=60
NodeName=n[01-03] Feature=CPU-A,OPA
NodeName=g[1,4] Gres=gpu:v100:2(S:0),nvme:2K Feature=CPU-B Weight=190
NodeSet=fast Feature=CPU-B
PartitionName=DEFAULT State=UP Nodes=ALL MaxTime=1-12
PartitionName=all Default=YES
PartitionName=debug Nodes=fast,n01 MaxTime=30 MaxNodes=2 PriorityTier=3
=====
AutoDetect=off
NodeName=g1 Name=gpu Type=v100 File=/dev/nvidia[0-1]
Name=gpu Count=2
=====
Cluster|NodeName|TimeStart|TimeEnd|State|Reason
small|n01|2024-03-06T08:00:00|2024-03-06T10:00:00|DOWN|a|b
small|g[1,4]|1709712000|Unknown|DRAIN|
"""
SEEDS = [
    _CONF,
    b"NodeName=n CPUs=4\nPartitionName=p Nodes=ALL\n=====\nName=gpu\n=====\nNode|Start|End|State",
    b"nodename=r[0-1]n[0-8/2]-ib procs=4 Gres=gpu\npartitionname=gpus nodes=r0n0-ib\n",
]
TOKENS = [
    *(b"NodeName=", b"PartitionName=", b" Nodes=ALL", b" CPUs=4", b" Gres=gpu:2", b" Weight=3"),
    *(b"[1-3]", b"[5-1]", b"[1-", b"[1-10000]", b"[0-8/2]", b" Feature=a", b"=====", b"|", b'"'),
    *(b" MaxTime=", b"UNLIMITED", b" State=FUTURE", b"\\\n", b"#", "\u0661".encode(), b"\xff"),
]


def run(data: bytes, folder: Path) -> None:
    conf, gres, events = [*data.split(b"=====\n"), b"", b""][:3]
    described = describe_site(
        written(folder, "slurm.conf", conf),
        written(folder, "gres.conf", gres) if gres else None,
        written(folder, "events.txt", events) if events else None,
    )
    text = described.site.to_toml()
    assert sw.Site.from_toml(written(folder, "made.toml", text.encode())) == described.site
