"""Time to generate a trace from a workload model. Run `make bench`, or pytest on this file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from slotwise.generators import lublin
from slotwise.generators.kraken import kraken

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture


@pytest.mark.parametrize("n_jobs", [100_000, 1_000_000])
@pytest.mark.parametrize("duration", [None, "365d"])
def test_lublin(benchmark: BenchmarkFixture, n_jobs: int, duration: str | None) -> None:
    trace = benchmark(lublin, n_jobs, duration=duration)
    assert len(trace) == n_jobs
    load = int(np.dot(trace.run_time, trace.processors)) / (35_232 * int(trace.submit[-1]))
    assert load == pytest.approx(0.85, rel=1e-3)
    benchmark.extra_info["jobs"] = n_jobs


@pytest.mark.parametrize("period", ["47.5d", "13mo"])
def test_kraken(benchmark: BenchmarkFixture, period: str) -> None:
    trace = benchmark(kraken, period=period)
    load = int(np.dot(trace.run_time, trace.processors)) / (98_976 * int(trace.submit[-1]))
    assert load == pytest.approx(0.88, rel=1e-3)
    benchmark.extra_info["jobs"] = len(trace)
