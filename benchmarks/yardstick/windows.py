"""Cost of window scheduling on a torus of 40,960 nodes, in units of the bare event loop."""

from __future__ import annotations

from typing import Any

import slotwise as sw

SHAPE = (40, 32, 32)
JOBS = 100_000
LOADS = (0.7, 0.85)
MOST = {"branch-and-bound": 60, "greedy": 30}  # as multiples of the time of the bare loop
WIDTH = 5


def cells(jobs: int = JOBS) -> list[dict[str, Any]]:
    """List the cells: a generated one-year trace for each combination of load and solver."""
    return [{"jobs": jobs, "load": load, "solver": solver} for load in LOADS for solver in MOST]


def name_of(cell: dict[str, Any]) -> str:
    return f"window of {WIDTH}, {cell['solver']}, load {cell['load']:g}"


def site_of(cell: dict[str, Any]) -> sw.Site:
    policy = sw.Policy(backfill="window", window=WIDTH, solver=cell["solver"])
    return sw.Site(machine=sw.Torus(SHAPE), policy=policy)
