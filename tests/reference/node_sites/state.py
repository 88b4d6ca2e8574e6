"""The state of a replay on nodes at one instant: waiting and running jobs, unavailable nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from reference.beliefs import Beliefs
from reference.node_sites.plan import WHOLE, Number, Plan, Reserved, Stay, stay_of
from reference.node_sites.values import RunningNodeJob
from reference.node_sites.windows import horizon
from reference.sites.calendar import windows
from reference.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.dependencies import Needed
    from reference.node_sites.sweep import Sweep
    from reference.node_sites.values import (
        NodeJob,
        NodeOutage,
        NodeQueue,
        NodeReservation,
        NodeSite,
        Places,
    )


@dataclass(frozen=True)
class Group:
    """Queues whose jobs are tried in one order, as in a pool without a threshold."""

    queues: tuple[int, ...]
    threshold: None = None


@dataclass(frozen=True)
class Absence:
    """Nodes, or numbers of nodes by class, that a killing event takes down until `end`."""

    end: int
    nodes: frozenset[int] = frozenset()
    numbers: dict[int, int] = field(default_factory=dict)


def groups_of(site: NodeSite) -> list[Group]:
    """Group the queues whose nodes overlap, directly or through other queues, in site order."""
    groups: list[tuple[set[int], list[int]]] = []
    for number, queue in enumerate(site.all_queues):
        nodes, members = set(site.nodes_of(queue)), [number]
        for other in [group for group in groups if group[0] & nodes]:
            groups.remove(other)
            nodes |= other[0]
            members += other[1]
        groups.append((nodes, members))
    return [Group(tuple(m)) for m in sorted(sorted(members) for _, members in groups)]


class State:
    """The state that a pass reads and changes."""

    def __init__(self, site: NodeSite, first_submit: int) -> None:
        self.site = site
        self.policy = site.policy
        self.queues = site.all_queues
        self.pools = groups_of(site)
        self.first_submit = first_submit
        self.now = first_submit
        self.beliefs = Beliefs(site.policy)
        self.usage = Usage()
        self.needs: dict[int, list[Needed]] = {}  # dependencies of each job
        self.queue_numbers: dict[int, int] = {}
        self.waiting: list[NodeJob] = []
        self.outside: list[NodeJob] = []  # jobs not admitted yet because of a limit
        self.running: list[RunningNodeJob] = []
        self.ended: dict[int, RunningNodeJob] = {}
        self.reason: dict[int, str] = {}
        self.absences: list[Absence] = []
        self.begun: set[tuple[int, int]] = set()  # outage windows begun: outage number and start
        self.without_place: set[int] = set()  # jobs that only fit inside reservations
        self.dated = first_submit  # calendar changes up to this instant have been applied
        self.classes = site.classes
        self.deadlines: dict[int, tuple[NodeJob, int]] = {}  # each group's head and deadline
        self.promises: dict[int, Reserved] = {}  # promise of each job under `conservative`
        # jobs that gave up a promise since a job last ended or the calendar last changed
        self.over_limit: set[int] = set()
        self.last_sweep: Sweep | None = None  # the last sweep, if its reservations are still valid
        self.opened: set[int] = set()  # groups in which resources may have become free
        self.rejected: dict[int, str] = {}
        self.placed: dict[int, Places] = {}

    def queue_number(self, job: NodeJob) -> int:
        return self.queue_numbers[job.position]

    def queue(self, job: NodeJob) -> NodeQueue:
        return self.queues[self.queue_number(job)]

    def group(self, job: NodeJob) -> int:
        number = self.queue_number(job)
        return next(at for at, group in enumerate(self.pools) if number in group.queues)

    def nodes(self, job: NodeJob) -> frozenset[int]:
        return self.site.allowed(self.queue(job), job)

    def places_of(self, position: int) -> Places:
        return self.placed[position]

    def pass_at_or_after(self, time: int) -> int:
        period = self.policy.period or 1
        return self.first_submit + -(-(time - self.first_submit) // period) * period

    def length(self, job: NodeJob) -> int:
        return max(self.beliefs.of_waiting(job), 1)

    def plan(self, inside: NodeReservation | None = None) -> Plan:
        """Return a plan of running jobs, unavailable nodes, and announced outages and reservations.

        If the plan is for jobs `inside` a reservation, this reservation is left out.
        """
        plan, until = Plan(self.site, self.now), horizon(self)
        plan.busy_now = self.busy_now
        for running in self.running:
            end = running.estimated_end
            plan.stays.append(stay_of(running.job, running.places, self.now, end))
        for absence in self.absences:
            plan.stays.append(away(self.now, absence.end, absence.nodes))
            self._keep(plan, self.now, absence.end, absence.numbers)
        for outage in (o for o in self.site.outages if o.mode == "drain"):
            for begin, end in windows(outage, self.now, until):
                if outage.nodes is not None:
                    plan.stays.append(away(max(begin, self.now), end, outage.nodes))
                else:
                    self._keep(plan, max(begin, self.now), end, self.site.shares(outage))
        for number, reservation in enumerate(self.site.reservations):
            for begin, end in windows(reservation, self.now, until):
                if reservation is inside:
                    continue
                if reservation.nodes is not None:
                    plan.stays.append(away(max(begin, self.now), end, reservation.nodes))
                else:
                    self._keep_unused(plan, (number, end), max(begin, self.now))
        return plan

    def _keep(self, plan: Plan, begin: int, end: int, numbers: dict[int, int]) -> None:
        for at, count in numbers.items():
            plan.numbers.append(Number(begin, end, WHOLE, self.classes[at], count))

    def _keep_unused(self, plan: Plan, window: tuple[int, int], begin: int) -> None:
        """Keep a reservation's nodes free in the plan, except those that jobs inside it use."""
        _, end = window
        inside = [running for running in self.running if running.inside == window]
        edges = {min(running.estimated_end, end) for running in inside}
        edges = sorted({begin, *(edge for edge in edges if edge > begin), end})
        for since, until in pairwise(edges):
            still = [running for running in inside if running.estimated_end > since]
            self._keep(plan, since, until, self.unused(window, still))

    def unused(
        self, window: tuple[int, int], inside: Iterable[RunningNodeJob] | None = None
    ) -> dict[int, int]:
        """Return, per class, the reservation's nodes that no job inside it uses.

        `window`: the number of the reservation, and the end of its window.
        """
        left = self.site.shares(self.site.reservations[window[0]])
        if inside is None:
            inside = [running for running in self.running if running.inside == window]
        for running in inside:
            for at in left:
                left[at] -= len(self.classes[at] & set(running.places))
        return left

    # Nodes that are unavailable now.

    def named_away(self, at: int) -> frozenset[int]:
        """Return the nodes of a class that outages and repairs make unavailable by name."""
        named = [absence.nodes for absence in self.absences]
        named += [o.nodes for o in self._drains() if o.nodes is not None]
        return self.classes[at] & frozenset().union(*named)

    def numbers_away(self, at: int) -> int:
        """Count the nodes of a class taken by outages that give only a number of nodes."""
        drained = [self.site.shares(o) for o in self._drains() if o.nodes is None]
        taken = [absence.numbers for absence in self.absences]
        return sum(numbers.get(at, 0) for numbers in [*drained, *taken])

    def _drains(self) -> list[NodeOutage]:
        return [
            outage
            for number, outage in enumerate(self.site.outages)
            if outage.mode == "drain"
            and any(
                (number, b) in self.begun for b, _ in windows(outage, self.dated, self.dated + 1)
            )
        ]

    def there(self, at: int) -> int:
        """Count the available nodes of a class, whether or not jobs run on them."""
        gone = len(self.named_away(at)) + self.numbers_away(at)
        return max(0, len(self.classes[at]) - gone)

    def busy(self, at: int) -> frozenset[int]:
        return self.classes[at] & self.busy_now()

    def plan_inside(self, reservation: NodeReservation, end: int) -> Plan:
        """Return a plan in which only a reservation's nodes are available, until `end`."""
        plan = self.plan(reservation)
        assert reservation.nodes is not None
        others = frozenset(range(self.site.n_nodes)) - reservation.nodes
        plan.stays += [*self.momentary(), away(self.now, end, others)]
        return plan

    def busy_now(self) -> frozenset[int]:
        """Return the nodes on which a job runs."""
        return frozenset(node for running in self.running for node in running.places)

    def momentary(self) -> list[Stay]:
        """Return one-second stays of the running jobs whose estimated end is now or earlier."""
        return [
            stay_of(running.job, running.places, self.now, self.now + 1)
            for running in self.running
            if running.estimated_end <= self.now
        ]

    def start(
        self, job: NodeJob, places: Places, length: int, inside: tuple[int, int] | None = None
    ) -> None:
        """Start a job, inside the window of a reservation if one is given."""
        self.waiting.remove(job)
        self.usage.note(job.user, self.now, job.processors)
        end = self.now + job.length(self.policy.kill_at_limit)
        cut = self.policy.kill_at_limit and job.run_time > job.requested_time
        self.placed[job.position] = places
        self.running.append(
            RunningNodeJob(
                job=job,
                start=self.now,
                end=end,
                estimated_end=self.now + length,
                places=places,
                cut=cut,
                inside=inside,
            )
        )

    def complete(self, ended: RunningNodeJob) -> None:
        self.beliefs.learn(ended)
        self._end(ended, "killed" if ended.cut else "completed")

    def interrupt(self, killed: RunningNodeJob, reason: str) -> None:
        """End an attempt; the job returns to the queue with all of its work left to do."""
        killed.end = self.now
        self._end(killed, reason)
        del self.ended[killed.job.position]
        self.waiting.append(killed.job)

    def _end(self, ended: RunningNodeJob, reason: str) -> None:
        self.running.remove(ended)
        self.last_sweep = None
        self.over_limit.clear()
        if ended.estimated_end > ended.end:
            self.opened.add(self.group(ended.job))
        self.usage.note(ended.job.user, self.now, -ended.job.processors)
        self.ended[ended.job.position] = ended
        self.reason[ended.job.position] = reason

    def correct_estimates(self) -> None:
        for running in self.running:
            self.beliefs.correct(running, self.now)


def away(begin: int, end: int, nodes: frozenset[int]) -> Stay:
    return Stay(begin, end, dict.fromkeys(nodes, 1), None)
