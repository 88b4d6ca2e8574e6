"""A learning environment in which an agent schedules one replay."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from slotwise.rl.faults import MaskedActionError
from slotwise.rl.grid_shape import GridShape
from slotwise.rl.options import RENDER_MODES, Options
from slotwise.rl.pictures import picture_of, text_of
from slotwise.rl.replays import Replays
from slotwise.rl.state import QueueState, Totals, state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gymnasium import spaces
    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.site.policy import Policy
    from slotwise.trace import Trace

    TraceOrMaker = Trace | Callable[[np.random.Generator], Trace]


class SchedulingEnv(gymnasium.Env[Any, Any]):
    """An environment in which an agent decides which waiting job goes first.

    The agent decides in each scheduling pass in which some waiting job fits. Jobs behind the head
    (the first job that does not fit) overtake it as the site's backfill permits. An episode ends
    when all its jobs have ended.

    Parameters
    ----------
    trace : Trace or callable
        The jobs, or a function that takes a random generator and returns a trace for each episode.
    site : Site, optional
        Machine and policy. Default: the machine in the trace's header, fcfs, easy backfilling.
    actions : {"job", "front", "score", "policy", "nodes"}
        The form of the agent's decisions:

        - ``job``: a position in the window. That job starts, or becomes the head, and the agent
          decides again after each start. The site must have no nodes, queues, pools, limits or
          calendar.
        - ``front``: a position in the window, once per pass. That job goes first, and the others
          follow in the policy's order.
        - ``score``: one number per job in the window, once per pass. The highest goes first.
        - ``policy``: one of `policies`, for the next `period`.
        - ``nodes``: a dict. Its ``job`` is a position in the window, or `window` for no job. Its
          ``nodes`` has a 1 for each node that takes units of the job. That job starts on these
          nodes, and the agent decides again after each start. The machine must be of type `Nodes`.
    observation : {"flat", "rlscheduler", "grid"} or (function, space)
        A preset, or a pair: a function of a `QueueState`, and the space of the function's values.
    reward : str or callable
        A preset (``wait``, ``area``, ``bounded_slowdown``, ``rlscheduler``, ``deeprm``,
        ``utilisation``), or a function of the `Totals` before and after a step.
    window : int, default 128
        Number of waiting jobs from which the agent chooses.
    jobs, seconds : int, optional
        Length of an episode, in jobs or in seconds; it begins at a random job. Default: the whole
        trace.
    warm_up : int, default 0
        Number of preceding jobs that are replayed under the policy before the episode; with 0, the
        machine starts empty.
    policies : sequence of Policy or str, optional
        Choices under ``actions="policy"``. The warm-up runs under the first one.
    period : int, default 3600
        Seconds between decisions under ``actions="policy"``.
    keep_choice : bool, default False
        Under ``actions="job"``, a chosen job stays the head until it starts, as in RLScheduler.
    grid : tuple of int, default (24, 16, 3600)
        Time steps, cells across the machine, and seconds per step, in the ``grid`` preset.
    layout : {"kernel", "flat"}
        Shape of the ``rlscheduler`` preset: (window, 8), or one vector.
    masked : {"last", "error"}
        The treatment of actions that are not valid:

        - ``last``: a masked action becomes the last valid one, and is counted in
          ``info["masked_actions"]``. Under ``nodes``, if the chosen nodes cannot take the job, the
          machine's placement rule chooses others.
        - ``error``: a masked action raises a MaskedActionError. Under ``nodes``, a masked job or
          nodes that cannot take the job raise a RefusedPlacementError.
    render_mode : {"ansi", "rgb_array"}, optional
        Kind of picture that `render` returns.

    Raises
    ------
    SiteError, TraceError, ValueError, TypeError
        For options that are unknown, out of range, or impossible on this site or trace.

    Examples
    --------
    >>> import slotwise as sw
    >>> import slotwise.rl
    >>> trace = sw.generate("lublin", n_jobs=100, processors=64, seed=1)
    >>> environment = slotwise.rl.SchedulingEnv(trace, window=16)
    >>> observation, info = environment.reset(seed=0)
    >>> observation.shape, int(info["action_mask"].sum())
    ((83,), 1)
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        trace: TraceOrMaker,
        site: Site | None = None,
        *,
        actions: str = "job",
        observation: str | tuple[Callable[[QueueState], Any], spaces.Space[Any]] = "flat",
        reward: str | Callable[[Totals, Totals], float] = "wait",
        window: int = 128,
        jobs: int | None = None,
        seconds: int | None = None,
        warm_up: int = 0,
        policies: Sequence[Policy | str] | None = None,
        period: int = 3600,
        keep_choice: bool = False,
        grid: tuple[int, int, int] = GridShape(),
        layout: str = "kernel",
        masked: str = "last",
        render_mode: str | None = None,
    ) -> None:
        given = {
            name: value
            for name, value in locals().items()
            if name not in ("self", "trace", "site", "render_mode", "__class__")
        }
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is {render_mode!r}; use ansi or rgb_array")
        self.options = Options.of(site, **given)
        self.render_mode = render_mode
        self.action_space = self.options.action_space()
        self.observation_space = self.options.observation_space()
        self._replays = Replays(self.options, trace)
        self._set_up()

    def _set_up(self) -> None:
        options = self.options
        self._refuses = options.masked == "error" and options.actions not in ("score", "nodes")
        self._by_score = options.actions == "score"
        own = options.observation
        self._observe = None if isinstance(own, str) else own[0]
        self._own_reward = None if isinstance(options.reward, str) else options.reward
        self._shape = options.shape() if self._observe is None else ()
        self._random_state: Any = None
        self._replay: Any = None
        self._before = Totals()

    @property
    def np_random(self) -> np.random.Generator:
        """Random generator of the episodes."""
        if self._random_state is not None:
            bits = np.random.PCG64(0)
            bits.state = self._random_state
            self._np_random, self._random_state = np.random.Generator(bits), None
        return super().np_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random, self._random_state = value, None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Parameters
        ----------
        seed : int, optional
            Seed of the generator that chooses the episodes and that a trace function receives.
        options : dict, optional
            ``first`` and ``last`` (exclusive): rows of the trace, instead of a random episode.
        """
        if seed is not None:
            self._random_state = None
        super().reset(seed=seed)
        self._replay, shown = self._replays.begun(self.np_random, options or {})
        if self._own_reward is not None:
            self._before = Totals(**self._replay.totals())
        observation, _, _, info = self._told(shown)
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Apply an action and continue to the next decision.

        Raises
        ------
        ValueError
            For an action outside the action space, scores that are NaN, or a step before `reset` or
            after the end of an episode.
        MaskedActionError, RefusedPlacementError
            For a masked action, or nodes that cannot take the job, under ``masked="error"``.
        """
        replay = self._replay
        if replay is None:
            raise ValueError("no episode has begun; call reset() before step()")
        if self._by_score:
            shown = replay.step_by_scores(scores_of(action))
        else:
            if self._refuses and not replay.done and action >= replay.n_choices:
                raise MaskedActionError(int(action), replay.n_choices)
            shown = replay.step(action)
        observation, reward, done, info = self._told(shown)
        if self._own_reward is not None:
            after = Totals(**replay.totals())
            reward = float(self._own_reward(self._before, after))
            self._before = after
        return observation, reward, done, False, info

    def _told(self, shown: tuple[Any, ...]) -> tuple[Any, float, bool, dict[str, Any]]:
        """Return a step's observation and reward, whether the episode has ended, and the info."""
        values, reward, done, mask, now, waiting, masked = shown
        info = {"action_mask": mask, "now": now, "waiting": waiting, "masked_actions": masked}
        if self._observe is None:
            values = values.reshape(self._shape)
            if self.options.actions == "nodes":
                values = {"jobs": values, "nodes": self._begun().free_shares()}
            return values, reward, done, info
        return self._observe(self.state), reward, done, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are valid now, in the form that MaskablePPO reads."""
        if self._replay is None:
            return np.ones(self.options.n_choices, bool)
        mask: NDArray[np.int8] = self._replay.shown()[3]
        return mask.astype(bool)

    @property
    def state(self) -> QueueState:
        """The machine and its jobs at the current decision."""
        replays = self._replays
        return state_of(self._begun(), replays.trace, replays.processors, self.options.window)

    @property
    def trace(self) -> Trace:
        """The trace of the current episode."""
        return self._replays.trace

    @property
    def episode(self) -> tuple[int, int]:
        """First row of the episode in `trace`, and the first row after the episode."""
        self._begun()
        return self._replays.episode.first, self._replays.episode.last

    @property
    def starts(self) -> NDArray[np.int64]:
        """Start time of each job of the episode; -1 if the job has not started."""
        starts: NDArray[np.int64] = self._begun().starts()
        return starts

    @property
    def totals(self) -> Totals:
        """Totals since the beginning of the episode."""
        return Totals(**self._begun().totals())

    def _begun(self) -> Any:
        if self._replay is None:
            raise ValueError("no episode has begun; call reset() first")
        return self._replay

    def render(self) -> Any:
        """Return text or an image of the machine and its queue; None without a `render_mode`."""
        if self.render_mode is None:
            return None
        return text_of(self.state) if self.render_mode == "ansi" else picture_of(self.state)

    def copy(self) -> SchedulingEnv:
        """Return an independent environment at the same decision, for tree searches.

        On the fast core, the cost depends on the numbers of waiting and running jobs, not on the
        length of the trace. Otherwise, the copy repeats the episode so far.
        """
        return self.__copy__()

    def __copy__(self) -> SchedulingEnv:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        if self._replay is not None:
            other._replay = self._replay.copy()
        other._replays = copy.copy(self._replays)
        if self._np_random is not None:
            other._np_random = None  # the generator is created from the saved state on first use
            other._random_state = self._np_random.bit_generator.state
        return other

    def __deepcopy__(self, memo: object) -> SchedulingEnv:
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        state = None if self._replay is None else self._replay.state()
        return self.__dict__ | {"_replay": state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._replay is not None:
            self._replay = self._replays.resumed(self._replay)


def scores_of(action: Any) -> NDArray[np.float64]:
    """Return scores as a contiguous float64 array, as the core expects them.

    Raises
    ------
    ValueError
        For values that are not numbers.
    """
    try:
        return np.ascontiguousarray(action, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("the action is not an array of scores; pass one number per job") from None
