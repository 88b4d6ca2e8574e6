"""Copies of an environment are independent, and match fresh replays."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import slotwise as sw

pytest.importorskip("gymnasium")

from slotwise.rl import SchedulingEnv, SchedulingVectorEnv

TRACE = sw.generate("lublin", n_jobs=300, processors=64, load=1.1, seed=2)


def played(environment: SchedulingEnv, actions: list[int]) -> list[tuple[object, ...]]:
    return [environment.step(action)[1:3] for action in actions]


def ended(environment: SchedulingEnv, first: int) -> np.ndarray:
    over, action = environment.totals.n_started == 300, first
    while not over:
        _, _, over, _, _ = environment.step(action)
        action = (action * 5 + 3) % 16
    return environment.starts


@pytest.mark.parametrize("order", ["fcfs", "wfp3"])
def test_branches_equal_fresh_replays(order: str) -> None:
    site = sw.Site(policy=sw.Policy(order=order))
    environment = SchedulingEnv(TRACE, site, window=16)
    environment.reset(seed=0)
    past = [3, 0, 2, 5, 1, 0] * 15
    played(environment, past)
    branches = [environment.copy() for _ in range(4)]
    ends = [ended(branch, first) for first, branch in enumerate(branches)]
    assert len({tuple(end) for end in ends}) > 1
    for first, end in enumerate(ends):
        fresh = SchedulingEnv(TRACE, site, window=16)
        fresh.reset(seed=0)
        played(fresh, past)
        np.testing.assert_array_equal(ended(fresh, first), end)
    np.testing.assert_array_equal(ended(environment, 2), ends[2])


def test_a_copy_draws_its_own_episodes() -> None:
    environment = SchedulingEnv(TRACE, jobs=20)
    environment.reset(seed=0)
    copies = [environment.copy(), environment.copy()]
    environment.reset()
    for copy in copies:
        copy.reset()
        assert copy.episode == environment.episode
        assert copy.np_random.bit_generator.state == environment.np_random.bit_generator.state
    copies[0].reset(seed=4)
    assert copies[1].np_random is not copies[0].np_random


@pytest.mark.threads
def test_a_thread_that_steps_while_another_copies_is_safe_or_refused() -> None:
    environment = SchedulingEnv(TRACE, window=16)
    environment.reset(seed=0)
    faults: list[BaseException] = []
    copies: list[np.ndarray] = []

    def copying() -> None:
        for _ in range(300):
            try:
                copies.append(ended(environment.copy(), 0))
            except RuntimeError as fault:
                faults.append(fault)
                assert "another thread" in str(fault)  # noqa: PT017 - or there is none

    thread = threading.Thread(target=copying)
    thread.start()
    ended(environment, 1)
    thread.join()
    assert len(copies) + len(faults) == 300
    assert all((starts >= 0).all() for starts in copies)


@pytest.mark.threads
def test_closing_while_another_thread_steps_ends() -> None:
    vector = SchedulingVectorEnv(8, TRACE, window=16, jobs=30, workers=2)
    vector.reset(seed=0)
    seen: list[type] = []

    def stepping() -> None:
        try:
            for _ in range(2000):
                vector.step(np.zeros(8, int))
        except ValueError as fault:
            assert "reset()" in str(fault)  # noqa: PT017 - the loop may also end
            seen.append(ValueError)

    thread = threading.Thread(target=stepping)
    thread.start()
    vector.close()
    thread.join(timeout=60)
    assert not thread.is_alive()
