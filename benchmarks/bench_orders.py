"""Cost of each order per job and pass, for a queue of 1,000 jobs.

Run with ``pytest benchmarks/bench_orders.py --benchmark-enable``; ``extra_info`` holds nanoseconds.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

QUEUE = 1_000
FEW, PASSES = 10, 60
RNG = np.random.default_rng(3)
TRACE = sw.Trace.from_columns(
    np.sort(RNG.integers(0, 1_000_000, 10_000)),
    RNG.integers(1, 50_000, 10_000),
    RNG.integers(1, 1_000, 10_000),
    RNG.integers(60, 86_400, 10_000),
    user=RNG.integers(0, 300, 10_000),
)
JOBS = np.sort(RNG.choice(2_000, QUEUE, replace=False)) + 4_000
NOW = 1_000_000 + np.arange(PASSES)

KEY = "(wait + requested_time) / requested_time"
WEIGHED = "-submit + 100 * processors / max(requested_time, 60)"


def expansion(jobs: Any, now: int) -> Any:
    """Compute the formula `KEY`."""
    request = jobs.requested_time
    return (jobs.wait + request) / request


def compiled() -> sw.CompiledOrder:
    """Compile the formula `KEY` with numba."""
    numba = pytest.importorskip("numba", reason="numba has no wheel for this Python")
    doubles = numba.types.CPointer(numba.types.float64)
    whole = numba.types.int64

    @numba.cfunc(
        numba.types.intc(whole, whole, numba.types.CPointer(doubles), doubles, numba.types.voidptr)
    )
    def score(n: int, now: int, columns: Any, keys: Any, data: Any) -> int:
        for i in range(n):
            keys[i] = (columns[0][i] + columns[1][i]) / columns[1][i]
        return 0

    return sw.CompiledOrder(score, ("wait", "requested_time"))


def expected(name: str) -> np.ndarray | None:
    """Compute the expected scores with NumPy, or return None for an order without a formula."""
    if name not in {"priority", "wfp3", *USERS_OWN}:
        return None
    wait = (NOW[:, None] - TRACE.submit[JOBS]).astype(float)
    request = TRACE.requested_time[JOBS].astype(float)
    cores = TRACE.processors[JOBS].astype(float)
    if name == "priority":
        q, r = wait / 60, np.maximum(request / 60, 1)
        return 5 * q + 100 * (1 + q / r) + cores
    if name == "weighed":
        fixed = -TRACE.submit[JOBS] + 100 * cores / np.maximum(request, 60)
        return np.broadcast_to(fixed, wait.shape)
    if name == "wfp3":
        ratio = wait / request
        return ratio * ratio * ratio * cores
    return (wait + request) / request


USERS_OWN = ("expression", "weighed", "numpy", "compiled")
ORDERS: dict[str, Any] = {
    **{info.name: lambda name=info.name: name for info in sw.orders() if info.name != "expression"},
    "expression": lambda: {"name": "expression", "key": KEY},
    "weighed": lambda: {"name": "expression", "key": WEIGHED},
    "numpy": lambda: expansion,
    "compiled": compiled,
}


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_scores_a_queue(benchmark: BenchmarkFixture, name: str) -> None:
    order = ORDERS[name]()
    # All rounds write to the same array, because the first write to new memory is slow.
    found = np.zeros((PASSES, QUEUE))
    benchmark(sw.scores, TRACE, order, NOW, jobs=JOBS, out=found)
    if (wanted := expected(name)) is not None:
        assert np.array_equal(found, wanted)
    if benchmark.stats is not None:
        # One-time costs, such as reading the trace, cancel out in the difference between a long and
        # a short run.
        spent = fastest(order, found) - fastest(order, found[:FEW])
        nanoseconds = spent * 1e9 / (QUEUE * (PASSES - FEW))
        benchmark.extra_info["ns_per_job_and_pass"] = round(nanoseconds, 2)


def fastest(order: Any, out: np.ndarray) -> float:
    """Return the CPU seconds of the fastest of many rounds, each with one pass per row of `out`."""
    spent = []
    for _ in range(201):
        began = time.thread_time()
        sw.scores(TRACE, order, NOW[: len(out)], jobs=JOBS, out=out)
        spent.append(time.thread_time() - began)
    return min(spent)
