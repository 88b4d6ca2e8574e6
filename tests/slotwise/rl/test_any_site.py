"""Environments for sites that only a `Simulation` can replay."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import slotwise as sw

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from slotwise.rl import ENVIRONMENT, SchedulingEnv  # noqa: E402

TRACE = sw.generate("lublin", n_jobs=120, processors=64, load=1.0, seed=2)
SITES = {
    "queues": sw.Site(
        queues=[sw.Queue("small", processors=(1, 8)), sw.Queue("large", processors=(9, None))]
    ),
    "limits": sw.Site(limits=sw.Limits(running_per_user=3)),
    "maintenance": sw.Site(
        maintenance=[sw.Maintenance(start=int(TRACE.submit[40]), duration=7200)]
    ),
    "torus": sw.Site(
        machine=sw.Torus((8, 8), order="row"), policy=sw.Policy(allocation="contiguous")
    ),
    "conservative": sw.Site(policy=sw.Policy(backfill="conservative")),
}


def play(environment: SchedulingEnv, seed: int | None = None) -> np.ndarray:
    environment.reset(seed=1)
    dice = None if seed is None else np.random.default_rng(seed)
    over = False
    while not over:
        action = 0 if dice is None else int(dice.integers(environment.action_space.n))
        _, _, over, _, _ = environment.step(action)
    return environment.starts


@pytest.mark.parametrize("name", SITES)
def test_the_first_job_each_time_is_first_come_first_served(name: str) -> None:
    environment = SchedulingEnv(TRACE, SITES[name], actions="front", window=16)
    np.testing.assert_array_equal(play(environment), sw.simulate(TRACE, SITES[name]).start)


@pytest.mark.parametrize("name", SITES)
def test_check_env_passes_on_any_site(name: str) -> None:
    options: dict[str, Any] = {"trace": TRACE, "site": SITES[name], "jobs": 20, "window": 8}
    for actions in ("front", "score"):
        check_env(gymnasium.make(ENVIRONMENT, actions=actions, **options).unwrapped)


def test_scores_of_a_registered_order_are_that_order_in_queues() -> None:
    site = SITES["queues"]
    environment = SchedulingEnv(TRACE, site, actions="score", window=120)
    environment.reset(seed=1)
    over = False
    while not over:
        scores = np.zeros(120)
        requests = environment.state.queue.requested_time
        scores[: len(requests)] = -np.maximum(requests, 1)
        _, _, over, _, _ = environment.step(scores)
    same = site.replace(policy=sw.Policy(order="sjf"))
    np.testing.assert_array_equal(environment.starts, sw.simulate(TRACE, same).start)


def test_a_simulation_gives_the_same_as_the_fast_core() -> None:
    # A queue that takes every job changes nothing, but requires a Simulation.
    slow, fast = sw.Site(queues=[sw.Queue("all")]), sw.Site()
    options: dict[str, Any] = {
        "actions": "policy", "policies": [sw.Policy(), sw.Policy(backfill="first-fit")],
        "window": 8,
    }  # fmt: skip
    one, other = SchedulingEnv(TRACE, slow, **options), SchedulingEnv(TRACE, fast, **options)
    one.reset(seed=1)
    other.reset(seed=1)
    dice, over = np.random.default_rng(4), False
    while not over:
        action = int(dice.integers(2))
        got, reward, over, _, info = one.step(action)
        expected, fast_reward, _, _, fast_info = other.step(action)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-6)
        assert reward == pytest.approx(fast_reward)
        assert info["now"] == fast_info["now"]
    assert one.totals.waited == other.totals.waited
    np.testing.assert_array_equal(one.starts, other.starts)


@pytest.mark.parametrize("name", ["queues", "torus"])
def test_branches_and_pickles_equal_fresh_replays(name: str) -> None:
    environment = SchedulingEnv(TRACE, SITES[name], actions="front", window=8)
    environment.reset(seed=1)
    for action in (0, 2, 1, 3) * 5:
        environment.step(action)
    others = [
        environment.copy(),
        copy.deepcopy(environment),
        pickle.loads(pickle.dumps(environment)),
    ]
    over = False
    while not over:
        observation, _, over, _, _ = environment.step(1)
        for other in others:
            np.testing.assert_array_equal(other.step(1)[0], observation)
    for other in others:
        np.testing.assert_array_equal(other.starts, environment.starts)
