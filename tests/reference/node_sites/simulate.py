"""The main loop on a site with nodes: which instant comes next, and what happens then."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from reference.dependencies import by_arrival, may_be_released
from reference.node_sites.calendar import Calendar
from reference.node_sites.eligibility import amount_of, may_be_submitted, released_at
from reference.node_sites.plan import Plan
from reference.node_sites.promises import run_round
from reference.node_sites.reservations import start_in_reservations
from reference.node_sites.state import State
from reference.node_sites.sweep import Sweep
from reference.node_sites.windows import fits_inside, has_a_place
from reference.sites.instants import next_opening

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference.dependencies import Needed
    from reference.node_sites.values import (
        NodeJob,
        NodeLimits,
        NodeQueue,
        NodeSite,
        Places,
        RunningNodeJob,
    )

ENDLESS = 20_000
IDLE = 3_000  # the replay stops after this many instants in a row without a running job
TEN_YEARS = 10 * 366 * 86_400


class NodeOutcome(NamedTuple):
    """The outcome of a job; start and end are -1 if it did not start."""

    start: int
    end: int
    queue: int
    reject_reason: str
    places: Places


def simulate_nodes(
    jobs: Sequence[NodeJob], site: NodeSite, *, patient: bool = False
) -> list[NodeOutcome]:
    """Replay jobs, given in trace order; return an outcome for each job.

    If no job is running, the replay gives up after `IDLE` instants. If `patient`, it gives up only
    after ten years, as the core does.
    """
    arrived, needs, logged = by_arrival(jobs, depending=site.dependencies)
    outcomes = _Replay(arrived, site, needs, patient=patient).run()
    return [outcomes[logged.index(at)] for at in range(len(jobs))]


def queue_of(site: NodeSite, job: NodeJob) -> int | None:
    """Return the queue that the trace gives the job, or the first whose ranges contain the job."""
    queues = list(enumerate(site.all_queues))
    mapped = [at for at, queue in queues if job.trace_queue in queue.trace_queues]
    fitting = [at for at, queue in queues if _contains(queue, job)]
    return next(iter(mapped + fitting), None)


def with_default_request(site: NodeSite, job: NodeJob) -> NodeJob:
    """Give a job without a request its queue's default, or its run time if this is longer.

    The queue is chosen first, while the run time still counts as the request.
    """
    number = queue_of(site, job)
    if job.has_request or number is None:
        return job
    default = site.all_queues[number].default_walltime
    return replace(job, requested_time=max(default, job.run_time))


def _contains(queue: NodeQueue, job: NodeJob) -> bool:
    least, most = queue.processors
    above, up_to = queue.walltime
    wide = least <= job.processors and (most is None or job.processors <= most)
    timely = above < job.requested_time and (up_to is None or job.requested_time <= up_to)
    return queue.has_ranges and wide and timely


def _with_named_outages(site: NodeSite) -> NodeSite:
    """Replace outages of the whole torus by outages that name every node."""
    everything = frozenset(range(site.n_nodes))
    outages = (o if o.nodes else replace(o, nodes=everything) for o in site.outages)
    return replace(site, outages=tuple(outages))


class _Replay:
    def __init__(
        self,
        jobs: Sequence[NodeJob],
        site: NodeSite,
        needs: dict[int, list[Needed]],
        *,
        patient: bool,
    ) -> None:
        site = replace(site, tells_users=any(job.exclusive == "user" for job in jobs))
        if site.allocation:
            site = _with_named_outages(site)
        self.jobs = [with_default_request(site, job) for job in jobs]
        self.site = site
        self.state = State(site, min(job.submit for job in jobs))
        self.state.needs = needs
        self.patient = patient
        self.idle = 0
        self.idle_since = self.state.now
        for original, job in zip(jobs, self.jobs, strict=True):
            number = queue_of(site, original)
            if number is not None:
                self.state.queue_numbers[job.position] = number
            if reason := self._reason_to_reject(job, number):
                self.state.rejected[job.position] = reason
        self.arrivals = [job for job in self.jobs if job.position not in self.state.rejected]
        self.calendar = Calendar(self.state)

    def _reason_to_reject(self, job: NodeJob, number: int | None) -> str:
        if number is None:
            return "no_queue"
        queue = self.site.all_queues[number]
        nodes = self.site.allowed(queue, job)
        if Plan(self.site, 0).place(job, nodes, 0, 1) is None:
            return "too_large"
        named = [each.limits for each in self.site.named if each.covers(job)]
        if any(self._breaks(limits, job) for limits in (queue.limits, self.site.limits, *named)):
            return "limit"
        return self._without_gap(job, number)

    def _without_gap(self, job: NodeJob, number: int) -> str:
        """Return "maintenance" for a job that never fits, otherwise an empty text.

        A job may fit between recurring windows, or only in a recurring reservation that admits it.
        In the second case, it is added to `without_place`.
        """
        queue = self.site.all_queues[number]
        if has_a_place(self.state, job, queue):
            return ""
        if not fits_inside(self.state, job, queue):
            return "maintenance"
        self.state.without_place.add(job.position)
        return ""

    def _breaks(self, limits: NodeLimits, job: NodeJob) -> bool:
        """Return whether the job by itself exceeds a limit on amounts."""
        bounds = [(limits.processors_in_use, job.processors)]
        for holder, most in limits.processors_per.items():
            if getattr(job, holder) != -1:
                bounds.append((most, job.processors))
        for (holder, resource), most in limits.amounts.items():
            if holder == "total" or getattr(job, holder) != -1:
                bounds.append((most, amount_of(self.state, job, resource, None)))
        return any(most is not None and amount > most for most, amount in bounds)

    def run(self) -> list[NodeOutcome]:
        state = self.state
        for _ in count() if self.patient else range(ENDLESS):
            instant = self._next_instant()
            if instant == math.inf:
                return [self._outcome(job) for job in self.jobs]
            state.now = int(instant)
            self._complete()
            self.calendar.apply_changes()
            self._let_in()
            while self.arrivals and self.arrivals[0].submit <= state.now:
                self._arrive(self.arrivals.pop(0))
            if state.pass_at_or_after(state.now) == state.now:
                self._pass()
                while self._complete():
                    self._let_in()
                    self._pass()
        raise AssertionError(f"the replay does not end; at {state.now} wait {state.waiting}")

    def _pass(self) -> None:
        """Try all waiting jobs repeatedly, until none of them starts."""
        state = self.state
        state.correct_estimates()
        start_in_reservations(state)
        before = (-1, 0)
        while before != (len(state.waiting), len(state.over_limit)):
            before = (len(state.waiting), len(state.over_limit))
            if state.policy.backfill == "conservative":
                run_round(state)
            else:
                sweep = Sweep(state)
                sweep.run()
                if not sweep.may_start_others():
                    return

    def _arrive(self, job: NodeJob) -> None:
        state = self.state
        job = replace(job, queue_priority=state.queue(job).priority)
        if may_be_submitted(state, job):
            state.waiting.append(job)
        elif self.site.limits.over_submitted == "hold":
            state.outside.append(job)
        else:
            state.rejected[job.position] = "over_submitted"

    def _let_in(self) -> None:
        """Admit held jobs in order of submission, as far as the limits allow."""
        for job in list(self.state.outside):
            if may_be_submitted(self.state, job):
                self.state.outside.remove(job)
                self.state.waiting.append(job)

    def _complete(self) -> list[RunningNodeJob]:
        state = self.state
        over = [running for running in state.running if running.end <= state.now]
        for running in over:
            state.complete(running)
        return over

    def _next_instant(self) -> float:
        state = self.state
        times: list[float] = [running.end for running in state.running]
        if self.arrivals:
            times.append(self.arrivals[0].submit)
        waiting = [job for job in state.waiting if may_be_released(state, job)]
        self._note_idle(idle=not times)
        if not times and (not (waiting or state.outside) or self._gives_up()):
            return math.inf
        times += [time for time in self.calendar.instants() if time > state.now]
        if self.site.policy.period is None:
            times += self._eligibility()
        elif waiting or state.outside:
            times.append(state.pass_at_or_after(state.now + 1))
        return min(times, default=math.inf)

    def _note_idle(self, *, idle: bool) -> None:
        self.idle = self.idle + 1 if idle else 0
        if self.idle <= 1:
            self.idle_since = self.state.now

    def _gives_up(self) -> bool:
        if self.patient:
            return self.state.now - self.idle_since > TEN_YEARS
        return self.idle > IDLE

    def _eligibility(self) -> Iterator[float]:
        """Return the instants at which a job may start merely because time has passed."""
        state = self.state
        for job in state.waiting:
            queue = state.queue(job)
            if queue.starvation is not None and job.submit + queue.starvation > state.now:
                yield job.submit + queue.starvation
            if queue.hours:
                yield next_opening(state, queue)  # type: ignore[arg-type]
            released = released_at(state, job)
            if released is not None and released > state.now:
                yield released
        for promise in state.promises.values():
            if promise.begin > state.now:
                yield promise.begin

    def _outcome(self, job: NodeJob) -> NodeOutcome:
        state = self.state
        number = state.queue_numbers.get(job.position, -1)
        if job.position in state.rejected:
            return NodeOutcome(-1, -1, number, state.rejected[job.position], {})
        if job.position not in state.ended:
            return NodeOutcome(-1, -1, number, "none", {})
        last = state.ended[job.position]
        return NodeOutcome(last.start, last.end, number, "none", last.places)
