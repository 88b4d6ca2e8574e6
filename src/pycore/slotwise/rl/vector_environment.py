"""Many learning environments that step together, on threads of the compiled core."""

from __future__ import annotations

import copy
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from slotwise._core import BatchArrays, DecisionBatch, DecisionReplay
from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.rl.environment import SchedulingEnv, scores_of
from slotwise.rl.faults import MaskedActionError
from slotwise.rl.options import RENDER_MODES
from slotwise.rl.pictures import picture_of, text_of
from slotwise.rl.state import QueueState, state_of
from slotwise.rl.vector_infos import infos_of
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise._core import DecisionJobs
    from slotwise.rl.environment import TraceOrMaker
    from slotwise.rl.replays import Replays
    from slotwise.site import Site

_NO_SCORES = np.empty(0)
_ENVIRONMENTS_PER_THREAD = 16  # with fewer environments, waking a thread costs more than it saves


class SchedulingVectorEnv(VectorEnv[Any, Any, Any]):
    """Environments like `SchedulingEnv`, stepped on threads that do not hold the interpreter lock.

    It behaves like Gymnasium's ``SyncVectorEnv`` with the same environments: spaces, seeds, infos
    and resets are the same.

    Parameters
    ----------
    num_envs : int
        Number of environments.
    trace, site, options
        As for `SchedulingEnv`; observation and reward must be presets, and the fast core must be
        able to replay the site. Otherwise, use
        ``gymnasium.make_vec(…, vectorization_mode="sync")``.
    autoreset_mode : AutoresetMode or str, default NEXT_STEP
        The step in which an environment begins a new episode after one has ended; see Gymnasium.
    copy : bool, default True
        If False, observations are views of one array, which the next step overwrites.
    workers : int, optional
        Number of threads. Default: one for every 16 environments, but not more than the number of
        processors available to this process.

    Raises
    ------
    SiteError, TraceError, ValueError, TypeError
        As for `SchedulingEnv`; also a SiteError if the fast core cannot step these environments.
    """

    def __init__(
        self,
        num_envs: int,
        trace: TraceOrMaker,
        site: Site | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        workers: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        single = SchedulingEnv(trace, site, render_mode=render_mode, **options)
        self.options = single.options
        self.num_envs = _positive("num_envs", num_envs)
        self.copy = bool(copy)
        self.workers = _workers(workers, self.num_envs)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_action_space = single.action_space
        self.single_observation_space = single.observation_space
        self.action_space = batch_space(single.action_space, self.num_envs)
        self.observation_space = batch_space(single.observation_space, self.num_envs)
        _check_fast(self.options, single._replays)
        self._set_up(single._replays)

    def _set_up(self, replays: Replays) -> None:
        n, options = self.num_envs, self.options
        self._replays = [copy.copy(replays) for _ in range(n)]
        self._dice: list[np.random.Generator | None] = [None] * n
        self._seeds: list[int | None] = [None] * n
        self._observations = np.zeros((n, *options.shape()), np.float32)
        self._mask = np.zeros((n, options.n_choices), np.int8)
        self._rewards = np.zeros(n)
        self._done = np.zeros(n, bool)
        parts = (self._observations, self._mask, self._rewards, self._done)
        self._arrays = BatchArrays(*parts)
        self._batch: DecisionBatch | None = None

    def _new_batch(self, core_jobs: DecisionJobs | None) -> DecisionBatch:
        """Create the batch of environments; `core_jobs` are the jobs of its first trace."""
        if core_jobs is None:
            raise SiteError(_SLOW)
        return DecisionBatch(core_jobs, self.options.setup(), self.num_envs, self.workers)

    def _begin(self, batch: DecisionBatch | None, i: int, options: dict[str, Any]) -> DecisionBatch:
        if (dice := self._dice[i]) is None:
            dice, self._seeds[i] = seeding.np_random()
            self._dice[i] = dice
        replays = self._replays[i]
        episode = replays.draw(dice, options)
        batch = batch or self._new_batch(replays.core_jobs)
        rows = (episode.first, episode.last, episode.warm_from)
        batch.begin(i, *rows, self._arrays, replays.core_jobs)
        self._done[i] = False
        return batch

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode in each environment, or in those that ``options["reset_mask"]`` selects.

        Parameters
        ----------
        seed : int or sequence of int, optional
            An int seeds environment i with ``seed + i``.
        options : dict, optional
            As for `SchedulingEnv.reset`, and ``reset_mask``: (num_envs,) bool.
        """
        options = dict(options or {})
        chosen = self._checked_mask(options.pop("reset_mask", None))
        batch = self._batch
        for i, each in enumerate(self._checked_seeds(seed)):
            if not chosen[i]:
                continue
            if each is not None:
                self._dice[i], self._seeds[i] = seeding.np_random(each)
            batch = self._begin(batch, i, options)
        assert batch is not None
        self._batch = batch
        return self._shown(), infos_of(batch, self._mask, chosen)

    def _checked_seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return [seed + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"there are {len(seed)} seeds; pass one per environment")
        return seed

    def _checked_mask(self, mask: Any) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, bool)
        is_array = isinstance(mask, np.ndarray)
        if not is_array or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(
                "reset_mask is not a bool array of shape (num_envs,); pass np.array([...])"
            )
        if not mask.any():
            raise ValueError("reset_mask chooses no environment; set at least one value to True")
        chosen: NDArray[np.bool_] = mask
        return chosen

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.float32],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Apply one action in each environment, and continue to the next decisions.

        Raises
        ------
        ValueError
            For actions with a wrong shape or outside the action space, scores that are NaN, or a
            step after the end of an episode that is not reset automatically.
        MaskedActionError
            For a masked action under ``masked="error"``.
        """
        if (batch := self._batch) is None:
            raise ValueError("no episode has begun; call reset() before step()")
        over = self._done.copy()
        is_next = self.autoreset_mode == AutoresetMode.NEXT_STEP
        skipped = over if is_next else np.zeros_like(over)
        choices, scores = self._checked_actions(actions, skipped)
        batch.step(choices, scores, skipped, self._arrays)
        if is_next:
            for i in np.flatnonzero(over):
                self._begin(batch, int(i), {})
                self._rewards[i] = 0.0
        infos: dict[str, Any] = {}
        ended = self._done.copy()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            infos = self._ends(batch, ended)
            for i in np.flatnonzero(ended):
                self._begin(batch, int(i), {})
        infos |= infos_of(batch, self._mask, np.ones(self.num_envs, bool))
        return self._shown(), self._rewards.copy(), ended, np.zeros_like(ended), infos

    def _checked_actions(
        self, actions: Any, skipped: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if self.options.actions == "score":
            scores = scores_of(actions)
            if scores.shape != (self.num_envs, self.options.window):
                raise ValueError(self._shape_fault(scores))
            return np.empty(0, np.int64), scores
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(self._shape_fault(given))
        choices = np.ascontiguousarray(given, np.int64)
        if self.options.masked == "error":
            n_valid = self._mask.sum(axis=1)
            wrong = np.flatnonzero((choices >= n_valid) & ~skipped & ~self._done)
            if len(wrong):
                raise MaskedActionError(int(choices[wrong[0]]), int(n_valid[wrong[0]]))
        return choices, _NO_SCORES

    def _shape_fault(self, given: NDArray[Any]) -> str:
        return (
            f"the actions have the type {given.dtype} and the shape {given.shape}; pass the type "
            f"{self.action_space.dtype} and the shape {self.action_space.shape}"
        )

    def _shown(self) -> NDArray[np.float32]:
        return self._observations.copy() if self.copy else self._observations

    def _ends(self, batch: DecisionBatch, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the last observations and infos of the environments whose episodes have ended."""
        final = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            final[i] = self._observations[i].copy()
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": infos_of(batch, self._mask, ended),
            "_final_info": ended.copy(),
        }

    @property
    def np_random_seed(self) -> Any:
        """Seed of each environment."""
        return tuple(self._seeds)

    @property
    def np_random(self) -> Any:
        """Random generator of each environment; None before its first episode."""
        return tuple(self._dice)

    @np_random.setter
    def np_random(self, value: Any) -> None:
        self._dice = list(value)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are valid now, (num_envs, n)."""
        return self._mask.astype(bool)

    def replay(self, i: int) -> DecisionReplay:
        """Return a copy of the replay of environment `i`."""
        if self._batch is None:
            raise ValueError("no episode has begun; call reset() first")
        return self._batch.one(i)

    def state(self, i: int) -> QueueState:
        """Return the machine and the jobs of environment `i`."""
        replays = self._replays[i]
        return state_of(self.replay(i), replays.trace, replays.processors, self.options.window)

    def render(self) -> tuple[Any, ...] | None:
        """Return the picture of each environment; None without a `render_mode`."""
        if self.render_mode is None:
            return None
        draw = text_of if self.render_mode == "ansi" else picture_of
        return tuple(draw(self.state(i)) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._batch = None

    def __getstate__(self) -> dict[str, Any]:
        states = None
        if self._batch is not None:
            states = [self._batch.one(i).state() for i in range(self.num_envs)]
        return {name: v for name, v in self.__dict__.items() if name != "_arrays"} | {
            "_batch": states
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        parts = (self._observations, self._mask, self._rewards, self._done)
        self._arrays = BatchArrays(*parts)
        states, self._batch = state["_batch"], None
        for i, each in enumerate(states or ()):
            replays = self._replays[i]
            self._batch = self._batch or self._new_batch(replays.core_jobs)
            self._batch.put(i, replays.resumed(each), self._arrays)


_SLOW = (
    "this site needs a Simulation, which the vector environment cannot step; use "
    'gymnasium.make_vec(…, vectorization_mode="sync")'
)


def _check_fast(options: Any, replays: Replays) -> None:
    if not (isinstance(options.observation, str) and isinstance(options.reward, str)):
        raise SiteError(
            "observation or reward is a Python function, which the vector environment cannot "
            'call; use presets, or gymnasium.make_vec(…, vectorization_mode="sync")'
        )
    if hasattr(replays, "core_jobs") and replays.core_jobs is None:
        raise SiteError(_SLOW)


def _positive(name: str, value: object) -> int:
    number = whole(value)
    if number is None or number < 1:
        raise ValueError(f"{name} is {shown(value)}; use a whole number, at least 1")
    return number


def _workers(workers: int | None, n: int) -> int:
    if workers is not None:
        return _positive("workers", workers)
    if hasattr(os, "sched_getaffinity"):
        available = len(os.sched_getaffinity(0))
    else:
        available = os.cpu_count() or 1
    return max(1, min(available, n // _ENVIRONMENTS_PER_THREAD))
