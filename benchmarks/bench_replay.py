"""Replays under every registered backfill rule and order, each compared with the bare event loop.

Run with ``pytest benchmarks/bench_replay.py --benchmark-enable``. Newly registered
policies are included. ``extra_info`` holds the ratio to the bare loop.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise import _core
from slotwise.generators import lublin

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

JOBS = 20_000
PROCESSORS = 35_232


@pytest.fixture(scope="module")
def trace() -> sw.Trace:
    """Make a log of a busy machine, with waits from a replay under easy backfilling."""
    drawn = lublin(JOBS, processors=PROCESSORS, load=0.85, seed=1)
    return sw.Trace.from_columns(
        drawn.submit,
        drawn.run_time,
        drawn.processors,
        drawn.requested_time,
        wait=sw.simulate(drawn).wait,
        user=drawn.user,
        max_processors=PROCESSORS,
    )


def check(result: sw.Result, again: sw.Result) -> None:
    """Check that both replays have the same starts.

    Also check that no wait is negative, and that the capacity is never exceeded.
    """
    assert np.array_equal(result.start, again.start)
    assert int(result.wait.min()) >= 0
    assert int(result.series()["busy_processors"].max()) <= PROCESSORS


def timed(benchmark: BenchmarkFixture, trace: sw.Trace, policy: sw.Policy) -> sw.Result:
    site = sw.Site(policy=policy)
    result: sw.Result = benchmark(sw.simulate, trace, site)
    check(result, sw.simulate(trace, site))
    if benchmark.stats is not None:
        spent = []
        for _ in range(11):
            began = time.perf_counter()
            _core.run_bare_loop(trace._jobs)
            spent.append(time.perf_counter() - began)
        benchmark.extra_info["jobs"] = JOBS
        benchmark.extra_info["ratio"] = round(benchmark.stats["min"] / min(spent), 2)
    return result


@pytest.mark.parametrize("backfill", [info.name for info in sw.backfills()])
def test_backfill(benchmark: BenchmarkFixture, trace: sw.Trace, backfill: str) -> None:
    result = timed(benchmark, trace, sw.Policy(backfill=backfill))
    if backfill == "as-logged":
        assert np.array_equal(result.wait, trace.wait)


@pytest.mark.parametrize("order", [info.name for info in sw.orders()])
def test_order_with_easy(benchmark: BenchmarkFixture, trace: sw.Trace, order: str) -> None:
    timed(benchmark, trace, sw.Policy(order=order))
