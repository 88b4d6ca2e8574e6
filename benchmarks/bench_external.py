"""Cost per pass of an external dispatcher that starts no job.

The median may be at most 3 microseconds above the cost of a pass of the engine itself.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

N_JOBS = 20_000


def start_none(queue: Any, machine: Any) -> None:
    """Start no job."""


@pytest.fixture(scope="module")
def trace() -> sw.Trace:
    """Build a log in which a job arrives every second, so each arrival causes one pass."""
    return sw.Trace.from_columns(
        range(N_JOBS), [1] * N_JOBS, [1] * N_JOBS, max_processors=64, user=[1] * N_JOBS
    )


def test_a_pass_of_a_dispatcher_that_does_nothing(
    benchmark: BenchmarkFixture, trace: sw.Trace
) -> None:
    sim = sw.Simulation(trace, sw.Site(policy=sw.External(start_none)))

    def replay() -> float:
        other = sw.Simulation.restore(sim.snapshot())
        began = time.process_time()
        other.run()
        seconds = time.process_time() - began
        assert len(other.queue) == N_JOBS
        return seconds

    seconds = benchmark.pedantic(replay, rounds=7)
    benchmark.extra_info["microseconds_a_pass"] = 1e6 * seconds / N_JOBS


def test_a_dispatcher_that_starts_what_arrives(
    benchmark: BenchmarkFixture, trace: sw.Trace
) -> None:
    def dispatch(queue: Any, machine: Any) -> Any:
        return queue.job_id

    site = sw.Site(policy=sw.External(dispatch))
    result = benchmark.pedantic(lambda: sw.simulate(trace, site), rounds=3)
    assert (result.start == trace.submit).all()
