"""A free replay (see docs/slurm.md), second by second, with the timing of the preset.

Unlike in `reference.slurm.replay`, cycles take no time. Nodes whose jobs end in the same second are
free at the same time. Intervals are measured from the first submission.
"""

from __future__ import annotations

from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING

from reference.slurm.backfill import Backfill
from reference.slurm.held_back import eligible_from, exceeds_alone, may_submit
from reference.slurm.main_scheduler import MainScheduler
from reference.slurm.queue_order import allowed
from reference.slurm.running import Running
from reference.slurm.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.replay_priorities import ReplayPriorities


class PresetReplay:
    """Jobs in order of submission; no job runs beyond its limit.

    After a job's end, its nodes are completing for `epilog` seconds. Without `priorities`, every
    priority is 0.
    """

    def __init__(
        self,
        machine: Machine,
        parameters: Parameters,
        jobs: Sequence[Job],
        epilog: int = 0,
        priorities: ReplayPriorities | None = None,
    ) -> None:
        self.priorities = priorities
        self.machine = machine
        self.parameters = parameters
        self.jobs = list(jobs)
        self.epilog = epilog
        self.backfill = Backfill(machine, parameters)
        self.main = MainScheduler(machine, parameters)
        self.main.selector = self.backfill.selector
        first = jobs[0].submit
        self.last_full = self.last_pass = first - parameters.sched_interval
        self.last_cycle = first - parameters.bf_interval
        self.waiting: list[Job] = []
        self.running: list[Running] = []
        self.completing: list[tuple[int, int]] = []  # (time at which nodes become free, nodes)
        self.outside: list[Job] = []  # submitted jobs with unmet dependencies
        self.over: dict[int, int] = {}  # job number: time at which its nodes became free
        self.refused: set[int] = set()
        self.present: list[Job] = []  # submitted and not ended
        self.eligible: dict[int, int] = {}
        least = parameters.sched_min_interval
        self.least = ceil(least) if least >= 1 else 0  # minimum seconds between two passes
        self.last_run = first - self.least
        self.due: list[bool] = []  # one entry per due pass: True if it is full
        self.requested = False  # a submission or the end of a job requested a pass
        self.starts: dict[int, tuple[int, int]] = {}

    def run(self) -> dict[int, tuple[int, int]]:
        """Return the start and the nodes of each job that starts, by job number."""
        coming = list(self.jobs)
        now = last_change = coming[0].submit
        longest = max(self.parameters.sched_interval, self.parameters.bf_interval, self.least)
        while coming or self.running or now <= last_change + 2 * longest + self.epilog:
            before = len(self.waiting), len(self.running)
            are_freed = self._end(now)
            if self.priorities:
                self.priorities.renew(self.waiting, self.eligible, now)
            self._let_in(now)
            arriving = [job for job in coming if job.submit == now]
            coming = coming[len(arriving) :]
            self._submit_all(arriving)
            self._decide(now, are_freed=are_freed)
            if (len(self.waiting), len(self.running)) != before:
                last_change = now
            now += 1
        return self.starts

    def _end(self, now: int) -> bool:
        """End the jobs whose run time is over; return true if nodes have become free."""
        over = [each for each in self.running if each.start + each.job.run <= now]
        self.running = [each for each in self.running if each not in over]
        for each in over:
            self.over[each.job.number] = now + self.epilog
            self.present.remove(each.job)
            if self.priorities:
                self.priorities.ended(each.job, now)
        completing = self.completing + [(now + self.epilog, each.nodes) for each in over]
        self.completing = [each for each in completing if each[0] > now]
        return len(self.completing) < len(completing)

    def _submit_all(self, arriving: Sequence[Job]) -> None:
        """Submit jobs; refuse an array as a whole if it would exceed a limit on submitted jobs."""
        self.refused |= {job.number for job in arriving if not self._ever_fits(job)}
        fitting = [job for job in arriving if job.number not in self.refused]
        for _, group in groupby(fitting, lambda job: job.array if job.array >= 0 else -job.number):
            jobs = list(group)
            if may_submit(jobs, self.present, self.parameters):
                self.present += jobs
                for job in jobs:
                    self._submit(job)
            else:
                self.refused |= {job.number for job in jobs}

    def _ever_fits(self, job: Job) -> bool:
        """Return false if a job does not fit the idle machine, or by itself exceeds a limit."""
        partition = self.machine.partitions[job.partition]
        usable = partition.nodes & self.machine.with_feature(job.feature)
        chosen = Backfill(self.machine, self.parameters).selector.choose(job, usable, ())
        return chosen is not None and not exceeds_alone(job, self.parameters)

    def _submit(self, job: Job) -> None:
        """Add a job to those that wait or have unmet dependencies."""
        self.backfill.selector.submitted(job)
        if not allowed(job, self.machine, self.main.rules):
            return
        self.outside.append(job)
        if self._let_in(job.submit):
            self.requested = True

    def _let_in(self, now: int) -> int:
        """Add newly eligible jobs to the waiting jobs; return how many were added."""
        jobs = {job.number: job for job in self.jobs}
        n_waiting = len(self.waiting)
        for job in list(self.outside):
            since = eligible_from(job, self.over, self.refused, jobs)
            if since is not None and since <= now:
                self.outside.remove(job)
                self.waiting.append(job)
                self.eligible[job.number] = since
                if self.priorities:
                    self.priorities.let_in(job, since, now)
        return len(self.waiting) - n_waiting

    def _decide(self, now: int, *, are_freed: bool) -> None:
        """Run the schedulers that are due; passes also run while no job waits.

        If several passes become due too soon after another pass, they run later, as one pass.
        """
        given = self.parameters
        is_held = self._waits_for_completion(now)
        any_waited = bool(self.waiting)
        at_once = given.has_epilog and not given.defer
        if are_freed and not at_once:
            self.requested = True
        if now - self.last_full >= given.sched_interval:
            self.last_full = self.last_pass = now
            self.requested = False
            self.due.append(True)
        elif self.requested and now - self.last_pass >= given.batch_sched_delay:
            self.last_pass = now
            self.requested = False
            self.due.append(False)
        elif are_freed and at_once:
            self.due.append(False)
        if self.due and now - self.last_run >= self.least:
            self.last_run = now
            self._pass(now, full=any(self.due), is_held=is_held)
            self.due = []
        if any_waited and not is_held and now - self.last_cycle >= given.bf_interval:
            self._start(self.backfill.decide(self._state(now)).starts, now)
            self.last_cycle = now

    def _waits_for_completion(self, now: int) -> bool:
        """Return true if a job that ended at most CompleteWait seconds ago is still completing."""
        wait = self.parameters.complete_wait
        ends = [until - self.epilog for until, _ in self.completing]
        return wait > 0 and any(now - end <= wait for end in ends)

    def _pass(self, now: int, *, full: bool, is_held: bool) -> None:
        """Run a pass of the main scheduler, unless a completing job holds it back."""
        if self.waiting and not is_held:
            self._start(self.main.decide(self._state(now), full=full).starts, now)

    def _state(self, now: int) -> State:
        completing = 0
        for _, nodes in self.completing:
            completing |= nodes
        priority = dict(self.priorities.priority) if self.priorities else {}
        running, waiting = list(self.running), list(self.waiting)
        return State(now, running, waiting, priority, completing, self.eligible)

    def _start(self, starts: Sequence[tuple[Job, int]], now: int) -> None:
        for job, nodes in starts:
            self.waiting.remove(job)
            self.running.append(Running(job, now, nodes, now + job.limit))
            self.starts[job.number] = now, nodes
            if self.priorities:
                self.priorities.started(job, now)
