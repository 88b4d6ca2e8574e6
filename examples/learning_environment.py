"""A Gymnasium environment built on a simulation (pip install gymnasium).

At each decision the agent chooses one of the first waiting jobs. The chosen job goes to the front
of the queue, and EASY backfills behind it. The reward of a step is minus the processor-hours that
jobs spent waiting during the step.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW = 8  # number of jobs from which the agent chooses
# The features of a job: wait and requested time as multiples of the longest request, and processors
# as a fraction of the machine.
FEATURES = 3


class Environment(gymnasium.Env[np.ndarray, int]):
    """An environment that replays `trace` on `site` in each episode."""

    def __init__(self, trace: sw.Trace, site: sw.Site) -> None:
        self.start = sw.Simulation(trace, site)
        self.longest = float(trace.requested_time.max())
        self.steps = 0
        self.action_space = spaces.Discrete(WINDOW)
        self.observation_space = spaces.Box(
            0.0, np.finfo(np.float32).max, (WINDOW + 1, FEATURES), np.float32
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode with a copy of the initial simulation; a new one would take longer."""
        super().reset(seed=seed)
        self.sim = copy.copy(self.start)
        self.steps = 0
        self._go_on()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Put the chosen job first and continue to the next decision."""
        queue = self.sim.queue
        self.steps += 1
        if len(queue):
            # A later choice gets a higher priority than all earlier ones.
            self.sim.set_priority(int(queue.job_id[min(action, len(queue) - 1)]), self.steps)
        waited = self._go_on()
        return self._observation(), -waited / 3600, self.sim.done, False, self._info()

    def _go_on(self) -> float:
        """Run to the next decision; return the processor-seconds that jobs waited until then."""
        waited, began = 0.0, self.sim.now
        while not self.sim.done:
            queued, before = int(self.sim.queue.processors.sum()), self.sim.now
            self.sim.step()  # after a choice, the first step is another pass at the same instant
            waited += queued * (self.sim.now - before)
            if self.sim.now > began and len(self.sim.queue):
                break
        return waited

    def _observation(self) -> np.ndarray:
        """Return one row of features per job (zeros for missing jobs) and one for the machine."""
        queue, machine = self.sim.queue, self.sim.machine
        shown = np.zeros((WINDOW + 1, FEATURES), np.float32)
        rows = slice(0, min(WINDOW, len(queue)))
        shown[: rows.stop] = np.stack(
            [
                (self.sim.now - queue.submit[rows]) / self.longest,
                queue.requested_time[rows] / self.longest,
                queue.processors[rows] / machine.processors,
            ],
            axis=1,
        )
        shown[WINDOW, 0] = machine.free / machine.processors
        return shown

    def _info(self) -> dict[str, Any]:
        return {"now": self.sim.now, "waiting": len(self.sim.queue)}


def play(environment: Environment, choose: Callable[[np.ndarray], int]) -> float:
    """Run one episode and return the sum of its rewards."""
    observation, _ = environment.reset()
    total, over = 0.0, False
    while not over:
        observation, reward, over, _, _ = environment.step(choose(observation))
        total += reward
    return total


def shortest(observation: np.ndarray) -> int:
    """Choose the job with the shortest requested time."""
    asked = np.where(observation[:WINDOW, 1] > 0, observation[:WINDOW, 1], np.inf)
    return int(np.argmin(asked))


def main() -> None:
    """Play one episode with each of three agents."""
    trace = sw.generate("lublin", n_jobs=400, processors=128, load=0.95, seed=7)
    environment = Environment(trace, sw.Site())
    dice = np.random.default_rng(0)
    agents: dict[str, Callable[[np.ndarray], int]] = {
        "first come": lambda observation: 0,
        "shortest": shortest,
        "at random": lambda observation: int(dice.integers(WINDOW)),
    }
    for name, choose in agents.items():
        total = play(environment, choose)
        wait = environment.sim.result().metrics()["mean_wait"]
        print(f"{name:<10}  reward {total:,.0f}, mean wait {wait:,.0f} s")


if __name__ == "__main__":
    main()
