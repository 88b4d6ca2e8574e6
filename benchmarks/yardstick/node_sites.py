"""Cost of replays on whole nodes instead of processors, and at a centre with five node types."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

import slotwise as sw
from yardstick.clock import clocked, recorded_replay
from yardstick.task import Task

CORES = 24
SIZES = (64, 1500, 9408, 158_976)
CENTRE = Path(__file__).resolve().parents[2] / "examples" / "sites" / "gpu-centre.toml"
STARTS = {
    ("easy", 2000): "89b5e351",
    ("easy", 100_000): "7086e432",
    ("easy", 1_000_000): "de98ec8f",
    ("conservative", 500): "8ca22244",
    ("conservative", 2000): "147884a1",
    ("conservative", 4000): "8ad80c40",
    ("replan", 500): "8ca22244",
    ("replan", 2000): "dc69ef58",
}
"""First digits of the hash of all starts at the centre, by backfill rule and number of jobs."""


def beside_processors(
    nodes: int, backfill: str = "easy", jobs: int = 100_000, rounds: int = 5
) -> dict[str, Any]:
    """Replay jobs on whole nodes and, in turn, on a machine with one processor per node.

    Every job must start at the same time in both.
    """
    drawn = sw.generate("lublin", n_jobs=jobs, processors=nodes, load=0.85, seed=1)
    scaled = sw.Trace.from_columns(
        drawn.submit, drawn.run_time, drawn.processors * CORES, drawn.requested_time
    )
    policy = sw.Policy(backfill=backfill)
    plain = sw.Site(nodes, policy=policy)
    whole = sw.Site(
        sw.Nodes([sw.NodeType(count=nodes, cores=CORES)], whole_nodes=True), policy=policy
    )
    spent: dict[str, list[tuple[float, float]]] = {"plain": [], "whole": []}
    for _ in range(rounds):
        expected, *of_plain = clocked(lambda: sw.simulate(drawn, plain))
        found, *of_whole = clocked(lambda: sw.simulate(scaled, whole))
        if not np.array_equal(expected.start, found.start):
            raise AssertionError(f"starts on {nodes:,} whole nodes differ from processors")
        spent["plain"].append((of_plain[0], of_plain[1]))
        spent["whole"].append((of_whole[0], of_whole[1]))
    wall, cpu = (min(seconds[i] for seconds in spent["whole"]) for i in (0, 1))
    return {
        "jobs": jobs, "wall": wall, "cpu": cpu,
        "ratio": cpu / min(seconds[1] for seconds in spent["plain"]),
    }  # fmt: skip


def centre(backfill: str = "easy", jobs: int = 100_000) -> dict[str, Any]:
    """Replay the centre's generated log; every start must match the recorded one."""
    trace = sw.generate("centre", n_jobs=jobs, seed=1)
    site = sw.Site.from_toml(CENTRE)
    site = site.replace(policy=site.policy.replace(backfill=backfill))
    return recorded_replay(trace, site, STARTS[backfill, jobs], f"{backfill} at the centre")


TASKS: dict[str, Task] = {
    **{
        f"whole nodes: easy on {nodes:,}": Task(
            functools.partial(beside_processors, nodes), "ratio", target=1.5
        )
        for nodes in SIZES
    },
    **{
        f"whole nodes: conservative on {nodes:,}": Task(
            functools.partial(beside_processors, nodes, "conservative", rounds=1),
            "ratio",
            target=1.5,
        )
        for nodes in SIZES
    },
    "centre: easy, 100,000 jobs": Task(centre, "cpu", target=1, held=3),
    "centre: easy, 1,000,000 jobs": Task(
        functools.partial(centre, "easy", 1_000_000), "cpu", target=10, held=36, is_long=True
    ),
    "centre: conservative, 2,000 jobs": Task(
        functools.partial(centre, "conservative", 2000), "cpu", target=0.2
    ),
    "centre: conservative, 4,000 jobs": Task(
        functools.partial(centre, "conservative", 4000), "cpu", target=0.4, held=2.4
    ),
    "centre: replan, 2,000 jobs": Task(
        functools.partial(centre, "replan", 2000), "cpu", target=0.2, held=2.6
    ),
}
