"""Checks that find site parts unsuited to a torus, and parts that require a torus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Fault, faults_at, sound
from slotwise.site.machine.node_checks import CALENDAR
from slotwise.site.machine.torus import Torus
from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import backfill_facts, name_of
from slotwise.site.policy.policy_checks import as_written

if TYPE_CHECKING:
    from collections.abc import Iterator

# Fields of a site whose parts count processors, each with its table in a site file.
_COUNTING = {
    "pools": "pool",
    "queues": "queue",
    "maintenance": "maintenance",
    "outages": "outage",
    "reservations": "reservation",
}


def torus_faults(site: Any) -> Iterator[Fault]:
    """Find parts that a site with a torus cannot have, and parts that need a torus."""
    if not isinstance(site.policy, Policy):
        return
    if isinstance(site.machine, Torus):
        yield from _on_a_torus(site)
        return
    if site.policy.allocation != "first":
        yield Fault(
            ("policy", "allocation"),
            f"{as_written(site.policy.allocation)} requires nodes with positions; make the machine "
            "a torus, or omit the setting",
        )
    if site.placement.to_dict():
        yield Fault(
            ("placement",),
            "a placement effect requires nodes with positions; make the machine a torus",
        )
    backfill = name_of(site.policy.backfill)
    if backfill_facts()[backfill].places_jobs:
        yield from _counting(site, f"backfill '{backfill}'", "choose another backfill")


def _counting(site: Any, what: str, remedy: str) -> Iterator[Fault]:
    """Find parts that `what`, such as a backfill rule, does not support."""
    found = [table for field, table in _COUNTING.items() if getattr(site, field)]
    found += [table for table in ("limits", "crashes") if getattr(site, table).to_dict()]
    found += ["dependencies"] if site.dependencies else []
    for table in found:
        yield Fault((table,), f"{what} does not support this yet; omit it, or {remedy}")


def _shares(site: Any) -> Iterator[Fault]:
    """Find parts that would divide a torus; all queues share the whole torus."""
    reason = "because queues share the whole torus"
    if site.pools:
        yield Fault(("pool",), f"a torus cannot be divided into pools, {reason}; omit the pools")
    for index, queue in sound(site.queues, "nodes", "nodes_per_job", "spanning", "pools"):
        if queue.nodes:
            yield Fault(
                ("queue", index, "nodes"),
                f"no queue can have its own nodes on a torus, {reason}; omit the queue's nodes",
            )
        if tuple(queue.nodes_per_job) != (1, None):
            yield Fault(
                ("queue", index, "nodes_per_job"),
                "a torus does not support nodes_per_job; set processors instead, as multiples of "
                "processors_per_node",
            )
        if queue.spanning:
            yield Fault(
                ("queue", index, "spanning"),
                f"a torus has no pools to span, {reason}; omit spanning",
            )
        if queue.pools and not site.pools:
            yield Fault(
                ("queue", index, "pools"), f"a torus has no pools, {reason}; omit the queue's pools"
            )


def _named_nodes(site: Any) -> Iterator[Fault]:
    """Find node types, wrong positions, and nodes named although the allocation uses any nodes."""
    allocation = site.policy.allocation
    reason = f"under allocation {as_written(allocation)}, which uses any free nodes"
    remedy = "or choose allocation 'contiguous', 'contiguous-best' or 'contiguous-worst'"
    counts = not str(allocation).startswith("contiguous")
    for field, table in CALENDAR.items():
        for index, part in sound(getattr(site, field), "nodes", "node_type"):
            if part.node_type is not None:
                yield Fault(
                    (table, index, "node_type"),
                    "a torus has no node types; set processors, or nodes by position, such "
                    'as nodes = ["[0-31]"]',
                )
            if part.nodes and counts:
                yield Fault(
                    (table, index, "nodes"),
                    f"a set of nodes cannot be chosen {reason}; set a number of processors, "
                    f"{remedy}",
                )
            elif part.nodes:
                try:
                    site.machine.select(part.nodes)
                except ValueError as fault:
                    yield from faults_at((table, index, "nodes"), fault)
    if site.crashes.per_node is True and counts:
        yield Fault(
            ("crashes", "per_node"),
            f"crashes of individual nodes cannot be generated {reason}; omit per_node, {remedy}",
        )


def _on_a_torus(site: Any) -> Iterator[Fault]:
    yield from _shares(site)
    yield from _named_nodes(site)
    policy = site.policy
    backfill = name_of(policy.backfill)
    if backfill_facts()[backfill].places_jobs:
        yield from _counting(site, f"backfill '{backfill}'", "choose another backfill")
    works_on = backfill_facts()[backfill].works_on
    if "torus" not in works_on and "nodes" in works_on:
        yield Fault(
            ("policy", "backfill"),
            f"'{backfill}' chooses nodes itself, without regard to their position on a torus; "
            "choose another backfill, or a machine with node types",
        )
    elif "torus" not in works_on:
        yield Fault(
            ("policy", "backfill"),
            f"'{backfill}' may start more jobs than fit on the machine, and not all of them "
            "would get nodes; choose another backfill, or a machine defined only by a "
            "processor count",
        )
    if policy.ending_now == "free":
        yield Fault(
            ("policy", "ending_now"),
            "'free' starts jobs on nodes whose job has not ended yet; choose 'busy', or a "
            "machine defined only by a processor count",
        )
    if site.placement.is_none:
        return
    for name in ("estimates", "waiting_estimates"):
        if getattr(policy, name) == "exact":
            yield Fault(
                ("policy", name),
                "'exact' run times are not known before a job has its nodes, because the placement "
                "effect changes them; choose 'requested' or 'user-history'",
            )
