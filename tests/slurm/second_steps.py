"""Finds the possible states before each backfill cycle of a recording without events.

Such a recording gives submit, start and end times in whole seconds. A submission takes up to four
emulated seconds to arrive, and nodes may be completing for up to 35 s after a job ends. If it is
unknown whether such events came before or after a cycle, there is one state for each possible
order, likeliest first.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import product
from typing import TYPE_CHECKING

from reference.slurm.running import Running
from reference.slurm.state import State
from slurm.steps import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference.slurm.job import Job
    from slurm.recording import Recorded, Recording

ARRIVAL = 4
COMPLETING = 35
MOST_OPEN = 7


class SecondSteps:
    """Backfill cycles of an older recording.

    With `only_changed`, cycles that start no job and find the same jobs as the previous cycle are
    left out, except for every hundredth cycle.

    The log begins after the first jobs. Before its first cycle, only cycles that started a job are
    known, each from the second in which the job started; `before_log` counts them.
    """

    def __init__(
        self,
        recording: Recording,
        priority: Callable[[Job, int], float],
        *,
        only_changed: bool = False,
    ) -> None:
        self.recording = recording
        self.only_changed = only_changed
        self.priority = priority
        self.jobs = list(recording.jobs.values())
        first = int(recording.cycles[0])
        starts = {each.start for each in self.jobs if each.by == "backfill"}
        before = sorted(float(start) for start in starts if start < first)
        self.before_log = len(before)
        self.cycles = [*before, *recording.cycles]
        self.begins = [int(each) for each in self.cycles]

    def __iter__(self) -> Iterator[Step]:
        started: dict[int, dict[int, int]] = {}
        for each in self.jobs:
            if each.by == "backfill":
                place = bisect_right(self.begins, each.start) - 1
                started.setdefault(place, {})[each.job.number] = each.nodes
        for place, instant in enumerate(self.cycles):
            starts = started.get(place, {})
            if self.only_changed and not starts and place % 100 and not self._changed(place):
                continue
            states = self._states(int(instant), starts)
            settling = any(instant - COMPLETING <= each.end <= instant for each in self.jobs)
            yield Step("backfill", instant, states, starts, settling=settling)

    def _changed(self, place: int) -> bool:
        """Return True if a job arrived, started or ended since the previous cycle."""
        since = self.begins[place - 1] - 1
        return any(
            since <= instant <= self.begins[place]
            for each in self.jobs
            for instant in (each.job.submit, each.start, each.end)
        )

    def _states(self, now: int, starts: dict[int, int]) -> list[State]:
        """Return the states that the recorded seconds allow."""
        certain_waiting, certain_running = [], []
        choices: list[tuple[str, Recorded]] = []
        for each in self.jobs:
            own = each.job.number in starts
            if each.job.submit > now or each.end < now - COMPLETING:
                continue
            if own:
                certain_waiting.append(each)
            elif each.start > now:
                if each.job.submit > now - ARRIVAL:
                    choices.append(("arrives", each))
                else:
                    certain_waiting.append(each)
            elif each.start == now and each.by != "backfill":
                choices.append(("starts", each))
            elif each.end > now:
                certain_running.append(each)
            else:
                choices.append(("completes" if each.end < now else "ends", each))
        if len(choices) > MOST_OPEN:
            raise ValueError(f"{len(choices)} events around {now} s; at most {MOST_OPEN} are tried")
        options = [(0, 1, 2) if kind == "ends" else (0, 1) for kind, _ in choices]
        return [
            self._state(now, certain_waiting, certain_running, choices, taken)
            for taken in product(*options)
        ]

    def _state(
        self,
        now: int,
        waiting: list[Recorded],
        running: list[Recorded],
        choices: list[tuple[str, Recorded]],
        taken: tuple[int, ...],
    ) -> State:
        waiting, running, completing = list(waiting), list(running), 0
        for (kind, each), choice in zip(choices, taken, strict=True):
            if kind == "arrives":
                waiting += [each] * (choice == 0)
            elif kind == "starts":
                (waiting if choice else running).append(each)
            elif kind == "completes":
                completing |= each.nodes if choice else 0
            elif choice == 0:
                running.append(each)
            else:
                completing |= each.nodes if choice == 1 else 0
        jobs = [each.job for each in waiting]
        return State(
            now=now,
            running=[
                Running(each.job, each.start, each.nodes, each.start + each.job.limit)
                for each in running
            ],
            waiting=jobs,
            priority={job.number: self.priority(job, now) for job in jobs},
            completing=completing,
        )
