"""One cycle of the backfill scheduler: rules 4 to 10 of docs/slurm_rules.md."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reference.slurm.cons_tres import ConsTres
from reference.slurm.held_back import is_held_back
from reference.slurm.linear import Linear
from reference.slurm.plan_map import PlanMap
from reference.slurm.queue_order import allowed, in_order, keeps_nothing
from reference.slurm.rules import Rules
from reference.slurm.running import Running
from reference.slurm.state import Decision, Plan

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from reference.slurm.machine import Machine
    from reference.slurm.parameters import Parameters
    from reference.slurm.state import State

END_OF_TIME = 2**62


class Backfill:
    """The backfill cycle of one cluster; only lowered weights of nodes persist between cycles."""

    def __init__(
        self, machine: Machine, parameters: Parameters, rules: Rules | None = None
    ) -> None:
        self.machine = machine
        self.parameters = parameters
        self.rules = rules or Rules()
        plugin = ConsTres if machine.shares else Linear
        self.selector = plugin(machine, parameters, self.rules)
        self.all_nodes = (1 << len(machine.nodes)) - 1

    def decide(self, state: State) -> Decision:
        """Return the jobs that the cycle starts, their nodes, and the plans that it makes."""
        return _Cycle(self, state).run()


class _Cycle:
    """Starts and plans made so far in one cycle."""

    def __init__(self, scheduler: Backfill, state: State) -> None:
        self.machine, self.parameters = scheduler.machine, scheduler.parameters
        self.rules, self.selector = scheduler.rules, scheduler.selector
        self.state = state
        self.now = state.now
        self.table_full = False
        self.running = list(state.running)
        self.starts: list[tuple[Job, int]] = []
        self.plans: list[Plan] = []
        self.seen: dict[str, Counter[object]] = {
            kind: Counter() for kind in ("user", "partition", "both", "planned")
        }
        window = state.now + self.parameters.bf_window
        self.map = PlanMap(self._cut(state.now), self._cut(window), scheduler.all_nodes)

    def run(self) -> Decision:
        tested = 0
        most = self.parameters.bf_max_job_test if self.rules.tested_jobs else 10**9
        most = min(most, self.parameters.bf_max_time_jobs or most)
        for job in in_order(self.state, self.machine, self.rules):
            if tested >= most:
                break
            if not allowed(job, self.machine, self.rules):
                continue
            if self._is_held_back(job):
                tested += not self.rules.held_back_untested
                continue
            if self._beyond_limits(job):
                continue
            sought = self._test(job)
            tested += sought if self.rules.only_sought_jobs else 1
            if self.table_full:
                break
        return Decision(self.starts, self.plans)

    def _is_held_back(self, job: Job) -> bool:
        return self.rules.held_back and is_held_back(job, self.running, self.parameters)

    def _beyond_limits(self, job: Job) -> bool:
        """Count a job for its user and partition; return true if it exceeds a bf_max_job limit."""
        given = self.parameters
        limits = [
            ("both", (job.user, job.partition), given.bf_max_job_user_part),
            ("partition", job.partition, given.bf_max_job_part),
            ("user", job.user, given.bf_max_job_user if self.rules.user_limit else 0),
        ]
        if any(most and self.seen[kind][key] >= most for kind, key, most in limits):
            return True
        for kind, key, _ in limits:
            self.seen[kind][key] += 1
        return False

    def _only_now(self, job: Job) -> bool:
        """Return True for a job that may start now, but gets no plan if it does not start."""
        given = self.parameters
        if not self.rules.every_job_planned and self.plans:
            return True
        if keeps_nothing(job, self.state, given):
            return True
        most = given.bf_job_part_count_reserve
        return bool(most) and self.seen["planned"][job.partition] >= most

    def _test(self, job: Job) -> int:
        """Start or plan one job; return 1 if this took a search for nodes, otherwise 0."""
        partition = self.machine.partitions[job.partition].nodes
        usable = partition & self.machine.with_feature(job.feature)
        only_now = self._only_now(job)
        instant: int | None = self.now
        sought = 0
        while instant is not None:
            end = instant + job.limit
            later = self._next_try(instant, end, partition)
            unplanned = self.map.free(instant, end, touching=self.rules.touching)
            free = usable & unplanned
            kept = self.map.kept(instant, end, touching=self.rules.touching)
            found = None
            if (partition & unplanned).bit_count() >= job.nodes:
                sought = 1
                found = self.selector.earliest(job, free, self.running, self.now, kept)
            if found is None:
                instant = None if only_now else later
                continue
            begin = max(found[0], instant)
            if begin <= self.now and self._start(job, free, found[1]):
                return sought
            if begin <= self.now:
                begin, later = self.now + 1, None
            if only_now:
                return sought
            if later is not None and begin > later:
                instant = later
                continue
            instant = self._plan(job, begin, found[1])
        return sought

    def _next_try(self, instant: int, end: int, partition: int) -> int | None:
        if not self.rules.later_tries:
            return None
        return self.map.next_try(
            instant, end if self.rules.tries_within_reach else END_OF_TIME, partition
        )

    def _start(self, job: Job, free: int, nodes: int) -> bool:
        """Start a job now unless its nodes are still completing; return true if it starts."""
        completing = self.state.completing if self.rules.completing_nodes else 0
        if nodes & completing:
            return False
        taken = self.selector.choose_at_start(job, free & ~completing, self.running, free)
        if taken is None:
            return False
        self.starts.append((job, taken))
        if self.rules.started_jobs_run:
            self.running.append(Running(job, self.now, taken, self.now + job.limit))
        return True

    def _plan(self, job: Job, begin: int, nodes: int) -> int | None:
        """Add a plan; if it overlaps another plan, return the instant from which to try again."""
        if self.rules.plan_window and begin > self.now + self.parameters.bf_window:
            return None
        first, last = self._cut(begin), self._cut(begin + job.limit)
        named = self.rules.named_nodes
        if named and self.map.conflicts(first, last, nodes):
            return begin if self.rules.tries_after_overlap else None
        if self.rules.plan_table and self.map.made >= self.parameters.table_size:
            self.table_full = True
        if not self.table_full or self.rules.one_more_plan:
            self.plans.append(Plan(job, begin, last, nodes))
        if self.table_full:
            return None
        last = max(last, first + (self.parameters.bf_resolution if self.rules.cut_times else 1))
        if job.exclusive or not self.machine.shares or self.rules.whole_node_plans:
            kept = 0 if named else job.nodes
            self.map.add(first, last, nodes if named else 0, kept, merges=self.rules.merged_spans)
        self.seen["planned"][job.partition] += 1
        return None

    def _cut(self, instant: int) -> int:
        if not self.rules.cut_times:
            return instant
        return instant // self.parameters.bf_resolution * self.parameters.bf_resolution
