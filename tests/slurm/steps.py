"""Scheduling steps of a recording: the state before each, and the jobs that Slurm started."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.slurm.queue_order import in_order
from reference.slurm.rules import Rules
from reference.slurm.running import Running
from reference.slurm.state import State
from slurm.recording import node_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from slurm.recording import Recording

LATE = 2.0  # longest delay, in seconds, with which the log reports that a node is free
EVENTS_IN_A_CYCLE = ("plan", "priority", "submit", "end", "free", "cut", "spent", "renew", "parts")


@dataclass
class Step:
    """One backfill cycle, or one pass of the main scheduler.

    `states` holds the state before the step, or several states if the recording leaves it open.
    `plans` are (job, begin, rounded end, nodes), if the recording `has_plans`. `settling` is true
    if nodes may be completing without a record of it; extra starts are then counted separately.
    `submitted` lists the jobs that arrived after the previous step.
    """

    kind: str
    instant: float
    states: list[State]
    starts: dict[int, int] = field(default_factory=dict)
    plans: list[tuple[int, int, int, int]] = field(default_factory=list)
    has_plans: bool = False
    settling: bool = False
    submitted: list[Job] = field(default_factory=list)


class EventSteps:
    """Reads the events of a recording in order; states are exact.

    The log may report a free node late, so a step may have two states.
    """

    def __init__(
        self,
        recording: Recording,
        machine: Machine,
        bf_window: int = 86400,
        rules: Rules | None = None,
    ) -> None:
        self.recording = recording
        self.machine = machine
        self.bf_window = bf_window
        self.rules = rules or Rules()
        self.waiting: dict[int, bool] = {}
        self.running: dict[int, Running] = {}
        self.priority: dict[int, float] = {}
        self.completing = 0
        self.frees = self._instants_of_frees()
        self.submitted: list[Job] = []

    def _instants_of_frees(self) -> list[tuple[float, int]]:
        """Return the instants at which the log reports nodes as free, slightly after they are."""
        lines = (line.split() for line in self.recording.events)
        return [(float(line[0]), 1 << int(line[2]) - 1) for line in lines if line[1] == "free"]

    def __iter__(self) -> Iterator[Step]:
        step: Step | None = None
        for line in self.recording.events:
            instant, kind, *fields = line.split()
            if kind in ("cycle", "main"):
                if step is not None:
                    yield step
                name = "backfill" if kind == "cycle" else "main " + fields[0]
                step = Step(name, float(instant), self._states(float(instant)), has_plans=True)
                step.submitted, self.submitted = self.submitted, []
            elif step is not None and not self._belongs(step, kind, fields):
                yield step
                step = None
            self._apply(step, kind, fields)
        if step is not None:
            yield step

    @staticmethod
    def _belongs(step: Step, kind: str, fields: list[str]) -> bool:
        """Return true for an event that the step itself causes."""
        if kind == "start":
            return step.kind.split()[0] == fields[1]
        return step.kind == "backfill" and kind in EVENTS_IN_A_CYCLE

    def _states(self, instant: float) -> list[State]:
        """Return the state, or two states if nodes may be free before the log reports it."""
        first = bisect_left(self.frees, (instant, 0))
        last = bisect_left(self.frees, (instant + LATE, 0))
        soon = 0
        for _, node in self.frees[first:last]:
            soon |= node & self.completing
        choices = [self.completing, self.completing & ~soon] if soon else [self.completing]
        return [self._state(instant, completing) for completing in choices]

    def _state(self, instant: float, completing: int) -> State:
        return State(
            now=int(instant),
            running=list(self.running.values()),
            waiting=[self.recording.jobs[number].job for number in self.waiting],
            priority=dict(self.priority),
            completing=completing,
        )

    def _cut(self, step: Step, last: int) -> None:
        """Remove the waiting jobs after `last`, because the cycle did not reach them.

        If `last` is 0, remove all waiting jobs.
        """
        for state in step.states:
            ranked = in_order(state, self.machine, Rules())
            numbers = [job.number for job in ranked]
            state.waiting[:] = ranked[: numbers.index(last) + 1] if last else []

    def _apply(self, step: Step | None, kind: str, fields: list[str]) -> None:
        if kind == "free":
            self.completing &= ~(1 << int(fields[0]) - 1)
        if kind in ("free", "cycle", "main", "held", "stop", "renew"):
            return
        number = int(fields[0])
        if kind in ("cut", "spent") and step is not None:
            if self.rules.cut_cycles or kind == "spent":
                self._cut(step, number)
        elif kind in ("submit", "priority", "parts"):
            if kind == "submit":
                self.waiting[number] = True
                self.submitted.append(self.recording.jobs[number].job)
            self.priority[number] = float(fields[1])
            if step is not None and kind == "priority":
                for state in step.states:
                    state.priority[number] = float(fields[1])
        elif kind == "plan" and step is not None:
            plan = number, int(fields[1]), int(fields[2]), node_numbers(fields[3])
            # The log also lists jobs that would start after the window. Slurm makes no plan for
            # them.
            if plan[1] <= int(step.instant) + self.bf_window:
                step.plans.append(plan)
        elif kind == "end":
            ended = self.running.pop(number, None)
            self.completing |= ended.nodes if ended else 0
        elif kind == "start":
            nodes = node_numbers(fields[2])
            recorded = self.recording.jobs[number]
            self.waiting.pop(number, None)
            end = recorded.start + recorded.job.limit
            self.running[number] = Running(recorded.job, recorded.start, nodes, end)
            if step is not None:
                step.starts[number] = nodes
