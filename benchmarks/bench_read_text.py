"""Speed of reading sacct text and csv, and of writing jobs as csv.

Run with ``pytest benchmarks/bench_read_text.py --benchmark-enable -s``.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise.formats.job_files import write_trace
from slotwise.result.job_files import write_jobs
from yardstick.rows import traces_folder

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

PHILLIPS = (traces_folder() or Path()) / "accounting" / "slurm-sacct-phillips.log.gz"
COPIES = 64
JOBS = 100_000


def report(benchmark: BenchmarkFixture, name: str, size: int) -> None:
    if benchmark.stats is None:
        return
    least = benchmark.stats["min"]
    speed = size / 1e6 / least
    benchmark.extra_info["MB/s"] = round(speed)
    print(f"\n{name}: {least * 1000:,.0f} ms, {speed:,.0f} MB/s of {size / 1e6:,.1f} MB")


@pytest.fixture(scope="module")
def generated() -> sw.Trace:
    return sw.generate("lublin", n_jobs=JOBS, processors=1024, seed=1)


def test_read_sacct(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """Repeat the phillips log (4,285 jobs), with distinct job numbers, to make 100 MB of text."""
    if not PHILLIPS.is_file():
        pytest.skip(f"{PHILLIPS} is not here: set SLOTWISE_TRACES to the folder of the real logs")
    lines = gzip.decompress(PHILLIPS.read_bytes()).decode().splitlines()
    path = tmp_path / "sacct.log"
    with path.open("w") as file:
        for copy in range(COPIES):
            for line in lines:
                number, _, rest = line.split("|", 2)
                distinct = f"{copy}{int(number):07d}"
                file.write(f"{distinct}|{distinct}|{rest}\n")
    trace = benchmark(sw.read_trace, path)
    assert len(trace) == COPIES * 4285
    # The reference reader in tests/reference/log_readers.py also finds 4,285 jobs, and the same
    # total of processor-seconds.
    once = sw.read_trace(PHILLIPS)
    assert (trace.run_time * trace.processors).sum() == COPIES * (
        once.run_time * once.processors
    ).sum()
    report(benchmark, "read sacct", path.stat().st_size)


def test_read_csv(benchmark: BenchmarkFixture, tmp_path: Path, generated: sw.Trace) -> None:
    path = tmp_path / "trace.csv"
    write_trace(generated, path)
    assert benchmark(sw.read_csv, path) == generated
    report(benchmark, f"read csv of {JOBS:,} jobs", path.stat().st_size)


def test_write_csv(benchmark: BenchmarkFixture, tmp_path: Path, generated: sw.Trace) -> None:
    path = tmp_path / "copy.csv"
    benchmark(write_trace, generated, path)
    assert sw.read_csv(path) == generated
    report(benchmark, f"write csv of {JOBS:,} jobs", path.stat().st_size)


def test_write_jobs(benchmark: BenchmarkFixture, tmp_path: Path, generated: sw.Trace) -> None:
    """Write the jobs as ``slotwise run --jobs jobs.csv`` does after the replay."""
    result = sw.simulate(generated)
    path = tmp_path / "jobs.csv"
    benchmark(write_jobs, result, path)
    back = sw.read_trace(path, "evalys")
    assert np.array_equal(back.submit + back.wait, result.start)
    report(benchmark, f"write --jobs csv of {JOBS:,} jobs", path.stat().st_size)
