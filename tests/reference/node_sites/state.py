"""The state of a replay on nodes at one instant: who waits, who runs where, what is away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.beliefs import Beliefs
from reference.node_sites.plan import Plan, Reserved, Stay, stay_of
from reference.node_sites.values import RunningNodeJob
from reference.usage import Usage

if TYPE_CHECKING:
    from reference.dependencies import Needed
    from reference.node_sites.sweep import Sweep
    from reference.node_sites.values import (
        NodeJob,
        NodeQueue,
        NodeReservation,
        NodeSite,
        Places,
    )


@dataclass(frozen=True)
class Group:
    """A pool as the sites without nodes have it, for the order of its jobs; no threshold."""

    queues: tuple[int, ...]
    threshold: None = None


@dataclass(frozen=True)
class Absence:
    """Nodes that a kill, a sudden outage or a crash has taken, until `end`."""

    end: int
    nodes: frozenset[int]


def groups_of(site: NodeSite) -> list[Group]:
    """Join queues whose nodes overlap, directly or through others; in the order of the queues."""
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
    """State that a pass looks at and changes."""

    def __init__(self, site: NodeSite, first_submit: int) -> None:
        self.site = site
        self.policy = site.policy
        self.queues = site.all_queues
        self.pools = groups_of(site)
        self.first_submit = first_submit
        self.now = first_submit
        self.beliefs = Beliefs(site.policy)
        self.usage = Usage()
        self.needs: dict[int, list[Needed]] = {}  # by job
        self.queue_numbers: dict[int, int] = {}
        self.waiting: list[NodeJob] = []
        self.outside: list[NodeJob] = []  # held above a limit on submitted jobs
        self.running: list[RunningNodeJob] = []
        self.ended: dict[int, RunningNodeJob] = {}
        self.reason: dict[int, str] = {}
        self.absences: list[Absence] = []
        self.begun: set[int] = set()  # outages
        self.deadlines: dict[int, tuple[NodeJob, int]] = {}  # by group, under relaxed
        self.promises: dict[int, Reserved] = {}  # by job, under conservative
        self.last_sweep: Sweep | None = None  # whose reservations stand
        self.opened: set[int] = set()  # groups in which room may have opened
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
        """Plan with running jobs, nodes that are away, and outages and reservations as announced.

        `inside`: a reservation whose own window is left out.
        """
        plan = Plan(self.site, self.now)
        plan.busy_now = self.busy_now
        for running in self.running:
            end = running.estimated_end
            plan.stays.append(stay_of(running.job, running.places, self.now, end))
        for absence in self.absences:
            plan.stays.append(_away(self.now, absence.end, absence.nodes))
        for outage in self.site.outages:
            end = outage.start + outage.duration
            if outage.mode == "drain" and end > self.now:
                nodes = (
                    frozenset(range(self.site.n_nodes)) if outage.nodes is None else outage.nodes
                )
                plan.stays.append(_away(max(outage.start, self.now), end, nodes))
        for reservation in self.site.reservations:
            if reservation.end > self.now and reservation is not inside:
                begin = max(reservation.start, self.now)
                plan.stays.append(_away(begin, reservation.end, reservation.nodes))
        return plan

    def plan_inside(self, reservation: NodeReservation) -> Plan:
        """Plan of the nodes that a reservation keeps; all others are away."""
        plan = self.plan(reservation)
        others = frozenset(range(self.site.n_nodes)) - reservation.nodes
        plan.stays += [*self.momentary(), _away(self.now, reservation.end, others)]
        return plan

    def busy_now(self) -> frozenset[int]:
        """Give the nodes on which a job runs."""
        return frozenset(node for running in self.running for node in running.places)

    def momentary(self) -> list[Stay]:
        """Give the stays of jobs believed to end now: they hold their nodes, and no plan does."""
        return [
            stay_of(running.job, running.places, self.now, self.now + 1)
            for running in self.running
            if running.estimated_end <= self.now
        ]

    def start(self, job: NodeJob, places: Places, length: int) -> None:
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
            )
        )

    def complete(self, ended: RunningNodeJob) -> None:
        self.beliefs.learn(ended)
        self._end(ended, "killed" if ended.cut else "completed")

    def interrupt(self, killed: RunningNodeJob, reason: str) -> None:
        """End an attempt; the job waits again, for all of its work."""
        killed.end = self.now
        self._end(killed, reason)
        del self.ended[killed.job.position]
        self.waiting.append(killed.job)

    def _end(self, ended: RunningNodeJob, reason: str) -> None:
        self.running.remove(ended)
        self.last_sweep = None
        if ended.estimated_end > ended.end:
            self.opened.add(self.group(ended.job))
        self.usage.note(ended.job.user, self.now, -ended.job.processors)
        self.ended[ended.job.position] = ended
        self.reason[ended.job.position] = reason

    def correct_estimates(self) -> None:
        for running in self.running:
            self.beliefs.correct(running, self.now)


def _away(begin: int, end: int, nodes: frozenset[int]) -> Stay:
    return Stay(begin, end, dict.fromkeys(nodes, 1), None)
