"""Speed of the solvers of the `window` backfill on 5 jobs, and quality of the greedy solver.

``pytest benchmarks/bench_knapsack.py --benchmark-enable`` times one call from Python;
``extra_info`` also holds the time of a call with nothing to solve. ``python
benchmarks/bench_knapsack.py`` prints how often the greedy solver is optimal, and how far it falls
short otherwise (docs/concepts/window.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from slotwise import _core
from yardstick.solvers import JOBS, SLOTS, call_seconds, drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pytest_benchmark.fixture import BenchmarkFixture

    from yardstick.solvers import Columns

INSTANCES = 2_000


def filled(columns: Columns, slot_of: NDArray[Any]) -> int:
    return int(columns[0][slot_of >= 0].sum())


@pytest.mark.parametrize("kind", ["powers", "any", "crowded"])
@pytest.mark.parametrize("solver", ["branch_and_bound", "greedy"])
def test_five_jobs_and_all_of_fifty_slots(
    benchmark: BenchmarkFixture, solver: str, kind: str
) -> None:
    random = np.random.default_rng(5)
    instances = [drawn(kind, JOBS, SLOTS, random) for _ in range(200)]
    solve = getattr(_core, solver)
    for columns in instances:
        assert filled(columns, solve(*columns)) <= filled(columns, _core.branch_and_bound(*columns))
    at = iter(range(10**9))
    benchmark(lambda: solve(*instances[next(at) % len(instances)]))
    spent = [call_seconds(solve, columns) for columns in instances]
    empty = np.empty(0, dtype=np.int32)
    benchmark.extra_info["median_us"] = round(1e6 * float(np.median(spent)), 2)
    benchmark.extra_info["empty_call_us"] = round(1e6 * call_seconds(solve, (empty, empty)), 2)


def quality(kind: str, jobs: int, slots: int) -> tuple[float, float, float]:
    """Return how often the greedy solver is optimal, and its mean and largest loss.

    A loss of 0.1 means that the greedy solver fills 10 % fewer nodes than the exact solver.
    """
    random = np.random.default_rng(jobs)
    losses = []
    for _ in range(INSTANCES):
        columns = drawn(kind, jobs, slots, random)
        most = filled(columns, _core.branch_and_bound(*columns))
        losses.append(1 - filled(columns, _core.greedy(*columns)) / most if most else 0.0)
    lost = np.array(losses)
    return float((lost == 0).mean()), float(lost.mean()), float(lost.max())


def main() -> None:
    print("| jobs | slots | sizes | best found | lost in the mean | at most |")
    print("| ---: | ---: | --- | ---: | ---: | ---: |")
    for jobs in (5, 10):
        for slots in (3, jobs):
            for kind in ("powers", "any", "tight"):
                best, mean, most = quality(kind, jobs, slots)
                print(f"| {jobs} | {slots} | {kind} | {best:.1%} | {mean:.2%} | {most:.1%} |")


if __name__ == "__main__":
    main()
