"""Fuzz target: logs from centres are recognised, read as every format, and replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import written

import slotwise as sw
from reference.job_logs import ALL
from slotwise.formats.registry import recognised

if TYPE_CHECKING:
    from pathlib import Path

REFUSALS = (sw.TraceError,)
BOUNDED = 600
SEEDS = [text.encode() for text in ALL.values()]
TOKENS = [
    *(b"|", b";", b":", b",", b" ", b"\n", b'"', b"\0", b"\xff", b"-", b"=", b"_", b"[", b"{"),
    *(b"Unknown", b"UNLIMITED", b"1-00:00:00", b"99999999999999999999", b"1e300", b"nan", b"-1"),
    *(b"2024-02-30T00:00:00", b"2024-10-27T02:30:00+01:00", b"cpu=5", b"gres/gpu:a=2", b"16Gn"),
]


def run(data: bytes, folder: Path) -> None:
    path = written(folder, "log.txt", data)
    found = recognised(str(path))
    names = [found.name] if found is not None else ["sacct", "pbs", "lsf", "batsim"]
    for name in names:
        trace = sw.read_trace(path, name, zone="Europe/Stockholm")
        machine = int(trace.processors.max())
        if trace.demands is None and machine < 2**20:
            sw.simulate(trace, sw.Site(machine=sw.Processors(machine)))
