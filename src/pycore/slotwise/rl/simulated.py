"""Replays on any site, in which a `Simulation` follows an agent's decisions.

The agent acts as the order of the policy. A scheduling pass that needs a decision ends with an
exception, and runs again after the decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from slotwise.replay.state import State
from slotwise.rl.observations import observer
from slotwise.rl.rewards import reward_of
from slotwise.rl.state import Totals, state_of
from slotwise.simulation.simulation import Simulation
from slotwise.site.policy.order_functions import NumPyOrder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slotwise.rl.options import Options
    from slotwise.site.policy.order_functions import WaitingJobs
    from slotwise.trace import Trace

_BEHIND = -1e15  # score of a job that arrived after the decision


class AskedError(Exception):
    """A pass that needs a decision from the agent."""

    def __init__(self, now: int) -> None:
        super().__init__(now)
        self.now = now


class _Answers:
    """The policy's order, which returns the scores that the agent gave the jobs at this instant."""

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self.by_time: dict[int, dict[int, float]] = {}

    def __call__(self, jobs: WaitingJobs, now: int) -> NDArray[np.float64]:
        if now < self.begin:
            return -jobs["submit"]
        answer = self.by_time.get(now)
        if answer is None:
            raise AskedError(now)
        scores = [answer.get(int(number), _BEHIND) for number in jobs["job_id"]]
        return np.array(scores, dtype=np.float64)


