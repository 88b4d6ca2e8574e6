"""Starts and places under ``reserve = "nodes"`` must equal those recorded with release 0.9.

The digest of a replay covers the start, the nodes and the units of every job. The workloads are
drawn by `random.Random`, whose sequence is the same on every platform, and by the `eurora`
generator.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slotwise as sw

RECORDED = json.loads(Path(__file__).with_name("recorded_node_starts.json").read_text())
BACKFILLS = ("none", "first-fit", "easy", "depth", "replan", "conservative")
PLACEMENTS = ("least-scarce", "first-fit", "best-fit")
SEEDS = range(6)


def policy_of(backfill: str, **others: Any) -> sw.Policy:
    parameters = {"depth": 3} if backfill == "depth" else {}
    return sw.Policy(backfill=backfill, reserve="nodes", **parameters, **others)


def drawn(seed: int) -> sw.Trace:
    """Draw 150 jobs of 1 to 6 units, each with a few cores and GPUs."""
    draw = random.Random(seed)
    rows = []
    submit = 0
    for _ in range(150):
        submit += draw.choice((0, 0, 1, 2, 5, 9))
        request = draw.randint(1, 40)
        run = draw.choice((request, draw.randint(0, request), request + 3))
        each = (draw.choice((1, 1, 2, 3, 4, 4)), draw.choice((0, 0, 0, 1, 2)))
        rows.append((submit, run, request, draw.randint(1, 6), *each))
    submits, runs, requests, units, cores, gpus = (list(c) for c in zip(*rows, strict=True))
    demands = sw.Demands(units, cores=cores, gpus=gpus)
    return sw.Trace.from_columns(submits, runs, demands.processors, requests).with_demands(demands)


def drawn_machine(placement: str) -> sw.Nodes:
    return sw.Nodes(
        [
            sw.NodeType(count=2, cores=4),
            sw.NodeType(count=3, cores=3, gpus=1),
            sw.NodeType(count=2, cores=4, gpus=2),
        ],
        placement,
    )


def eurora(placement: str) -> sw.Nodes:
    return sw.Nodes(
        [
            sw.NodeType(count=32, cores=16, memory="16GB", gpus=2),
            sw.NodeType(count=32, cores=16, memory="16GB", mics=2),
        ],
        placement,
    )


def digest_of(result: sw.Result) -> str:
    seen = hashlib.sha256(np.ascontiguousarray(result.start).tobytes())
    for row in range(len(result)):
        node, units = result.places(row)
        seen.update(repr((node.tolist(), units.tolist())).encode())
    return seen.hexdigest()[:16]


def cases() -> list[tuple[str, str, str, int]]:
    small = [("drawn", b, p, seed) for b in BACKFILLS for p in PLACEMENTS for seed in SEEDS]
    small += [("sjf", b, "least-scarce", seed) for b in BACKFILLS for seed in SEEDS]
    return small + [("eurora", b, "least-scarce", batch) for b in BACKFILLS for batch in (1, 2)]


def replayed(workload: str, backfill: str, placement: str, seed: int, **others: Any) -> sw.Result:
    if workload == "eurora":
        trace, machine = sw.generate("eurora", batch=seed, seed=1), eurora(placement)
    else:
        trace, machine = drawn(seed), drawn_machine(placement)
    order = "sjf" if workload == "sjf" else "fcfs"
    site = sw.Site(machine=machine, policy=policy_of(backfill, order=order), **others)
    return sw.simulate(trace, site)


@pytest.mark.parametrize(("workload", "backfill", "placement", "seed"), cases())
def test_starts_and_places_are_those_recorded(
    workload: str, backfill: str, placement: str, seed: int
) -> None:
    result = replayed(workload, backfill, placement, seed)
    assert digest_of(result) == RECORDED[f"{workload} {backfill} {placement} {seed}"]


@pytest.mark.parametrize(("workload", "backfill", "placement", "seed"), cases())
def test_the_planner_of_queues_gives_the_same(
    workload: str, backfill: str, placement: str, seed: int
) -> None:
    """A limit that holds no job back selects the planner for sites with queues.

    Both planners keep reservations of nodes until a job ends, or a job arrives that precedes a
    blocked one. If reservations were recomputed in every pass, best fit would choose other nodes,
    because each job that starts changes which nodes fit best.
    """
    limits = sw.Limits(running=10_000)
    result = replayed(workload, backfill, placement, seed, limits=limits)
    assert digest_of(result) == RECORDED[f"{workload} {backfill} {placement} {seed}"]
