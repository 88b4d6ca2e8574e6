"""Replays of an environment's episodes, by the fast core or by a `Simulation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise._core import DecisionReplay
from slotwise.rl.episodes import Episode
from slotwise.rl.placed import PlacedReplay
from slotwise.rl.simulated import SimulatedReplay
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from slotwise._core import DecisionJobs
    from slotwise.rl.options import Options


class Replays:
    """Creates the replay of each episode. Copies share the trace and all data derived from it."""

    def __init__(
        self, options: Options, trace: Trace | Callable[[np.random.Generator], Trace]
    ) -> None:
        self.options = options
        self.episode = Episode(0, 0, 0)
        self._make: Callable[[np.random.Generator], Trace] | None = None
        if callable(trace) and not isinstance(trace, Trace):
            self._make = trace
        else:
            self._take(trace)

    def _take(self, trace: Trace) -> None:
        self.core_jobs: DecisionJobs | None = self.options.core_jobs(trace)
        self.trace = trace
        self.processors: int = self.options.site.machine_for(trace).count

    def draw(self, dice: np.random.Generator, options: dict[str, Any]) -> Episode:
        """Choose an episode; if a function creates the traces, create a new trace first."""
        if self._make is not None:
            self._take(self._make(dice))
        self.episode = self.options.windows.draw(self.trace, self.processors, dice, options)
        return self.episode

    def begun(
        self, dice: np.random.Generator, options: dict[str, Any]
    ) -> tuple[Any, tuple[Any, ...]]:
        """Return the replay of a new episode, and the values that its `begin` returned."""
        episode = self.draw(dice, options)
        replay = self._new()
        return replay, replay.begin(episode.first, episode.last, episode.warm_from)

    def resumed(self, state: tuple[Any, ...]) -> Any:
        """Return a replay of the current episode from a state saved earlier."""
        replay = self._new()
        replay.resume(state)
        return replay

    def _new(self) -> Any:
        if self.core_jobs is None:
            kind = PlacedReplay if self.options.actions == "nodes" else SimulatedReplay
            return kind(self.options, self.trace, self.processors)
        return DecisionReplay(self.core_jobs, self.options.setup())

    def __copy__(self) -> Replays:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "core_jobs"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "trace" in state:
            self._take(self.trace)
