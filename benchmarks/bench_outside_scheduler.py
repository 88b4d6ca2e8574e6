"""Cost of a pass in which a C program makes the decisions over a pipe.

Each pass has one arrival and one start. The bound is 30 microseconds per pass. The simulator and
the C program each need a free processor.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

N_JOBS = 20_000
SOURCE = Path(__file__).resolve().parents[1] / "examples" / "outside_scheduler.c"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("program") / "fcfs"
    subprocess.run(["cc", "-O2", "-o", path, SOURCE], check=True)
    return str(path)


def test_one_arrival_and_one_start(benchmark: BenchmarkFixture, program: str) -> None:
    trace = sw.Trace.from_columns(
        range(0, 2 * N_JOBS, 2), [2] * N_JOBS, [1] * N_JOBS, max_processors=64, user=[1] * N_JOBS
    )
    with sw.OutsideScheduler([program]) as scheduler:
        passes = 0

        def dispatch(queue: sw.JobView, machine: sw.MachineView) -> list[int]:
            nonlocal passes
            passes += 1
            return scheduler(queue, machine)

        site = sw.Site(policy=sw.External(dispatch))

        def replay() -> float:
            nonlocal passes
            passes = 0
            began = time.perf_counter()
            result = sw.simulate(trace, site)
            seconds = time.perf_counter() - began
            assert (result.start == trace.submit).all()
            return seconds

        seconds = benchmark.pedantic(replay, rounds=5)
    # Each job ends just as the next one arrives, so every pass handles one end, one arrival and one
    # start.
    assert N_JOBS <= passes <= N_JOBS + 1
    benchmark.extra_info["microseconds_per_pass"] = 1e6 * seconds / passes
    print(f"\n{1e6 * seconds / passes:.1f} microseconds per pass")
