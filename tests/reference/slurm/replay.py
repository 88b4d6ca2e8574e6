"""A free replay under Slurm's rules: events, the timing of both schedulers, priorities."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.slurm.backfill import Backfill
from reference.slurm.main_scheduler import MainScheduler
from reference.slurm.rules import Rules
from reference.slurm.running import Running
from reference.slurm.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters

SUBMIT, END, FREE, PASS, INTERVAL, CYCLE = range(6)


@dataclass
class Replay:
    """A replay of jobs whose run times are known; `priority` gives a job's priority at a time.

    A job ends after `run` seconds, whatever its time limit. Its nodes become free `settling`
    seconds later. `sched_min_interval` is ignored.
    """

    machine: Machine
    parameters: Parameters
    priority: Callable[[Job, int], float]
    rules: Rules = field(default_factory=Rules)
    settling: int = 0

    def run(self, jobs: Sequence[Job]) -> dict[int, tuple[int, int]]:
        """Return the start and the nodes of each job that starts, by job number."""
        return Run(self, jobs).run()


class Run:
    """State of one replay; `handle_next` handles one event, and schedules no pass or cycle."""

    def __init__(self, replay: Replay, jobs: Sequence[Job]) -> None:
        self.replay = replay
        self.parameters = replay.parameters
        self.jobs = {job.number: job for job in jobs}
        self.main = MainScheduler(replay.machine, replay.parameters, replay.rules)
        self.backfill = Backfill(replay.machine, replay.parameters, replay.rules)
        self.waiting: dict[int, Job] = {}
        self.running: dict[int, Running] = {}
        self.completing = 0
        self.starts: dict[int, tuple[int, int]] = {}
        self.events: list[tuple[float, int, int]] = []
        self.nodes_of: dict[int, int] = {}
        self.last_pass = self.last_cycle = 0.0
        self.pass_due = False
        self.cycle_due = False
        self.passes_at_once = self.parameters.has_epilog and not self.parameters.defer

    def run(self) -> dict[int, tuple[int, int]]:
        """Schedule passes and cycles until no job is running, waiting or still to be submitted."""
        for job in self.jobs.values():
            self.push(job.submit, SUBMIT, job.number)
        first = min(job.submit for job in self.jobs.values())
        self.last_pass = self.last_cycle = first - 3600.0
        self.push(first + self.parameters.sched_interval, INTERVAL)
        while self.events:
            now, kind = self.handle_next()
            if kind == SUBMIT or (kind == FREE and not self.passes_at_once):
                self._request_pass(now)
            elif kind == FREE:
                self._pass(now, full=False)
            elif kind == INTERVAL and (
                self.waiting or self.running or any(e[1] == SUBMIT for e in self.events)
            ):
                self.push(now + self.parameters.sched_interval, INTERVAL)
            self._plan_cycle(now)
        return self.starts

    def handle_next(self) -> tuple[float, int]:
        """Handle the earliest event; return its instant and kind."""
        now, kind, number = heapq.heappop(self.events)
        if kind == SUBMIT:
            self.waiting[number] = self.jobs[number]
        elif kind == END:
            self._end(now, number)
        elif kind == FREE:
            self.completing &= ~self.nodes_of[number]
        elif kind == CYCLE:
            self._cycle(now)
        else:
            self.pass_due = self.pass_due and kind != PASS
            self._pass(now, full=kind == INTERVAL)
        return now, kind

    def push(self, instant: float, kind: int, number: int = 0) -> None:
        heapq.heappush(self.events, (instant, kind, number))

    def _request_pass(self, now: float) -> None:
        if self.pass_due:
            return
        self.pass_due = True
        earliest = self.last_pass + self.parameters.batch_sched_delay
        self.push(max(now, earliest), PASS)

    def _end(self, now: float, number: int) -> None:
        ended = self.running.pop(number)
        self.completing |= ended.nodes
        self.nodes_of[number] = ended.nodes
        self.push(now + self.replay.settling, FREE, number)

    def _pass(self, now: float, *, full: bool) -> None:
        self.last_pass = now
        if self.waiting:
            self._start(self.main.decide(self._state(now), full=full).starts, now)

    def _cycle(self, now: float) -> None:
        self.cycle_due = False
        self.last_cycle = now
        if self.waiting:
            self._start(self.backfill.decide(self._state(now)).starts, now)

    def _plan_cycle(self, now: float) -> None:
        """Schedule a cycle `bf_interval` after the last one.

        It begins at least half a second from now.
        """
        if self.waiting and not self.cycle_due:
            self.cycle_due = True
            due = max(self.last_cycle + self.parameters.bf_interval, now + 0.5)
            self.push(due, CYCLE)

    def _state(self, now: float) -> State:
        second = int(now)
        waiting = list(self.waiting.values())
        return State(
            now=second,
            running=list(self.running.values()),
            waiting=waiting,
            priority={job.number: self.replay.priority(job, second) for job in waiting},
            completing=self.completing,
        )

    def _start(self, starts: Sequence[tuple[Job, int]], now: float) -> None:
        for job, nodes in starts:
            del self.waiting[job.number]
            start = int(now)
            self.running[job.number] = Running(job, start, nodes, start + job.limit)
            self.starts[job.number] = start, nodes
            self.push(start + job.run, END, job.number)
