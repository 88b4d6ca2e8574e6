"""Time to evaluate a finished replay: metrics, groups, change points, Arrow export, fair starts.

Run with ``pytest benchmarks/bench_metrics.py --benchmark-enable``. Results are checked against
NumPy. The log is synthetic, and has as many jobs as the CEA Curie log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise import _core

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

JOBS = 312_826


@pytest.fixture(scope="module")
def result() -> sw.Result:
    """Build a result in which waits and run times span five orders of magnitude.

    About half of the jobs do not wait.
    """
    generator = np.random.default_rng(1)
    submit = np.sort(generator.integers(0, 20_000_000, JOBS))
    wait = (10 ** generator.uniform(0, 5, JOBS)).astype(np.int64) * generator.integers(0, 2, JOBS)
    run = (10 ** generator.uniform(0, 5, JOBS)).astype(np.int64)
    trace = sw.Trace.from_columns(
        submit,
        run,
        generator.integers(1, 257, JOBS),
        user=generator.integers(0, 500, JOBS),
        max_processors=93_312,
    )
    schedule = _core.Schedule(submit + wait, submit + wait + run)
    return sw.Result(trace, sw.Site(), schedule, 93_312, 0.0)


def test_metrics(benchmark: BenchmarkFixture, result: sw.Result) -> None:
    figures = benchmark(result.metrics)
    assert figures["mean_wait"] == result.wait.mean()
    assert figures["p95_wait"] == np.percentile(result.wait, 95)
    span = result.end.max() - result.trace.submit[0]
    area = (result.trace.processors * (result.end - result.start)).sum()
    assert figures["utilisation"] == area / (span * result.processors)


def test_metrics_by_user(benchmark: BenchmarkFixture, result: sw.Result) -> None:
    rows = benchmark(result.metrics_by, "user")
    assert sum(row["n_jobs"] for row in rows.values()) == JOBS
    assert rows[7]["max_wait"] == result.wait[result.trace.user == 7].max()


def test_series(benchmark: BenchmarkFixture, result: sw.Result) -> None:
    series = benchmark(result.series)
    lengths = np.diff(series["time"])
    assert (series["queued_jobs"][:-1] * lengths).sum() == result.wait.sum()
    area = (result.trace.processors * (result.end - result.start)).sum()
    assert (series["busy_processors"][:-1] * lengths).sum() == area


def test_arrow_export(benchmark: BenchmarkFixture, result: sw.Result) -> None:
    pa = pytest.importorskip("pyarrow")
    table = benchmark(lambda: pa.table(result.jobs))
    assert table["start"].chunk(0).buffers()[1].address == result.start.ctypes.data
    assert table.num_rows == JOBS


def test_fair_start_of_a_sample(benchmark: BenchmarkFixture) -> None:
    generator = np.random.default_rng(2)
    jobs = 30_000
    submit = np.sort(generator.integers(0, 3_000_000, jobs))
    run = generator.integers(0, 10_000, jobs)
    trace = sw.Trace.from_columns(submit, run, generator.integers(1, 4, jobs), max_processors=128)
    result = sw.simulate(trace)
    fair = benchmark(result.fair_start, sample=1000)
    assert np.count_nonzero(fair >= 0) == 1000
    late = np.flatnonzero(fair >= 0)[-1]
    assert sw.simulate(trace[: late + 1]).start[late] == fair[late]
