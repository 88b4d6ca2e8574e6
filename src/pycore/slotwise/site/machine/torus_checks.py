"""Parts that do not go with a torus, or only with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Fault
from slotwise.site.machine.torus import Torus
from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import backfill_facts, name_of
from slotwise.site.policy.policy_checks import as_written

if TYPE_CHECKING:
    from collections.abc import Iterator

# Parts of a site that count processors, wherever they are; each with its table.
_COUNTING = {
    "pools": "pool",
    "queues": "queue",
    "maintenance": "maintenance",
    "outages": "outage",
    "reservations": "reservation",
}


def torus_faults(site: Any) -> Iterator[Fault]:
    """Find what a site with a torus cannot have, and what one without cannot."""
    if not isinstance(site.policy, Policy):
        return
    if isinstance(site.machine, Torus):
        yield from _on_a_torus(site)
        return
    if site.policy.allocation != "first":
        yield Fault(
            ("policy", "allocation"),
            f"{as_written(site.policy.allocation)} is for nodes that have places; give a torus as "
            "machine, or leave it out",
        )
    if site.placement.to_dict():
        yield Fault(("placement",), "is for nodes that have places; give a torus as machine")
    backfill = name_of(site.policy.backfill)
    if backfill_facts()[backfill].places_jobs:
        yield from _counting(site, f"backfill '{backfill}'", "choose another backfill")


def _counting(site: Any, what: str, remedy: str) -> Iterator[Fault]:
    """Find the parts of a site that count processors, which `what` does not take."""
    found = [table for field, table in _COUNTING.items() if getattr(site, field)]
    found += [table for table in ("limits", "crashes") if getattr(site, table).to_dict()]
    found += ["dependencies"] if site.dependencies else []
    for table in found:
        yield Fault((table,), f"{what} takes none yet; leave it out, or {remedy}")


def _on_a_torus(site: Any) -> Iterator[Fault]:
    yield from _counting(site, "a torus", "give a machine of processors")
    policy = site.policy
    backfill = name_of(policy.backfill)
    if "torus" not in backfill_facts()[backfill].works_on:
        yield Fault(
            ("policy", "backfill"),
            f"'{backfill}' may start more than the machine holds, and its jobs cannot all have "
            "nodes; choose another, or give a machine of processors",
        )
    if policy.ending_now == "free":
        yield Fault(
            ("policy", "ending_now"),
            "'free' starts jobs on nodes whose job has not ended yet; choose 'busy', or give a "
            "machine of processors",
        )
    if site.placement.is_none:
        return
    for name in ("estimates", "waiting_estimates"):
        if getattr(policy, name) == "exact":
            yield Fault(
                ("policy", name),
                "'exact' is not known before a job has its nodes, as the placement effect changes "
                "run times; choose 'requested' or 'user-history'",
            )
