"""An environment that follows an order starts each job when a replay under this order does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

    from slotwise.rl import QueueState

pytest.importorskip("gymnasium")

from gymnasium import spaces

from slotwise.rl import SchedulingEnv

TRACE = sw.generate("lublin", n_jobs=600, processors=128, load=0.95, seed=7)
BACKFILLS = ("none", "first-fit", "easy")
NOTHING = (lambda state: np.zeros(1, np.float32)), spaces.Box(0, 1, (1,))


def play(environment: SchedulingEnv, act: Callable[[], Any]) -> np.ndarray:
    environment.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = environment.step(act())
    return environment.starts


def score(order: str, state: QueueState) -> np.ndarray:
    """Formulas from docs/metrics.md and from the registry of orders."""
    jobs = state.queue
    wait = (state.now - jobs.submit).astype(float)
    request = np.maximum(jobs.requested_time, 1).astype(float)
    processors = jobs.processors.astype(float)
    if order == "sjf":
        return -request
    if order == "saf":
        return -(request * processors)
    ratio = wait / request
    return ratio * ratio * ratio * processors


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("order", ["fcfs", "sjf", "f1", "wfp3"])
@pytest.mark.parametrize("actions", ["job", "front"])
def test_the_first_job_each_time_is_the_policy(order: str, backfill: str, actions: str) -> None:
    site = sw.Site(policy=sw.Policy(order=order, backfill=backfill))
    environment = SchedulingEnv(TRACE, site, actions=actions, window=8)
    starts = play(environment, lambda: 0)
    np.testing.assert_array_equal(starts, sw.simulate(TRACE, site).start)


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("order", ["sjf", "saf", "wfp3"])
def test_scores_of_a_registered_order_are_that_order(order: str, backfill: str) -> None:
    site = sw.Site(policy=sw.Policy(backfill=backfill))
    environment = SchedulingEnv(TRACE, site, actions="score", window=600, observation=NOTHING)

    def act() -> np.ndarray:
        scores = np.zeros(600)
        scores[: len(environment.state.queue)] = score(order, environment.state)
        return scores

    same = sw.Site(policy=sw.Policy(order=order, backfill=backfill))
    np.testing.assert_array_equal(play(environment, act), sw.simulate(TRACE, same).start)


@pytest.mark.parametrize("order", ["sjf", "wfp3"])
def test_the_best_job_each_time_is_the_order(order: str) -> None:
    # Without backfill, no job overtakes a head that does not fit.
    site = sw.Site(policy=sw.Policy(backfill="none"))
    environment = SchedulingEnv(TRACE, site, window=600, observation=NOTHING)
    starts = play(environment, lambda: int(np.argmax(score(order, environment.state))))
    same = sw.Site(policy=sw.Policy(order=order, backfill="none"))
    np.testing.assert_array_equal(starts, sw.simulate(TRACE, same).start)


@pytest.mark.parametrize("order", ["fcfs", "wfp3"])
def test_one_policy_kept_is_that_policy(order: str) -> None:
    policies = [sw.Policy(backfill="none"), sw.Policy(order=order)]
    environment = SchedulingEnv(TRACE, actions="policy", policies=policies, period=5000)
    starts = play(environment, lambda: 1)
    same = sw.Site(policy=policies[1])
    np.testing.assert_array_equal(starts, sw.simulate(TRACE, same).start)


def test_policies_change_as_in_a_simulation() -> None:
    policies = [sw.Policy(), sw.Policy(order="sjf", backfill="first-fit"), sw.Policy(order="saf")]
    environment = SchedulingEnv(TRACE, actions="policy", policies=policies, period=7200)
    environment.reset(seed=1)
    dice = np.random.default_rng(5)
    simulation = sw.Simulation(TRACE, sw.Site(policy=policies[0]))
    now, over, present = int(TRACE.submit[0]), False, 0
    while not over:
        choice = int(dice.integers(3))
        if choice != present:
            simulation.set_policy(policies[choice])
            present = choice
        _, _, over, _, info = environment.step(choice)
        now = info["now"]
        if not over:
            simulation.run(until=now)
    simulation.run()
    np.testing.assert_array_equal(environment.starts, simulation.result().start)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kill_at_limit", [True, False])
def test_random_jobs_start_as_in_a_replay(seed: int, kill_at_limit: bool) -> None:
    # Many jobs arrive in the same second; some have length 0, run past their requests, or are too
    # large.
    dice = np.random.default_rng(seed)
    trace = sw.Trace.from_columns(
        np.sort(dice.integers(0, 200, 150)),
        dice.integers(0, 40, 150),
        dice.integers(1, 18, 150),
        requested_time=dice.integers(1, 40, 150),
        max_processors=16,
    )
    backfill, order = BACKFILLS[seed % 3], ("fcfs", "saf", "wfp3", "unicef")[seed % 4]
    policy = sw.Policy(order=order, backfill=backfill, kill_at_limit=kill_at_limit)
    expected = sw.simulate(trace, sw.Site(policy=policy)).start
    for actions in ("job", "front"):
        environment = SchedulingEnv(trace, sw.Site(policy=policy), actions=actions, window=4)
        np.testing.assert_array_equal(play(environment, lambda: 0), expected)


def test_a_job_of_its_own_choice_starts_first() -> None:
    # Job 1 holds all 4 processors until 10. Then job 2 (3 processors) and job 3 (2 processors)
    # wait. The agent takes job 3, which runs until 20; job 2 does not fit beside it.
    trace = sw.Trace.from_columns([0, 1, 2], [10, 10, 10], [4, 3, 2], max_processors=4)
    environment = SchedulingEnv(trace, window=4)
    environment.reset(seed=0)
    _, _, _, _, info = environment.step(0)
    assert info["now"] == 10
    np.testing.assert_array_equal(info["action_mask"], [1, 1, 0, 0])
    _, reward, _, _, info = environment.step(1)
    assert info["now"] == 20
    _, _, over, _, _ = environment.step(0)
    assert over
    np.testing.assert_array_equal(environment.starts, [0, 20, 10])
    # Job 2 waits from 10 to 20, so the reward for three jobs is -10 / (3600 * 3).
    assert reward == pytest.approx(-10 / (3600 * 3))


def test_a_kept_choice_stays_the_head() -> None:
    # Job 1 holds 2 of 4 processors until 10. Job 2 (4 processors) and job 3 (1 processor) wait,
    # without backfill. The agent keeps job 2 first. Job 4, which arrives at 5, starts after job 2,
    # without another decision.
    trace = sw.Trace.from_columns([0, 1, 1, 5], [10, 10, 10, 10], [2, 4, 1, 1], max_processors=4)
    site = sw.Site(policy=sw.Policy(backfill="none"))
    environment = SchedulingEnv(trace, site, window=4, keep_choice=True)
    environment.reset(seed=0)
    environment.step(0)
    _, _, _, _, info = environment.step(0)
    assert info["now"] == 20
    assert environment.starts.tolist() == [0, 10, -1, -1]
