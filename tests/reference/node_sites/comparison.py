"""Compares the core with the oracle on a site with nodes, job by job."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import slotwise as sw
from reference.dependencies import dependency_columns
from reference.node_sites.drawing import NodeCase
from reference.node_sites.rules import broken_rules
from reference.node_sites.simulate import NodeOutcome, simulate_nodes
from reference.sites.comparison import written_hours
from slotwise.site.policy.policy_checks import READ_BY_SITES, unread

if TYPE_CHECKING:
    from reference.node_sites.values import (
        NamedNodeLimits,
        NodeJob,
        NodeLimits,
        NodeOutage,
        NodeQueue,
        NodeReservation,
        NodeSite,
        Places,
    )

MIDNIGHT = datetime(2001, 2, 3)


def machine_of(site: NodeSite) -> sw.Nodes | sw.Torus:
    if site.allocation:
        (kind,) = site.types
        return sw.Torus((kind.count,), order="row", processors_per_node=kind.amounts[0])
    types = [
        sw.NodeType(
            count=kind.count,
            name=chr(ord("a") + number),
            features=kind.features,
            **dict(zip(site.resources, kind.amounts, strict=True)),
        )
        for number, kind in enumerate(site.types)
    ]
    return sw.Nodes(types, site.placement)


def slotwise_site(site: NodeSite) -> sw.Site:
    values = asdict(site.policy)
    plans_ahead = bool(site.reservations) or any(o.mode == "drain" for o in site.outages)
    ignored = unread(values).keys() - (READ_BY_SITES if plans_ahead else set())
    read = {name: value for name, value in values.items() if name not in ignored}
    machine = machine_of(site)
    read |= {"allocation": site.allocation} if site.allocation else {"reserve": site.reserve}
    limits = _limits(site.limits)
    parts = [o for o in site.outages if o.nodes is not None or o.count is not None]
    whole = [o for o in site.outages if o.nodes is None and o.count is None]
    return sw.Site(
        machine=machine,
        policy=sw.Policy(**read),
        queues=[_queue(machine, queue) for queue in site.queues],
        limits=sw.Limits(**limits, over_submitted=site.limits.over_submitted),
        named_limits=[_named(each) for each in site.named],
        maintenance=[sw.Maintenance(o.start, o.duration, o.every, o.mode) for o in whole],  # type: ignore[arg-type]
        outages=[_outage(machine, outage) for outage in parts],
        reservations=[_reservation(machine, at, r) for at, r in enumerate(site.reservations)],
        crashes=_crashes(site),
        dependencies=site.dependencies,
        clock=sw.Clock(start=MIDNIGHT - timedelta(seconds=site.midnight)),
    )


def _names(machine: sw.Nodes | sw.Torus, nodes: frozenset[int]) -> list[str]:
    if isinstance(machine, sw.Torus):
        return [str(node) for node in sorted(nodes)]
    return [machine.names[node] for node in sorted(nodes)]


def _outage(machine: sw.Nodes | sw.Torus, outage: NodeOutage) -> sw.Outage:
    return sw.Outage(
        outage.start,
        outage.duration,
        every=outage.every,
        mode=outage.mode,
        **_choice(machine, outage),  # type: ignore[arg-type]
    )


def _choice(
    machine: sw.Nodes | sw.Torus, choice: NodeOutage | NodeReservation
) -> dict[str, list[str] | str | int | None]:
    """Specify the nodes of an outage or reservation by name, by type or by number."""
    if choice.nodes is not None:
        return {"nodes": _names(machine, choice.nodes)}
    if choice.kind is None:
        return {"processors": choice.count}
    return {"node_type": chr(ord("a") + choice.kind), "node_count": choice.count}


def _reservation(
    machine: sw.Nodes | sw.Torus, number: int, kept: NodeReservation
) -> sw.Reservation:
    owners = {"users": kept.users, "groups": kept.groups, "accounts": kept.accounts}
    given = {name: list(numbers) for name, numbers in (owners | {"qos": kept.qos}).items()}
    return sw.Reservation(
        f"r{number}",
        kept.start,
        kept.duration,
        every=kept.every,
        **_choice(machine, kept),
        **given,  # type: ignore[arg-type]
    )


def _crashes(site: NodeSite) -> sw.Crashes:
    law = site.node_crashes
    if law is None:
        return sw.Crashes(site.crashes, repair=site.repair if site.crashes else 0)
    return sw.Crashes(
        law=law.law,
        mean=law.mean,
        shape=law.shape,
        seed=law.seed,
        repair=law.repair,
        per_node=True,  # type: ignore[arg-type]
    )


def _named(named: NamedNodeLimits) -> sw.NamedLimits:
    plural = {"user": "users", "group": "groups", "account": "accounts", "qos": "qos"}
    owners = {plural[holder]: list(numbers) for holder, numbers in named.owners.items()}
    return sw.NamedLimits(**owners, **_limits(named.limits))


def _limits(limits: NodeLimits) -> dict[str, Any]:
    given: dict[str, Any] = {
        "running": limits.running,
        "processors_in_use": limits.processors_in_use,
        "queued_per_user": limits.queued_per_user,
        "submitted": limits.submitted,
    }
    given |= {f"running_per_{holder}": most for holder, most in limits.running_per.items()}
    given |= {f"processors_per_{holder}": most for holder, most in limits.processors_per.items()}
    given |= {f"submitted_per_{holder}": most for holder, most in limits.submitted_per.items()}
    for (holder, resource), most in limits.amounts.items():
        given.setdefault("total" if holder == "total" else f"per_{holder}", {})[resource] = most
    return given


def _queue(machine: sw.Nodes | sw.Torus, queue: NodeQueue) -> sw.Queue:
    return sw.Queue(
        queue.name,
        queue.processors,
        queue.walltime,
        queue.trace_queues,
        queue.priority,
        starvation=queue.starvation,
        hours=written_hours(queue.hours),
        default_walltime=queue.default_walltime or None,
        nodes=[] if queue.nodes is None else _names(machine, queue.nodes),
        **_limits(queue.limits),
    )


def trace_of(case: NodeCase) -> sw.Trace:
    jobs = case.jobs
    each = {name: [job.each[at] for job in jobs] for at, name in enumerate(case.site.resources)}
    demands = sw.Demands(
        [job.units for job in jobs],
        per_node=[job.per_node for job in jobs],
        nodes=[job.nodes for job in jobs],
        exclusive=[job.exclusive for job in jobs],
        constraint=[job.constraint for job in jobs],
        **each,  # type: ignore[arg-type]
    )
    trace = sw.Trace.from_columns(
        [job.submit for job in jobs],
        [job.run_time for job in jobs],
        demands.processors,
        [job.requested_time if job.has_request else -1 for job in jobs],
        user=[job.user for job in jobs],
        group=[job.group for job in jobs],
        account=[job.account for job in jobs],
        qos=[job.qos for job in jobs],
        queue=[job.trace_queue for job in jobs],
        preceding_job=[-1 if job.preceding < 0 else job.preceding + 1 for job in jobs],
        think_time=[job.think_time for job in jobs],
        **dependency_columns(jobs),
    )
    return trace if case.site.allocation else trace.with_demands(demands)


def core_outcomes(case: NodeCase) -> list[NodeOutcome]:
    result = sw.simulate(trace_of(case), slotwise_site(case.site))
    outcomes = []
    for row in range(len(case.jobs)):
        places = _places(result, row)
        reason = sw.RejectReason(int(result.reject_reason[row])).name.lower()
        start, end = int(result.start[row]), int(result.end[row])
        outcomes.append(NodeOutcome(start, end, int(result.queue[row]), reason, places))
    return outcomes


def _places(result: sw.Result, row: int) -> Places:
    if isinstance(result.site.machine, sw.Torus):
        return {node: 1 for begin, end in result.nodes(row) for node in range(begin, end)}
    node, units = result.places(row)
    return dict(zip(node.tolist(), units.tolist(), strict=True))


def agreed_outcomes(site: NodeSite, *jobs: NodeJob) -> list[tuple[int, Places]]:
    """Check that the core and the oracle agree, and return each job's start and places."""
    case = NodeCase(jobs, site)
    assert not differences(case)
    return [(outcome.start, outcome.places) for outcome in core_outcomes(case)]


def differences(case: NodeCase) -> list[str]:
    """List the differences between the core and the oracle, and the rules that the core breaks."""
    ours = simulate_nodes(case.jobs, case.site)
    if all(outcome.reject_reason in ("too_large", "limit", "maintenance") for outcome in ours):
        return []  # the core refuses such a trace
    core = core_outcomes(case)
    if any(mine.start < 0 <= theirs.start for mine, theirs in zip(ours, core, strict=True)):
        # Without patience, the oracle gives up long before a job that waits for years can start.
        ours = simulate_nodes(case.jobs, case.site, patient=True)
    return broken_rules(case, core) + [
        f"job {job.position}: oracle {mine}, core {theirs}"
        for job, mine, theirs in zip(case.jobs, ours, core, strict=True)
        if mine._replace(queue=0) != theirs._replace(queue=0)
    ]
