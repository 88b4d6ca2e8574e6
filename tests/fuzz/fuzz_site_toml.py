"""Fuzz target: read and check a site file, write it, read it back, and replay a small trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness import written

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

# ReplayError: the site needs a column that the trace lacks, or interrupts every attempt of a job.
REFUSALS = (sw.SiteError, sw.TraceError, sw.ReplayError)
BOUNDED = 200
_STEPS = 30
_TRACE = sw.Trace.from_columns(
    [0, 1, 1, 2, 50], [10, 20, 0, 5, 9], [4, 3, 1, 2, 4], [10, 30, 1, 5, 9],
    user=[1, 2, -1, 1, 2], group=[1, 1, 1, 2, 2], queue=[0, 1, 1, 2, 0], max_processors=8,
)  # fmt: skip
_LARGE = b"""\
dependencies = true
[machine]
processors = 8
[policy]
order = { name = "priority", queue_time = 5, expansion = 100, cores = 1 }
backfill = "easy"
passes = "7s"
[limits]
running_per_user = 5
[[pool]]
name = "big"
processors = 6
[[pool]]
name = "small"
processors = 2
threshold = 2.0
[[queue]]
name = "day"
priority = 2
processors = [1, 4]
hours = "08:00-20:00"
pools = ["big"]
[[queue]]
name = "all"
priority = 1
walltime = ["0s", "2d"]
[clock]
start = 2020-01-01T07:59:00
"""
_CALENDAR = b"""\
[machine]
processors = 8
[[maintenance]]
start = 100
every = "7d"
duration = "8h"
[[outage]]
start = 5
duration = "1h"
processors = 3
mode = "kill"
[[reservation]]
name = "class"
start = 40
duration = 60
processors = 2
users = [1]
[crashes]
law = "weibull"
mean = "5d"
shape = 0.7
repair = "1h"
seed = 3
[interruption]
requeue = "from-checkpoint"
checkpoint_every = "1h"
checkpoint_cost = 10
"""
SEEDS = [
    _LARGE,
    _CALENDAR,
    b'[machine]\ntorus = [2, 2, 2]\norder = "hilbert"\n[policy]\nallocation = "contiguous"\n',
    b'[machine]\nnodes = [{count = 2, cores = 4, memory = "1GB"}, {count = 1, cores = 8}]\n',
    b'[machine]\nprocessors = 4\n[policy]\npreset = "as-logged"\n',
    b'[policy]\norder = { name = "expression", key = "wait / processors" }\nbackfill = "depth"\n'
    b"depth = 3\n[machine]\nprocessors = 8\n",
]
TOKENS = [
    *(b"[machine]\n", b"[policy]\n", b"[[queue]]\n", b"[[pool]]\n", b"[[outage]]\n", b"[limits]\n"),
    *(b"nan", b"inf", b"-1", b"true", b'"7d"', b'"99999d"', b"1979-05-27", b"07:32:00", b"1e300"),
    *(b"[" * 90, b"{a=" * 90, b"a." * 90, b'"""', b"'''", b"\\u0000", b"\\", b'= ""', b"= []"),
    *(b'mode = "drain"\n', b'every = "1s"\n', b'requeue = "never"\n', b"\xe2\x80\xa8", b"= {}"),
]


def run(data: bytes, folder: Path) -> None:
    path = written(folder, "site.toml", data)
    site = sw.Site.from_toml(path)
    _require_readable(site, folder)
    if isinstance(site.machine, sw.Nodes):
        sw.simulate(_TRACE, site)
        return
    sim = sw.Simulation(_TRACE, site)
    for _ in range(_STEPS):
        if not sim.step():
            break


def _require_readable(site: sw.Site, folder: Path) -> None:
    again = written(folder, "again.toml", site.to_toml().encode())
    try:
        same = sw.Site.from_toml(again) == site
    except sw.SiteError as fault:
        raise AssertionError(f"the written file is refused: {fault}") from None
    assert same, "the written file reads back differently"
