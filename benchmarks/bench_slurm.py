"""Replays under the ``slurm`` preset: two recordings of real Slurm, and a centre of 1,500 nodes.

Run with ``pytest benchmarks/bench_slurm.py --benchmark-enable``. The sum of all start times is
checked, so an optimisation cannot change the starts unnoticed.
"""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_site import describe_site

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

ROOT = Path(__file__).resolve().parent.parent
RECORDINGS = ROOT / "tests" / "slurm" / "recordings"
CENTRE_JOBS = 3_000
SUMS_OF_STARTS = {"fifo_fast": 7_839_401, "prio": 10_917_384}


def recorded_trace(name: str, queues: tuple[str, ...]) -> sw.Trace:
    """Return the submit times, run times and limits of the recorded jobs."""
    with (RECORDINGS / f"{name}.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    return sw.Trace.from_columns(
        submit=[int(row["submit"]) for row in rows],
        run_time=[int(row["end"]) - int(row["start"]) for row in rows],
        requested_time=[int(row["limit"]) for row in rows],
        processors=[int(row["nodes"]) for row in rows],
        queue=[queues.index(row["partition"]) + 1 for row in rows],
    )


def recorded_site(name: str) -> sw.Site:
    """Return the site of the recording's slurm.conf, as ``slotwise site from-slurm`` writes it."""
    site = describe_site(RECORDINGS / f"{name}.conf", version="22.05").site
    numbered = [
        dataclasses.replace(queue, trace_queues=(number,))
        for number, queue in enumerate(site.queues, start=1)
    ]
    return site.replace(queues=numbered)


def centre_site() -> sw.Site:
    """Return the example centre without the limits and maintenance that ``slurm`` rejects."""
    return sw.Site.from_toml(ROOT / "benchmarks" / "slurm_centre.toml")


@pytest.mark.parametrize("name", SUMS_OF_STARTS)
def test_a_recording(benchmark: BenchmarkFixture, name: str) -> None:
    site = recorded_site(name)
    trace = recorded_trace(name, tuple(queue.name for queue in site.queues))
    result = benchmark(sw.simulate, trace, site)
    assert int(result.start.sum()) == SUMS_OF_STARTS[name]


def test_a_centre(benchmark: BenchmarkFixture) -> None:
    trace = sw.generate("centre", n_jobs=100_000, seed=1)[:CENTRE_JOBS]
    result = benchmark(sw.simulate, trace, centre_site())
    assert int(result.start.sum()) == 143_485_668
