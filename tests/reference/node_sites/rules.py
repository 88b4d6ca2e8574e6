"""Rules that hold at every instant of a replay on nodes, checked on its outcomes alone.

Only the last attempt of each job is checked. Example: two jobs of 3 cores that overlap on a node of
4 cores give the line "node 0 is above its capacity at 5".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.node_sites.plan import Plan, stay_of
from reference.sites.calendar import is_open, windows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.node_sites.drawing import NodeCase
    from reference.node_sites.simulate import NodeOutcome
    from reference.node_sites.values import NodeJob, NodeLimits, NodeOutage, NodeSite

Started = tuple["NodeJob", "NodeOutcome"]


def broken_rules(case: NodeCase, outcomes: list[NodeOutcome]) -> list[str]:
    """List the rules that a schedule breaks, one line each."""
    started = [(j, o) for j, o in zip(case.jobs, outcomes, strict=True) if o.start >= 0]
    found: list[str] = []
    for job, outcome in started:
        found += _badly_placed(case.site, job, outcome)
        found += _through_absences(case.site, job, outcome)
        # Jobs that start at the same instant as a job of length 0 may start after it has ended.
        until = outcome.start + (outcome.end > outcome.start)
        beside = [
            (other, its)
            for other, its in started
            if other is not job and its.start < until and outcome.start < its.end
        ]
        found += _above_capacity(case.site, [(job, outcome), *beside])
        found += _beside_numbers(case, [(job, outcome), *beside])
        found += _above_limits(case.site, (job, outcome), beside)
    return found


def _badly_placed(site: NodeSite, job: NodeJob, outcome: NodeOutcome) -> Iterator[str]:
    queue = site.all_queues[outcome.queue]
    places = outcome.places
    name = f"job {job.position}"
    if outcome.start < job.submit:
        yield f"{name} starts before its submit time"
    if not is_open(site, queue, outcome.start):  # type: ignore[arg-type]
        yield f"{name} starts while its queue is shut"
    if not set(places) <= site.allowed(queue, job):
        yield f"{name} lies on nodes that its queue or constraint excludes"
    if sum(places.values()) != job.units:
        yield f"{name} has {sum(places.values())} units of {job.units}"
    if job.nodes and len(places) != job.nodes:
        yield f"{name} lies on {len(places)} nodes, and asks {job.nodes}"
    most = 1 if job.takes_whole_nodes else job.per_node or job.units
    if max(places.values()) > most:
        yield f"{name} has more than {most} units on a node"


def _through_absences(site: NodeSite, job: NodeJob, outcome: NodeOutcome) -> Iterator[str]:
    """Check that jobs avoid unavailable nodes.

    Jobs must also avoid drains if their requests serve as estimates and as limits.
    """
    believed = site.policy.estimates == "requested" and site.policy.kill_at_limit
    name = f"job {job.position}"
    for outage in site.outages:
        if not _named_by(outage, site) & set(outcome.places):
            continue
        if outage.nodes is None and outage.mode == "drain" and _may_be_inside(site, job, outcome):
            continue  # a job inside a reservation ignores the drain, as on processors
        until = outcome.end if outage.mode != "drain" else outcome.start + job.requested_time
        for begin, end in windows(outage, outcome.start, max(until, outcome.start + 1)):
            if begin <= outcome.start:
                yield f"{name} starts on a node that is away from {begin} to {end}"
            elif believed or outage.mode != "drain":
                yield f"{name} runs on a node that is away from {begin} to {end}"
    for kept in site.reservations:
        if kept.admits(job) or not (kept.nodes or frozenset()) & set(outcome.places):
            continue
        until = outcome.start + max(job.requested_time, 1)
        for begin, end in windows(kept, outcome.start, until):
            if begin <= outcome.start:
                yield f"{name} starts on a node kept for others from {begin} to {end}"
            elif believed:
                yield f"{name} may run on a node kept for others from {begin}"
    yield from _through_crashes(site, job, outcome)


def _may_be_inside(site: NodeSite, job: NodeJob, outcome: NodeOutcome) -> bool:
    """Return whether the job may have started inside a reservation of a number of nodes."""
    start = outcome.start
    return any(
        kept.nodes is None and kept.admits(job) and any(windows(kept, start, start + 1))
        for kept in site.reservations
    )


def _named_by(outage: NodeOutage, site: NodeSite) -> frozenset[int]:
    """Return the nodes that an outage certainly makes unavailable."""
    if outage.nodes is not None:
        return outage.nodes
    return frozenset(range(site.n_nodes)) if outage.count is None else frozenset()


def _through_crashes(site: NodeSite, job: NodeJob, outcome: NodeOutcome) -> Iterator[str]:
    for crash in site.crashes:
        until = crash + max(site.repair, 1)
        if outcome.start < crash < outcome.end or (site.repair and crash <= outcome.start < until):
            yield f"job {job.position} runs through the crash at {crash}"


def _beside_numbers(case: NodeCase, running: list[Started]) -> Iterator[str]:
    """Check that killing outages get enough nodes when the job `running[0]` starts."""
    site, time = case.site, running[0][1].start
    busy = {node for _, outcome in running for node in outcome.places}
    for outage in site.outages:
        if outage.mode == "drain" or not any(windows(outage, time, time + 1)):
            continue
        nodes = frozenset().union(*(site.classes[at] for at in site.in_reach(outage)))
        if outage.nodes is None and len(busy & nodes) > len(nodes) - (outage.count or len(nodes)):
            yield f"{len(busy & nodes)} nodes are busy at {time}, beside {outage}"


def _above_capacity(site: NodeSite, running: list[Started]) -> Iterator[str]:
    """Check the capacity of the nodes of the job `running[0]` when it starts."""
    time = running[0][1].start
    plan = Plan(site, time)
    plan.stays = [stay_of(job, outcome.places, time, time + 1) for job, outcome in running]
    for node in running[0][1].places:
        there = plan.stays_on(node, time)
        whole = any(stay.each is None for stay in there) and len(there) > 1
        if whole or min(plan.free(node, time)) < 0:
            yield f"node {node} is above its capacity at {time}"


def _above_limits(site: NodeSite, own: Started, beside: list[Started]) -> Iterator[str]:
    name = site.all_queues[own[1].queue].name
    queue = site.all_queues[own[1].queue]
    in_queue = [other for other in beside if other[1].queue == own[1].queue]
    named = [
        (f"named limit {at}", each.limits, [other for other in beside if each.covers(other[0])])
        for at, each in enumerate(site.named)
        if each.covers(own[0])
    ]
    for where, limits, others in (
        ("site", site.limits, beside), (name, queue.limits, in_queue), *named,
    ):  # fmt: skip
        counts = _counts(site, limits, own, others)
        for kind, most, count in counts:
            if most is not None and count > most:
                yield f"job {own[0].position} brings {kind} of {where} to {count} of {most}"


def _counts(
    site: NodeSite, limits: NodeLimits, own: Started, others: list[Started]
) -> Iterator[tuple[str, int | None, int]]:
    jobs = [own[0], *(job for job, _ in others)]
    yield "running", limits.running, len(jobs)
    yield "processors", limits.processors_in_use, sum(job.processors for job in jobs)

    def same(holder: str) -> list[NodeJob]:
        who = getattr(own[0], holder)
        return [] if who == -1 else [job for job in jobs if getattr(job, holder) == who]

    for holder, most in limits.running_per.items():
        yield f"running per {holder}", most, len(same(holder))
    for holder, most in limits.processors_per.items():
        yield f"processors per {holder}", most, sum(job.processors for job in same(holder))
    for (holder, resource), most in limits.amounts.items():
        theirs = jobs if holder == "total" else same(holder)
        if resource == "nodes":
            places = {job.position: outcome.places for job, outcome in [own, *others]}
            yield f"nodes per {holder}", most, sum(len(places[job.position]) for job in theirs)
            continue
        at = site.resources.index(resource)
        yield f"{resource} per {holder}", most, sum(job.units * job.each[at] for job in theirs)
