"""The vector environment trains in Stable-Baselines3 (skipped if it is not installed)."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw

pytest.importorskip("gymnasium")
pytest.importorskip("stable_baselines3")

from slotwise.rl import SchedulingEnv
from slotwise.rl.sb3 import VecEnv

TRACE = sw.generate("lublin", n_jobs=200, processors=64, load=1.0, seed=2)


def test_masks_and_ends_are_those_of_single_environments() -> None:
    vector = VecEnv(4, TRACE, window=8, jobs=15)
    vector.seed(3)
    observations = vector.reset()
    single = SchedulingEnv(TRACE, window=8, jobs=15)
    expected, info = single.reset(seed=3)
    assert vector.has_attr("action_masks")
    assert not vector.has_attr("nothing")
    total, n_ends = 0.0, 0
    for step in range(80):
        np.testing.assert_array_equal(observations[0], expected)
        masks = vector.env_method("action_masks")
        np.testing.assert_array_equal(masks[0], info["action_mask"].astype(bool))
        action = step % max(1, int(masks[0].sum()))
        observations, rewards, ends, infos = vector.step(np.array([action, 0, 0, 0]))
        expected, reward, over, _, info = single.step(action)
        assert rewards[0] == np.float32(reward)
        assert ends[0] == over
        total += reward
        if over:
            np.testing.assert_array_equal(infos[0]["terminal_observation"], expected)
            assert infos[0]["episode"]["r"] == pytest.approx(total)
            expected, info = single.reset()
            total, n_ends = 0.0, n_ends + 1
    assert n_ends > 1
    vector.close()


@pytest.mark.filterwarnings("ignore")
def test_maskable_ppo_learns_on_it() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    vector = VecEnv(4, TRACE, window=8, jobs=15)
    model = contrib.MaskablePPO("MlpPolicy", vector, n_steps=32, batch_size=32, seed=1)
    model.learn(256)
    assert model.num_timesteps >= 256
    assert len(model.ep_info_buffer) > 0
