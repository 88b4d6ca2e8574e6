"""Speed of learning environments: decisions per second, and branches per second.

A branch is a copy of an environment that simulates one more day. One log has the size of KTH-SP2
(28,475 jobs on 100 processors); the other covers a year on a large machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest

import slotwise as sw
import slotwise.rl

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

TRACES = {
    "kth": lambda: sw.generate("lublin", n_jobs=28_475, processors=100, load=0.7, seed=1),
    "year": lambda: sw.generate("lublin", n_jobs=100_000, processors=35_232, load=0.85, seed=1),
}
DECISIONS = 30_000
BRANCHES = 1_000


@pytest.fixture(scope="module", params=TRACES)
def trace(request: pytest.FixtureRequest) -> sw.Trace:
    return TRACES[request.param]()


def note_rate(benchmark: BenchmarkFixture, name: str, amount: float) -> None:
    """Record `amount` divided by the seconds of the fastest round, unless timing is disabled."""
    if benchmark.stats is not None:
        benchmark.extra_info[name] = amount / benchmark.stats["min"]


def test_one_environment(benchmark: BenchmarkFixture, trace: sw.Trace) -> None:
    environment = gymnasium.make(slotwise.rl.ENVIRONMENT, trace=trace).unwrapped
    expected = sw.simulate(trace).start

    def play() -> None:
        environment.reset(seed=0)
        for _ in range(DECISIONS):
            _, _, over, _, _ = environment.step(0)
            if over:
                environment.reset()

    benchmark.pedantic(play, rounds=3)
    starts = environment.starts
    has_started = starts >= 0
    assert (starts[has_started] == expected[has_started]).all()
    note_rate(benchmark, "decisions_per_second", DECISIONS)


@pytest.mark.parametrize("workers", [1, 2])
def test_sixty_four_environments(
    benchmark: BenchmarkFixture, trace: sw.Trace, workers: int
) -> None:
    vector = gymnasium.make_vec(
        slotwise.rl.ENVIRONMENT, num_envs=64, trace=trace, jobs=256, workers=workers
    )
    actions = np.zeros(64, int)
    steps = DECISIONS // 64

    def play() -> float:
        vector.reset(seed=0)
        return sum(float(vector.step(actions)[1].sum()) for _ in range(steps))

    single = slotwise.rl.SchedulingEnv(trace, jobs=256)
    expected, _ = single.reset(seed=0)
    np.testing.assert_array_equal(vector.reset(seed=0)[0][0], expected)
    total = benchmark.pedantic(play, rounds=3)
    assert total == play()
    note_rate(benchmark, "decisions_per_second", 64 * steps)


def test_branches_of_a_day(benchmark: BenchmarkFixture, trace: sw.Trace) -> None:
    environment = slotwise.rl.SchedulingEnv(
        trace, actions="policy", policies=[sw.Policy()], period=86400
    )
    environment.reset(seed=0)
    half = int(trace.submit[len(trace) // 2])
    now = 0
    while now < half:
        _, _, _, _, info = environment.step(0)
        now = info["now"]
    n_started = environment.totals.n_started

    def branch() -> int:
        started = 0
        for _ in range(BRANCHES):
            other = environment.copy()
            other.step(0)
            started = other.totals.n_started
        return started

    started = benchmark.pedantic(branch, rounds=3)
    environment.step(0)
    assert started == environment.totals.n_started > n_started
    note_rate(benchmark, "branches_per_second", BRANCHES)
