"""Checked options of learning environments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from slotwise._core import (
    Decides,
    DecisionJobs,
    DecisionSetup,
    Observation,
    Reward,
)
from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.replay.to_core import core_policy
from slotwise.rl import observations, rewards
from slotwise.rl.episodes import Windows
from slotwise.rl.grid_shape import GridShape
from slotwise.simulation.arguments import check_trace_and_site
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.machine.nodes import Nodes
from slotwise.site.names import check_name
from slotwise.site.policy.external import External
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from slotwise.rl.state import QueueState, Totals
    from slotwise.site.policy import Policy
    from slotwise.trace import Trace

ACTIONS = ("job", "front", "score", "policy", "nodes")
RENDER_MODES = ("ansi", "rgb_array")
_MASKED = ("last", "error")
_LAYOUTS = ("kernel", "flat")


@dataclass(frozen=True)
class Options:
    """All settings of an environment except its trace."""

    site: Site
    actions: str
    observation: str | tuple[Callable[[QueueState], Any], spaces.Space[Any]]
    reward: str | Callable[[Totals, Totals], float]
    window: int
    windows: Windows
    policies: tuple[Policy, ...]
    period: int
    keep_choice: bool
    grid: GridShape
    layout: str
    masked: str

    @classmethod
    def of(
        cls,
        site: Site | None,
        *,
        actions: str,
        observation: Any,
        reward: Any,
        window: int,
        jobs: int | None,
        seconds: int | None,
        warm_up: int,
        policies: Sequence[Policy | str] | None,
        period: int,
        keep_choice: bool,
        grid: tuple[int, int, int],
        layout: str,
        masked: str,
    ) -> Options:
        """Check the options of an environment.

        Raises
        ------
        SiteError, ValueError
            For an unknown name, or a number outside its range.
        """
        _check_names(actions, observation, reward, layout, masked)
        if jobs is not None and seconds is not None:
            raise ValueError(f"jobs is {jobs} and seconds is {seconds}; use only one of the two")
        windows = Windows(
            _count("jobs", jobs, 1) if jobs is not None else None,
            _count("seconds", seconds, 1) if seconds is not None else None,
            _count("warm_up", warm_up, 0),
        )
        site = Site() if site is None else site
        if actions == "nodes" and not isinstance(site.machine, Nodes):
            msg = (
                f"the machine is {shown(site.machine)}, which has no nodes to choose from; use "
                'sw.Nodes as the machine, or set actions="front"'
            )
            raise SiteError(msg)
        return cls(
            site,
            actions,
            observation,
            reward,
            _count("window", window, 1),
            windows,
            _policies(site, actions, policies),
            _count("period", period, 1),
            bool(keep_choice),
            GridShape(*(_count("grid", value, 1) for value in grid)),
            layout,
            masked,
        )

    @property
    def n_choices(self) -> int:
        """Number of actions or scores.

        Under ``nodes``, this is the number of values of ``job``: `window` + 1. The last one starts
        no job.
        """
        if self.actions == "policy":
            return len(self.policies)
        return self.window + (1 if self.actions == "nodes" else 0)

    @property
    def nodes(self) -> Nodes:
        """The machine whose nodes the agent chooses under ``actions="nodes"``."""
        assert isinstance(self.site.machine, Nodes)
        return self.site.machine

    def setup(self) -> DecisionSetup:
        """Convert the options to the core's type."""
        preset = self.observation if isinstance(self.observation, str) else "none"
        reward = self.reward if isinstance(self.reward, str) else "none"
        rows, columns, seconds = self.grid
        return DecisionSetup(
            decides=getattr(Decides, self.actions),
            window=self.window,
            keeps_choice=self.keep_choice,
            period=self.period,
            observation=getattr(Observation, preset),
            rows=rows,
            columns=columns,
            seconds=seconds,
            reward=getattr(Reward, reward),
        )

    def action_space(self) -> spaces.Space[Any]:
        """Return the space of the actions."""
        if self.actions == "score":
            return spaces.Box(-1.0, 1.0, (self.window,), np.float32)
        if self.actions == "nodes":
            nodes = spaces.MultiBinary(self.nodes.n_nodes)
            return spaces.Dict({"job": spaces.Discrete(self.n_choices), "nodes": nodes})
        return spaces.Discrete(self.n_choices)

    def observation_space(self) -> spaces.Space[Any]:
        """Return the space of the observations."""
        if not isinstance(self.observation, str):
            return self.observation[1]
        preset = spaces.Box(0.0, 1.0, self.shape(), np.float32)
        if self.actions != "nodes":
            return preset
        shape = (self.nodes.n_nodes, len(self.nodes.resources))
        return spaces.Dict({"jobs": preset, "nodes": spaces.Box(0.0, 1.0, shape, np.float32)})

    def shape(self) -> tuple[int, ...]:
        """Return the shape of the observations of the chosen preset."""
        if self.observation == "flat":
            return (5 * self.window + 3,)
        if self.observation == "grid":
            return (self.window + 2, self.grid.rows, self.grid.columns)
        return (self.window, 8) if self.layout == "kernel" else (self.window * 8,)

    def shaped(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Reshape the values of a preset to the shape of its space."""
        return values.reshape(self.shape())

    def core_jobs(self, trace: Trace) -> DecisionJobs | None:
        """Return the trace's jobs for the fast core; None if a `Simulation` is needed.

        Raises
        ------
        SiteError
            If the agent chooses each job but only a `Simulation` can replay the site.
        """
        check_trace_and_site(trace, self.site)
        machine = self.site.machine_for(trace)
        if self.actions == "nodes":
            return None
        reason = _needs_simulation(self.site, machine, trace)
        if reason is None:
            try:
                policies = [core_policy(policy, trace) for policy in self.policies]
                return DecisionJobs(trace._jobs, machine.count, policies)
            except ValueError as fault:
                reason = (
                    f"{fault}; job-by-job decisions support the backfills none, first-fit and easy "
                    "with their defaults: change the policy, or"
                )
        if self.actions == "job":
            raise SiteError(f'{reason} set actions="front"')
        return None


def _check_names(actions: str, observation: Any, reward: Any, layout: str, masked: str) -> None:
    check_name("kind of actions", actions, list(ACTIONS))
    check_name("layout", layout, list(_LAYOUTS))
    check_name("treatment of masked actions", masked, list(_MASKED))
    if isinstance(observation, str):
        check_name("observation", observation, list(observations.PRESETS))
    elif not _is_function_and_space(observation):
        msg = f"the observation is {shown(observation)}; pass a preset or (function, space)"
        raise ValueError(msg)
    if isinstance(reward, str):
        check_name("reward", reward, list(rewards.PRESETS))
    elif not callable(reward):
        raise ValueError(
            f"the reward is {shown(reward)}; pass a preset or a function that takes totals"
        )


def _is_function_and_space(observation: object) -> bool:
    return (
        isinstance(observation, tuple)
        and len(observation) == 2
        and callable(observation[0])
        and isinstance(observation[1], spaces.Space)
    )


def _count(name: str, value: object, least: int) -> int:
    number = whole(value)
    if number is None or not least <= number < 2**31:
        raise ValueError(f"{name} is {shown(value)}; use a whole number, at least {least}")
    return number


def _policies(
    site: Site, actions: str, policies: Sequence[Policy | str] | None
) -> tuple[Policy, ...]:
    if actions != "policy":
        if policies is not None:
            raise ValueError('policies apply only to actions="policy"; leave them out')
        if isinstance(site.policy, External):
            raise SiteError(
                "an environment cannot use the site's external dispatcher; give the site a Policy"
            )
        return (site.policy,)
    if not policies:
        raise ValueError('actions="policy" chooses one of `policies`; pass at least one')
    return tuple(site.replace(policy=policy).policy for policy in policies)


def _needs_simulation(site: Site, machine: object, trace: Trace) -> str | None:
    """Return why the fast core cannot replay the trace under the site; None if it can."""
    if not isinstance(machine, Processors):
        return "job-by-job decisions do not support nodes;"
    if not site.is_plain:
        return "job-by-job decisions do not support queues, pools, limits or a calendar;"
    if bool((trace.eligible > trace.submit).any()):
        return "job-by-job decisions do not support jobs that become eligible after submission;"
    return None
