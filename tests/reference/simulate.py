"""The main loop: which instant comes next, and what happens then (rules 3 to 5 of a replay)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from reference.conservative import ConservativePlanner
from reference.jobs import COMPLETED, KILLED, REJECTED, Job, Outcome, Running
from reference.machine import Machine
from reference.planner import Planner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.policy import Policy
    from reference.window import WindowPlanner


def simulate(
    jobs: Sequence[Job], processors: int, policy: Policy, planner: WindowPlanner | None = None
) -> list[Outcome]:
    """Replay jobs, given in trace order, on a machine; return one outcome per job."""
    return _Replay(jobs, processors, policy, planner).run()


class _Replay:
    def __init__(
        self,
        jobs: Sequence[Job],
        processors: int,
        policy: Policy,
        planner: WindowPlanner | None = None,
    ) -> None:
        self.jobs = jobs
        self.policy = policy
        self.arrivals = [job for job in jobs if job.processors <= processors]
        self.machine = Machine(processors, policy, min(job.submit for job in jobs))
        self.planner: Planner | ConservativePlanner | WindowPlanner = planner or Planner()
        if policy.backfill == "conservative":
            self.planner = ConservativePlanner(policy.compression == "every-end")
        self.ended: dict[int, Running] = {}
        self.ended_since_pass = False  # if set, the next periodic pass runs even if no job waits

    def run(self) -> list[Outcome]:
        machine = self.machine
        while self.arrivals or machine.running or machine.waiting:
            instant = self._next_instant()
            assert instant != math.inf, "jobs wait and nothing will ever happen"
            machine.now = int(instant)
            if self.policy.passes == "per-event":
                self._instant_with_a_pass_after_each_event()
            elif self.policy.period is None or self._at_a_period():
                self._instant_with_one_pass()
            else:
                self._handle_events()
        return [self._outcome(job) for job in self.jobs]

    def _next_instant(self) -> float:
        machine = self.machine
        instants: list[float] = [running.end for running in machine.running]
        if self.arrivals:
            instants.append(self.arrivals[0].submit)
        if self.policy.period is None:
            instants.append(self.planner.next_promise(machine.now))
        elif machine.waiting or self.ended_since_pass:
            since_first = machine.now - machine.first_submit
            passes = since_first // self.policy.period + 1
            instants.append(machine.first_submit + passes * self.policy.period)
        return min(instants)

    def _at_a_period(self) -> bool:
        assert self.policy.period is not None
        return (self.machine.now - self.machine.first_submit) % self.policy.period == 0

    def _instant_with_one_pass(self) -> None:
        """Handle all events, then run a pass; repeat if the pass starts jobs that end at once."""
        self._handle_events()
        self._run_pass()
        while self._completions():
            self._handle_events()
            self._run_pass()

    def _instant_with_a_pass_after_each_event(self) -> None:
        """Run a pass after each event; if a promise is due without an event, run a pass too."""
        happened = self._handle_one_event()
        self._run_pass()
        while happened and self._handle_one_event():
            self._run_pass()

    def _handle_events(self) -> None:
        while self._handle_one_event():
            pass

    def _handle_one_event(self) -> bool:
        """Handle the next event of this instant; return whether there was one."""
        first, second = self._complete_one, self._arrive_one
        if self.policy.event_order == "arrivals-first":
            first, second = second, first
        return first() or second()

    def _completions(self) -> list[Running]:
        return [running for running in self.machine.running if running.end <= self.machine.now]

    def _complete_one(self) -> bool:
        completions = self._completions()
        if not completions:
            return False
        ended = completions[0]
        self.machine.complete(ended)
        self.ended_since_pass = True
        self.planner.completion(early=ended.estimated_end > ended.end)
        self.ended[ended.job.position] = ended
        return True

    def _arrive_one(self) -> bool:
        if not self.arrivals or self.arrivals[0].submit > self.machine.now:
            return False
        job = self.arrivals.pop(0)
        self.planner.arrival(self.machine, job)
        self.machine.waiting.append(job)
        return True

    def _run_pass(self) -> None:
        self.ended_since_pass = False
        self.machine.correct_estimates()
        self.planner.run_pass(self.machine)

    def _outcome(self, job: Job) -> Outcome:
        if job.position not in self.ended:
            return Outcome(-1, -1, REJECTED, False)
        ended = self.ended[job.position]
        killed = self.policy.kill_at_limit and job.run_time > job.requested_time
        backfilled = job.position in self.machine.backfilled
        return Outcome(ended.start, ended.end, KILLED if killed else COMPLETED, backfilled)
