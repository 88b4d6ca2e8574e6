"""Wrong actions and options: refused with a typed error, or replaced and counted."""

from __future__ import annotations

import multiprocessing
from typing import Any

import numpy as np
import pytest

import slotwise as sw

pytest.importorskip("gymnasium")

from slotwise.rl import MaskedActionError, SchedulingEnv, SchedulingVectorEnv

TRACE = sw.generate("lublin", n_jobs=100, processors=64, load=1.1, seed=2)


def begun(**options: Any) -> SchedulingEnv:
    environment = SchedulingEnv(TRACE, window=8, **options)
    environment.reset(seed=0)
    return environment


def test_a_masked_action_becomes_the_last_valid_one_and_is_counted() -> None:
    environment, other = begun(), begun()
    _, _, _, _, info = environment.step(5)
    _, _, _, _, expected = other.step(0)  # one job waits, so 0 is the last valid action
    assert info["masked_actions"] == 1
    assert expected["masked_actions"] == 0
    assert info["now"] == expected["now"]


def test_a_masked_action_is_refused_if_the_user_wants() -> None:
    with pytest.raises(
        MaskedActionError, match="action 5 is masked; the valid actions are now 0 to 0"
    ):
        begun(masked="error").step(5)
    vector = SchedulingVectorEnv(2, TRACE, window=8, masked="error")
    vector.reset(seed=0)
    with pytest.raises(MaskedActionError, match="action 3 is masked"):
        vector.step(np.array([0, 3]))
    vector.step(np.array([0, 0]))


@pytest.mark.parametrize("action", [-1, 8, 10**9])
def test_an_action_outside_of_the_space_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"the action is {action}; use a whole number from 0"):
        begun().step(action)


@pytest.mark.parametrize(
    ("scores", "why"),
    [
        (np.zeros(7), "there are 7 scores"),
        (np.zeros((8, 1)), "there are 8 scores"),
        (np.full(8, np.nan), "is NaN"),
        ("text", "not an array of scores"),
    ],
)
def test_wrong_scores_are_refused_and_change_nothing(scores: Any, why: str) -> None:
    environment = begun(actions="score")
    with pytest.raises(ValueError, match=why):
        environment.step(scores)
    assert environment.totals.n_started == 0
    environment.step(np.arange(8.0))
    vector = SchedulingVectorEnv(2, TRACE, window=8, actions="score")
    vector.reset(seed=0)
    with pytest.raises(ValueError, match=r"NaN|shape|array of scores"):
        vector.step(np.stack([scores, scores]) if not isinstance(scores, str) else scores)


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros(2), [0, None], np.zeros((2, 1), int)]
)
def test_actions_of_another_shape_or_type_are_refused(actions: Any) -> None:
    vector = SchedulingVectorEnv(2, TRACE, window=8)
    vector.reset(seed=0)
    with pytest.raises(ValueError, match="the actions have the type"):
        vector.step(actions)


def test_a_step_before_or_after_an_episode_is_refused() -> None:
    environment = SchedulingEnv(TRACE, jobs=1)
    with pytest.raises(ValueError, match=r"call reset\(\) before step"):
        environment.step(0)
    environment.reset(seed=0)
    environment.step(0)
    with pytest.raises(ValueError, match=r"the episode is over; call reset\(\)"):
        environment.step(0)
    vector = SchedulingVectorEnv(2, TRACE, jobs=1, autoreset_mode="Disabled")
    with pytest.raises(ValueError, match=r"call reset\(\) before step"):
        vector.step(np.zeros(2, int))
    vector.reset(seed=0)
    vector.step(np.zeros(2, int))
    with pytest.raises(ValueError, match="the episode is over"):
        vector.step(np.zeros(2, int))
    vector.close()
    with pytest.raises(ValueError, match=r"call reset\(\)"):
        vector.step(np.zeros(2, int))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"actions": "jobs"}, "unknown kind of actions 'jobs'; did you mean 'job'"),
        ({"observation": "flatt"}, "did you mean 'flat'"),
        ({"observation": 3}, "the observation is 3; pass a preset or"),
        ({"reward": "waits"}, "did you mean 'wait'"),
        ({"reward": 3}, "the reward is 3; pass a preset or a function"),
        ({"window": 0}, "window is 0; use a whole number, at least 1"),
        ({"window": 1.5}, "window is 1.5"),
        ({"jobs": 5, "seconds": 5}, "use only one of the two"),
        ({"policies": ["easy"]}, "apply only to"),
        ({"actions": "policy"}, "at least one"),
        ({"render_mode": "human"}, "use ansi or rgb_array"),
        (
            {"site": sw.Site(policy=sw.Policy(backfill="conservative"))},
            "the backfill is not none, first-fit or easy; job-by-job decisions support .* with "
            'their defaults: change the policy, or set actions="front"',
        ),
        (
            {"site": sw.Site(policy=sw.Policy(order="fairshare"))},
            "the order depends on past usage; job-by-job decisions support",
        ),
        (
            {"site": sw.Site(queues=[sw.Queue("q")])},
            'do not support queues, pools, limits or a calendar; set actions="front"',
        ),
    ],
)
def test_wrong_options_name_value_rule_and_remedy(options: dict[str, Any], why: str) -> None:
    with pytest.raises((ValueError, sw.SiteError), match=why):
        SchedulingEnv(TRACE, **options)


def test_a_vector_of_what_only_python_computes_is_refused() -> None:
    with pytest.raises(sw.SiteError, match="vectorization_mode"):
        SchedulingVectorEnv(2, TRACE, sw.Site(queues=[sw.Queue("q")]), actions="front")
    with pytest.raises(sw.SiteError, match="vectorization_mode"):
        SchedulingVectorEnv(2, TRACE, reward=lambda before, after: 0.0)


def test_a_trace_without_a_job_that_fits_is_refused() -> None:
    environment = SchedulingEnv(TRACE, sw.Site(machine=1), jobs=3)
    if (TRACE.processors > 1).all():
        with pytest.raises(sw.TraceError, match="no jobs that fit on 1 processors"):
            environment.reset()
    with pytest.raises(ValueError, match="trace with 0 <= first < last"):
        environment.reset(options={"first": 5, "last": 5})


def _stepped(vector: SchedulingVectorEnv, pipe: Any) -> None:
    for _ in range(20):
        _, rewards, _, _, _ = vector.step(np.zeros(4, int))
    pipe.send(rewards)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_that_fork_or_spawn_step_on(method: str) -> None:
    vector = SchedulingVectorEnv(4, TRACE, window=8, jobs=20, workers=2)
    vector.reset(seed=0)
    vector.step(np.zeros(4, int))
    context = multiprocessing.get_context(method)
    here, there = context.Pipe()
    child = context.Process(target=_stepped, args=(vector, there))
    child.start()
    assert here.poll(60)
    got = here.recv()
    child.join(60)
    assert child.exitcode == 0
    for _ in range(20):
        _, rewards, _, _, _ = vector.step(np.zeros(4, int))
    np.testing.assert_array_equal(got, rewards)
