"""Environments follow Gymnasium's contract; the vector environment matches ``SyncVectorEnv``."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

import slotwise.rl as rl  # noqa: E402

TRACE = sw.generate("lublin", n_jobs=400, processors=128, load=0.95, seed=3)
POLICIES = ("easy", "none")
CHOICES = {
    "job": {},
    "front": {},
    "score": {},
    "policy": {"policies": [sw.Policy(), sw.Policy(order="sjf")]},
}


def made(mode: str, **options: Any) -> VectorEnv:
    autoreset = options.pop("autoreset_mode", AutoresetMode.NEXT_STEP)
    given: dict[str, Any] = {"trace": TRACE, "window": 8, "jobs": 12} | options
    if mode == "sync":
        kwargs = {"vector_kwargs": {"autoreset_mode": autoreset}}
        return gymnasium.make_vec(
            rl.ENVIRONMENT, num_envs=3, vectorization_mode="sync", **kwargs, **given
        )
    return gymnasium.make_vec(rl.ENVIRONMENT, num_envs=3, autoreset_mode=autoreset, **given)


@pytest.mark.parametrize("actions", CHOICES)
@pytest.mark.parametrize(
    "observation",
    [{"observation": "flat"}, {"observation": "rlscheduler"}, {"observation": "grid"},
     {"observation": "rlscheduler", "layout": "flat"}],
)  # fmt: skip
def test_check_env_passes_for_every_preset(actions: str, observation: dict[str, str]) -> None:
    environment = gymnasium.make(
        rl.ENVIRONMENT,
        trace=TRACE,
        actions=actions,
        window=8,
        jobs=30,
        **CHOICES[actions],
        **observation,
    )
    check_env(environment.unwrapped)


@pytest.mark.parametrize("reward", rl.rewards.PRESETS)
def test_check_env_passes_for_every_reward(reward: str) -> None:
    for mode in ("ansi", "rgb_array"):
        options = {"reward": reward, "jobs": 30, "render_mode": mode}
        check_env(gymnasium.make(rl.ENVIRONMENT, trace=TRACE, **options).unwrapped)


def same(one: Any, other: Any) -> bool:
    return data_equivalence(one, other, exact=True)


@pytest.mark.threads
@pytest.mark.parametrize("autoreset_mode", list(AutoresetMode))
@pytest.mark.parametrize("actions", CHOICES)
def test_the_vector_environment_equals_the_synchronous_one(
    actions: str, autoreset_mode: AutoresetMode
) -> None:
    options = {"actions": actions, "autoreset_mode": autoreset_mode} | CHOICES[actions]
    sync, own = made("sync", **options), made("own", **options)
    assert sync.observation_space == own.observation_space
    assert sync.action_space == own.action_space
    assert sync.single_observation_space == own.single_observation_space
    assert sync.metadata["autoreset_mode"] == own.metadata["autoreset_mode"]
    assert same(sync.reset(seed=5), own.reset(seed=5))
    assert sync.np_random_seed == own.np_random_seed
    sync.action_space.seed(1)
    n_ends = 0
    for _ in range(150):
        action = sync.action_space.sample()
        expected, got = sync.step(action), own.step(action)
        assert same(expected, got)
        ends = expected[2]
        n_ends += int(ends.sum())
        if autoreset_mode == AutoresetMode.DISABLED and ends.any():
            assert same(
                sync.reset(options={"reset_mask": ends.copy()}),
                own.reset(options={"reset_mask": ends.copy()}),
            )
    assert n_ends > 3
    assert same(sync.reset(seed=[3, None, 4]), own.reset(seed=[3, None, 4]))


@pytest.mark.parametrize("observation", ["flat", "rlscheduler", "grid"])
@pytest.mark.parametrize("reward", ["area", "bounded_slowdown", "rlscheduler", "deeprm"])
def test_presets_are_the_same_in_a_vector(observation: str, reward: str) -> None:
    options = {"observation": observation, "reward": reward, "warm_up": 5}
    sync, own = made("sync", **options), made("own", **options)
    assert same(sync.reset(seed=5), own.reset(seed=5))
    for step in range(40):
        action = np.full(3, step % 8)
        assert same(sync.step(action), own.step(action))


def test_a_trace_is_made_for_each_episode() -> None:
    def make(dice: np.random.Generator) -> sw.Trace:
        seed = int(dice.integers(2**31))
        return sw.generate("lublin", n_jobs=20, processors=64, seed=seed)

    options = {"trace": make, "jobs": None}
    sync, own = made("sync", **options), made("own", **options)
    assert same(sync.reset(seed=9), own.reset(seed=9))
    for _ in range(120):
        assert same(sync.step(np.zeros(3, int)), own.step(np.zeros(3, int)))


def test_observations_are_copies_unless_views_are_asked_for() -> None:
    copies, views = made("own"), made("own", copy=False)
    first, _ = copies.reset(seed=1)
    kept = first.copy()
    copies.step(np.zeros(3, int))
    np.testing.assert_array_equal(first, kept)
    shared, _ = views.reset(seed=1)
    again, *_ = views.step(np.zeros(3, int))
    assert np.shares_memory(shared, again)


def test_workers_change_nothing() -> None:
    one, two = made("own", workers=1), made("own", workers=3)
    assert same(one.reset(seed=4), two.reset(seed=4))
    for _ in range(60):
        assert same(one.step(np.ones(3, int)), two.step(np.ones(3, int)))


@pytest.mark.parametrize("actions", CHOICES)
def test_pickles_go_on_where_the_environment_stood(actions: str) -> None:
    options: dict[str, Any] = {"actions": actions, "window": 8, "jobs": 60} | CHOICES[actions]
    environment = rl.SchedulingEnv(TRACE, **options)
    environment.reset(seed=3)
    environment.action_space.seed(0)
    for _ in range(5):
        environment.step(environment.action_space.sample())
    others = [pickle.loads(pickle.dumps(environment)), copy.deepcopy(environment)]
    over = False
    while not over:
        action = environment.action_space.sample()
        expected = environment.step(action)
        over = expected[2]
        for other in others:
            assert same(expected, other.step(action))
    expected_next, _ = environment.reset()
    for other in others:
        np.testing.assert_array_equal(other.reset()[0], expected_next)


def test_a_pickled_vector_goes_on_where_it_stood() -> None:
    vector = made("own").unwrapped
    vector.reset(seed=2)
    for _ in range(7):
        vector.step(np.zeros(3, int))
    other = pickle.loads(pickle.dumps(vector))
    for _ in range(30):
        assert same(vector.step(np.ones(3, int)), other.step(np.ones(3, int)))


def test_pictures_show_the_queue() -> None:
    environment = rl.SchedulingEnv(TRACE, jobs=30, render_mode="ansi")
    environment.reset(seed=1)
    assert "0 of 128 processors busy, 1 jobs waiting" in environment.render()
    vector = made("own", render_mode="rgb_array")
    vector.reset(seed=1)
    assert [picture.shape for picture in vector.render()] == [(120, 160, 3)] * 3