class SimulatedReplay:
    """One episode on any site; its methods are those of the core's `DecisionReplay`.

    Use short episodes: every decision reads the columns of the whole episode. On a site with queues
    or a calendar, every decision also makes the engine repeat the episode so far.
    """

    def __init__(self, options: Options, trace: Trace, processors: int) -> None:
        self.options, self.trace, self.processors = options, trace, processors
        preset = options.observation
        is_preset = isinstance(preset, str)
        self._observe = observer(str(preset), options.grid) if is_preset else None

    def begin(self, first: int, last: int, warm_from: int) -> tuple[Any, ...]:
        """Begin an episode of the rows [first, last), and return what `shown` returns."""
        self.rows = first, last, warm_from
        self._jobs = self.trace[warm_from:last]
        if len(np.unique(self._jobs.job_id)) < len(self._jobs):
            raise ValueError("several jobs have the same job_id; give every job its own job_id")
        self._actions: list[Any] = []
        self._begin = int(self.trace.submit[first])
        self.n_masked, self.done, self._policy_now = 0, False, 0
        self._answers = _Answers(self._begin)
        self._simulation = self._begun()
        self.now = self._next_choice = self._begin
        if self.options.actions != "policy":
            self._go_on()
        elif self._simulation.now < self._begin:
            self._simulation.run(until=self._begin - 1)
        self._read()
        return self.shown()

    def _begun(self) -> Simulation:
        """Return a new simulation of the episode, in which nothing has happened yet."""
        policy = self.options.policies[0]
        if self.options.actions != "policy":
            policy = policy.replace(order=NumPyOrder(self._answers, name="agent"))
        return Simulation(self._jobs, self.options.site.replace(policy=policy))

    def step(self, choice: int) -> tuple[Any, ...]:
        """Apply a choice, and continue to the next decision."""
        position = self._checked(choice)
        if self.options.actions == "policy":
            self._take_policy(position)
        else:
            jobs = self._waiting
            scores = -np.arange(len(jobs), dtype=np.float64)
            scores[position] = 1
            self._answer(scores)
        return self._stepped(choice)

    def step_by_scores(self, scores: NDArray[np.float64]) -> tuple[Any, ...]:
        """Apply scores for the window, and continue to the next decision."""
        self._checked(0)
        window = self.options.window
        if scores.shape != (window,):
            raise ValueError(
                f"there are {scores.size} scores; pass one for each of the {window} places in the "
                "window"
            )
        n = self.n_choices
        if np.isnan(scores[:n]).any():
            raise ValueError("the score of a job in the window is NaN; pass a number for every job")
        order = np.argsort(-scores[:n], kind="stable")
        ranks = -np.arange(len(self._waiting), dtype=np.float64)
        ranks[order] = -np.arange(n)
        self._answer(ranks)
        return self._stepped(scores)

    def _checked(self, choice: int) -> int:
        if self.done:
            raise ValueError("the episode is over; call reset() before the next step")
        if not 0 <= choice < self.options.n_choices:
            last = self.options.n_choices - 1
            raise ValueError(f"the action is {choice}; use a whole number from 0 to {last}")
        if choice >= self.n_choices:
            self.n_masked += 1
        return min(int(choice), self.n_choices - 1)

    def _answer(self, scores: NDArray[np.float64]) -> None:
        numbers = self._jobs.job_id[self._waiting].tolist()
        self._answers.by_time[self.now] = dict(zip(numbers, scores.tolist(), strict=True))
        self._go_on()

    def _go_on(self) -> None:
        try:
            self._simulation.run()
        except AskedError as asked:
            self.now = asked.now
        else:
            self.done, self.now = True, self._simulation.now

    def _take_policy(self, position: int) -> None:
        simulation, period = self._simulation, self.options.period
        if position != self._policy_now:
            simulation.set_policy(self.options.policies[position])
        self._policy_now = position
        self._next_choice += period
        if (event := simulation.next_event) is not None and event == simulation.now:
            simulation.run(until=simulation.now)
        event = simulation.next_event
        if event is not None and event > self._next_choice:
            self._next_choice += -(-(event - self._next_choice) // period) * period
        if event is not None:
            simulation.run(until=self._next_choice)
        self.now, self.done = self._next_choice, simulation.done
        if self.done:
            self.now = self._last_end()

    def _last_end(self) -> int:
        return int(self._simulation._core.schedule().end.max())

    def _stepped(self, action: Any) -> tuple[Any, ...]:
        self._actions.append(action)
        before = self._totals
        self._read()
        return self._told(before)

    def _read(self) -> None:
        """Find the jobs waiting or running at `now`, which the simulation may not have reached."""
        schedule = self._simulation._core.schedule()
        self._start, self._end = schedule.start, schedule.end
        came = self._jobs.submit <= self.now
        out = np.isin(schedule.state, [State.REJECTED, State.CANCELLED])
        self._waiting = np.flatnonzero(came & (self._start < 0) & ~out)
        self._running = np.flatnonzero((self._start >= 0) & (self._end > self.now))
        self._totals = self._sums(out)

    def _sums(self, out: NDArray[np.bool_]) -> Totals:
        jobs, start, end = self._jobs, self._start, self._end
        since, until = self._begin, self.now
        ran = start >= 0
        left = np.where(ran, np.minimum(start, until), until)
        waited = np.where(out, 0, np.clip(left - np.maximum(jobs.submit, since), 0, None))
        length = np.where(ran, np.minimum(end, until) - np.maximum(start, since), 0)
        ran_for = np.clip(length, 0, None)
        run = np.where(ran, end - start, jobs.run_time)
        own = np.arange(len(jobs)) >= self.rows[0] - self.rows[2]
        wait, real = (start - jobs.submit)[ran & own], (end - start)[ran & own]
        return Totals(
            waited=int(waited.sum()),
            waited_area=int((waited * jobs.processors).sum()),
            busy_area=int((ran_for * jobs.processors).sum()),
            presence=float(((waited + ran_for) / np.maximum(run, 1)).sum()),
            bounded_slowdown=float(np.maximum(1, (wait + real) / np.maximum(real, 10)).sum()),
            n_started=int((ran & own).sum()),
            seconds=until - since,
            n_jobs=int((own & ~out).sum()),
        )

    def shown(self) -> tuple[Any, ...]:
        """Return what `step` would return after a step in which nothing changed."""
        return self._told(self._totals)

    def _told(self, before: Totals) -> tuple[Any, ...]:
        options = self.options
        mask = self._mask()
        state = state_of(self, self.trace, self.processors, options.window)
        values = self._observe(state) if self._observe is not None else None
        reward = 0.0
        if isinstance(options.reward, str):
            reward = reward_of(options.reward, before, self._totals, self.processors, self.done)
        return values, reward, self.done, mask, self.now, self.n_waiting, self.n_masked

    def _mask(self) -> NDArray[np.int8]:
        """Return 1 for each choice that is valid now, otherwise 0."""
        valid = 0 if self.done else self.n_choices
        mask: NDArray[np.int8] = (np.arange(self.options.n_choices) < valid).astype(np.int8)
        return mask

    @property
    def free(self) -> int:
        """Number of processors without a job."""
        return self.processors - int(self._jobs.processors[self._running].sum())

    @property
    def n_waiting(self) -> int:
        """Number of waiting jobs."""
        return len(self._waiting)

    @property
    def n_choices(self) -> int:
        """Number of choices that are valid now."""
        if self.options.actions == "policy":
            return len(self.options.policies)
        return min(self.n_waiting, self.options.window)

    def queue(self) -> dict[str, NDArray[np.int64]]:
        """Return the columns of the waiting jobs."""
        return self._columns(self._waiting)

    def running(self) -> dict[str, NDArray[np.int64]]:
        """Return the columns of the running jobs."""
        return self._columns(self._running) | {"start": self._start[self._running]}

    def _columns(self, jobs: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        names = ("job_id", "submit", "requested_time", "processors", "user")
        columns = {name: getattr(self._jobs, name)[jobs].astype(np.int64) for name in names}
        return {"row": jobs + self.rows[2]} | columns

    def totals(self) -> dict[str, Any]:
        """Return the totals since the beginning of the episode."""
        return {name: getattr(self._totals, name) for name in Totals.__slots__}

    def starts(self) -> NDArray[np.int64]:
        """Return the start time of each job of the episode; -1 if the job has not started."""
        return self._start[self.rows[0] - self.rows[2] :]

    def state(self) -> tuple[Any, ...]:
        """Return the actions so far; `resume` repeats the episode from them."""
        return self.rows, tuple(self._actions)

    def resume(self, state: tuple[Any, ...]) -> None:
        """Repeat a saved episode up to the decision at which it was saved."""
        rows, actions = state
        self.begin(*rows)
        for action in actions:
            by_score = self.options.actions == "score"
            self.step_by_scores(action) if by_score else self.step(action)

    def copy(self) -> Self:
        """Repeat the episode so far in an independent replay, and return that replay."""
        other = type(self)(self.options, self.trace, self.processors)
        other.resume(self.state())
        return other
