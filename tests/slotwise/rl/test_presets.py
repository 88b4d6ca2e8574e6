"""Preset observations and rewards match their formulas, evaluated with NumPy on whole columns."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw

pytest.importorskip("gymnasium")

from slotwise.rl import SchedulingEnv, Totals, observations, rewards
from slotwise.rl.grid_shape import GridShape

BASE = sw.generate("lublin", n_jobs=300, processors=64, load=1.1, seed=2)
TRACE = BASE.with_columns(
    user=np.arange(300) % 7,
    group=np.where(np.arange(300) % 3 == 0, -1, 4),
    requested_memory=np.arange(300) % 50,
)


@pytest.mark.parametrize("preset", observations.PRESETS)
def test_the_core_observes_by_the_formulas(preset: str) -> None:
    grid = GridShape(6, 5, 1800)
    environment = SchedulingEnv(TRACE, observation=preset, window=16, layout="flat", grid=grid)
    observation, _ = environment.reset(seed=0)
    formula = observations.observer(preset, grid)
    dice, over, most = np.random.default_rng(1), False, 0
    while not over:
        expected = formula(environment.state)
        np.testing.assert_allclose(observation.ravel(), expected, rtol=0, atol=1e-6)
        most = max(most, len(environment.state.queue))
        observation, _, over, _, _ = environment.step(int(dice.integers(16)))
    assert most > 16


@pytest.mark.parametrize("preset", rewards.PRESETS)
def test_the_core_rewards_by_the_formulas(preset: str) -> None:
    environment = SchedulingEnv(TRACE, reward=preset, window=16)
    environment.reset(seed=0)
    over, before = False, environment.totals
    while not over:
        _, reward, over, _, _ = environment.step(1)
        after = environment.totals
        assert reward == pytest.approx(
            rewards.reward_of(preset, before, after, 64, over), rel=1e-12
        )
        before = after


def test_totals_are_those_of_the_schedule() -> None:
    environment = SchedulingEnv(TRACE, window=16)
    environment.reset(seed=0)
    over = False
    while not over:
        _, _, over, _, _ = environment.step(0)
    start, run = environment.starts, np.minimum(TRACE.run_time, TRACE.requested_time)
    wait = start - TRACE.submit
    totals = environment.totals
    assert totals.waited == wait.sum()
    assert totals.waited_area == (wait * TRACE.processors).sum()
    assert totals.busy_area == (run * TRACE.processors).sum()
    assert totals.presence == pytest.approx(((wait + run) / np.maximum(run, 1)).sum())
    slowdown = np.maximum(1, (wait + run) / np.maximum(run, 10))
    assert totals.bounded_slowdown == pytest.approx(slowdown.sum())
    assert totals.n_started == totals.n_jobs == 300
    assert totals.seconds == (start + run).max() - TRACE.submit[0]


def test_rewards_of_an_episode_add_up() -> None:
    # The "wait" rewards add up to minus the mean wait in hours, and the "bounded_slowdown" rewards
    # to minus the mean bounded slowdown.
    metrics = sw.simulate(TRACE).metrics()
    for reward, mean in (("wait", "mean_wait"), ("bounded_slowdown", "mean_bounded_slowdown")):
        environment = SchedulingEnv(TRACE, reward=reward)
        environment.reset(seed=0)
        total, over = 0.0, False
        while not over:
            _, gained, over, _, _ = environment.step(0)
            total += gained
        unit = 3600 if reward == "wait" else 1
        assert -total * unit == pytest.approx(metrics[mean])


def test_functions_of_ones_own_take_columns_and_totals() -> None:
    from gymnasium import spaces

    space = spaces.Box(0, 1e9, (2,), np.float64)

    def free_and_asked(state: object) -> np.ndarray:
        return np.array([state.free, state.queue.processors.sum()], dtype=float)

    def started(before: Totals, after: Totals) -> float:
        return after.n_started - before.n_started

    environment = SchedulingEnv(TRACE, observation=(free_and_asked, space), reward=started)
    observation, _ = environment.reset(seed=0)
    assert observation.tolist() == [64, TRACE.processors[0]]
    total, over = 0.0, False
    while not over:
        observation, gained, over, _, _ = environment.step(0)
        total += gained
    assert total == 300
    assert observation.tolist() == [64, 0]


def test_episodes_are_windows_of_jobs_or_of_time() -> None:
    by_jobs = SchedulingEnv(TRACE, jobs=40, warm_up=10)
    by_time = SchedulingEnv(TRACE, seconds=86400)
    lengths = set()
    for seed in range(20):
        by_jobs.reset(seed=seed)
        first, last = by_jobs.episode
        assert last - first == 40
        by_time.reset(seed=seed)
        begin, end = by_time.episode
        assert TRACE.submit[end - 1] < TRACE.submit[begin] + 86400
        assert end == 300 or TRACE.submit[end] >= TRACE.submit[begin] + 86400
        lengths.add(end - begin)
    assert len(lengths) > 3
    by_jobs.reset(options={"first": 7, "last": 9})
    assert by_jobs.episode == (7, 9)


def test_a_warm_up_is_replayed_by_the_policy() -> None:
    # Jobs 1 and 2 (all 4 processors, 100 s) are the warm-up; job 3 arrives at 150 and waits for job
    # 2 until 200.
    trace = sw.Trace.from_columns([0, 0, 150], [100, 100, 10], [4, 4, 4], max_processors=4)
    environment = SchedulingEnv(trace, warm_up=2)
    _, info = environment.reset(options={"first": 2, "last": 3})
    assert info["now"] == 200
    environment.step(0)
    assert environment.starts.tolist() == [200]
    assert environment.totals.n_started == 1
    assert environment.totals.waited == 50
