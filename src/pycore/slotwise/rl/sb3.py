"""The vector environment for Stable-Baselines3 (``pip install 'slotwise[sb3]'``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.extras import load
from slotwise.rl.vector_environment import SchedulingVectorEnv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.rl.environment import TraceOrMaker
    from slotwise.site import Site

load("stable_baselines3")

from stable_baselines3.common.vec_env import VecEnv as _VecEnv  # noqa: E402


class VecEnv(_VecEnv):
    """`SchedulingVectorEnv` with the interface of Stable-Baselines3.

    MaskablePPO calls ``env_method("action_masks")``. When an episode ends, ``terminal_observation``
    and ``episode`` (return and length) are added to the environment's info, and the next episode
    begins in the same step.

    Parameters
    ----------
    num_envs, trace, site, options
        As for `SchedulingVectorEnv`.

    Examples
    --------
    >>> import slotwise as sw
    >>> from slotwise.rl.sb3 import VecEnv  # doctest: +SKIP
    >>> trace = sw.generate("lublin", n_jobs=100, processors=64, seed=1)
    >>> VecEnv(8, trace, window=16).reset().shape  # doctest: +SKIP
    (8, 83)
    """

    def __init__(
        self, num_envs: int, trace: TraceOrMaker, site: Site | None = None, **options: Any
    ) -> None:
        if "autoreset_mode" in options:
            raise ValueError(
                "Stable-Baselines3 always resets in the same step; leave autoreset_mode out"
            )
        self.vector = SchedulingVectorEnv(
            num_envs, trace, site, autoreset_mode="SameStep", **options
        )
        self._actions: Any = None
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, int)
        spaces = self.vector.single_observation_space, self.vector.single_action_space
        self.render_mode = self.vector.render_mode
        super().__init__(num_envs, *spaces)

    def reset(self) -> NDArray[np.float32]:
        """Begin an episode in each environment."""
        seeds = None if self._seeds[0] is None else list(self._seeds)
        observations, infos = self.vector.reset(seed=seeds)
        self.reset_infos = self._each(infos)
        self._returns[:] = self._lengths[:] = 0
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Step each environment."""
        observations, rewards, ended, _, infos = self.vector.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        each = self._each(infos)
        for i in np.flatnonzero(ended):
            each[i]["terminal_observation"] = infos["final_obs"][i]
            each[i]["TimeLimit.truncated"] = False
            each[i]["episode"] = {
                "r": float(self._returns[i]),
                "l": int(self._lengths[i]),
                "t": 0.0,
            }
            each[i]["masked_actions"] = int(infos["final_info"]["masked_actions"][i])
            self._returns[i] = self._lengths[i] = 0
        return observations, rewards.astype(np.float32), ended, each

    def _each(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"action_mask": mask} for mask in infos["action_mask"]]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are valid now, (num_envs, n)."""
        return self.vector.action_masks()

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """Call ``action_masks``; other methods cannot be called on single environments."""
        chosen = self._get_indices(indices)
        if method_name != "action_masks":
            raise AttributeError(
                f"the environments cannot be called one by one; call vector.{method_name} instead"
            )
        masks = self.vector.action_masks()
        return [masks[i] for i in chosen]

    def has_attr(self, attr_name: str) -> bool:
        """Return True for attributes that `get_attr` returns."""
        return attr_name == "action_masks" or hasattr(self.vector, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the vector environment, repeated for each chosen environment."""
        return [getattr(self.vector, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise an AttributeError, because the environments share their options."""
        raise AttributeError(
            f"{attr_name} cannot be set, because the environments share their options"
        )

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Return False for each environment, because none of them is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return the picture of each environment."""
        pictures = self.vector.render()
        return [None] * self.num_envs if pictures is None else list(pictures)

    def close(self) -> None:
        """End the threads."""
        self.vector.close()
