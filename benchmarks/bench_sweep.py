"""Sweeps over a hundred sites, on one thread and on two. Both must give the same results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

TRACE = sw.generate("lublin", n_jobs=20_000, processors=1024, load=0.8, seed=3)
SITES = [
    sw.Site(sw.Processors(1024 + extra), sw.Policy(order=order))
    for extra in range(0, 1000, 40)
    for order in ("fcfs", "sjf", "saf", "f1")
]
EXPECTED = sw.simulate(TRACE, SITES[-1]).metrics()


@pytest.mark.parametrize("workers", [1, 2])
def test_sweep_of_a_hundred_sites(benchmark: BenchmarkFixture, workers: int) -> None:
    sweep = benchmark(sw.sweep, TRACE, SITES, workers)
    assert sweep.row(99) == EXPECTED
