"""Time of one call to a solver of the `window` backfill, with 5 jobs and 50 slots."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

Columns = tuple["NDArray[np.int32]", "NDArray[np.int32]"]
JOBS, SLOTS = 5, 50
KINDS = ("powers", "any", "crowded")
MOST = 20e-6  # target for the median seconds per call of branch-and-bound
INSTANCES, CALLS = 500, 9


def drawn(kind: str, jobs: int, slots: int, random: np.random.Generator) -> Columns:
    """Draw sizes of jobs and slots; in `powers` instances, every job size is a power of two.

    `tight` instances are the hard ones: together, the slots have as many nodes as the jobs need.
    In `crowded` instances, most jobs are too large for any slot.
    """
    if kind == "powers":
        sizes = 2 ** random.integers(0, 12, jobs)
        capacities = 2 ** random.uniform(0, 12, slots)
    elif kind == "any":
        sizes = 2 ** random.uniform(0, 12, jobs)
        capacities = 2 ** random.uniform(0, 12, slots)
    elif kind == "crowded":
        sizes = random.integers(1, 100, jobs)
        capacities = random.integers(1, 30, slots)
    else:
        sizes = random.integers(100, 1000, jobs)
        shares = random.uniform(0.5, 1.5, slots)
        capacities = shares / shares.sum() * sizes.sum()
    return sizes.astype(np.int32), np.maximum(capacities, 1).astype(np.int32)


def call_seconds(solve: Any, columns: Columns) -> float:
    """Return the median time of a few calls from Python."""
    times = []
    for _ in range(CALLS):
        began = time.perf_counter()
        solve(*columns)
        times.append(time.perf_counter() - began)
    return float(np.median(times))


def cells() -> list[dict[str, Any]]:
    return [{"kind": kind} for kind in KINDS]


def name_of(cell: dict[str, Any]) -> str:
    return f"{JOBS} jobs, {SLOTS} slots, {cell['kind']}"


def measure(cell: dict[str, Any]) -> dict[str, Any]:
    """Measure how many seconds a call takes for random instances, and for an empty one."""
    random = np.random.default_rng(JOBS)
    empty = np.empty(0, dtype=np.int32)
    spent = [
        call_seconds(_core.branch_and_bound, drawn(cell["kind"], JOBS, SLOTS, random))
        for _ in range(INSTANCES)
    ]
    return {
        "instances": INSTANCES,
        "median_seconds": float(np.median(spent)),
        "p99_seconds": float(np.percentile(spent, 99)),
        "worst_seconds": max(spent),
        "empty_seconds": call_seconds(_core.branch_and_bound, (empty, empty)),
    }
