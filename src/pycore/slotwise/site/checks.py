"""Finds contradictions between parts of a site that are each valid on their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Check, Fault, all_sound, sound
from slotwise.site.machine import SiteMachine
from slotwise.site.machine.node_checks import CALENDAR, node_faults, node_name_faults
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.site.machine.torus_checks import torus_faults
from slotwise.site.names import unknown_name
from slotwise.site.order_checks import order_faults
from slotwise.site.parts.crashes import Crashes
from slotwise.site.parts.limits import Limits
from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import backfill_facts, name_of, names_that_work_on
from slotwise.site.policy.policy_checks import READ_BY_SITES, as_written, unread
from slotwise.site.queue_checks import QUEUE_CHECKS
from slotwise.site.slurm_checks import slurm_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slotwise.site.faults import Key


_MOST = 30000
_DEFAULT = Policy()
_NO_LIMITS = Limits()
_NO_CRASHES = Crashes()


def site_faults(site: Any, broken: frozenset[str] = frozenset()) -> Iterator[Fault]:
    """Find contradictions between the parts of a site.

    Parameters
    ----------
    site : Site, or anything with its fields
        Its lists may contain `Unsound` parts, whose unknown fields are not checked.
    broken : frozenset of str
        Single-valued fields that are faulty, and list fields whose value is not a list.
    """
    for check in _CHECKS:
        if not check.needs & broken:
            yield from check.find(site)


def size_faults(site: Any, machine: int) -> Iterator[Fault]:
    """Find parts that are larger than a machine with this number of processors."""
    total = sum(pool.processors for _, pool in sound(site.pools, "processors"))
    if total > machine:
        yield Fault(
            ("pool",),
            f"the pools together have {total} processors, but the machine has {machine}; make "
            "pools smaller, or the machine larger",
        )
    for index, queue in sound(site.queues, "processors"):
        if queue.processors[0] > machine:
            yield Fault(
                ("queue", index, "processors"),
                f"{queue.processors[0]} is more than the {machine} processors of the machine, so "
                "no job in the queue can ever start; use a smaller number, or leave the queue out",
            )
    for field, table in CALENDAR.items():
        for index, holder in sound(getattr(site, field), "processors"):
            wanted = getattr(holder, "processors", None) or 0
            if wanted > machine:
                yield Fault(
                    (table, index, "processors"),
                    f"{wanted} is more than the {machine} processors of the machine; use a smaller "
                    "number",
                )


def _machine(site: Any) -> Iterator[Fault]:
    if isinstance(site.machine, SiteMachine):
        yield from size_faults(site, site.machine.count)


def _names(site: Any) -> Iterator[Fault]:
    for table, parts in (
        ("pool", site.pools), ("queue", site.queues), ("reservation", site.reservations)
    ):  # fmt: skip
        if len(parts) > _MOST:
            yield Fault((table,), f"{len(parts)} are too many; a site may have at most {_MOST}")
        seen: dict[str, int] = {}
        for index, part in sound(parts, "name"):
            first = seen.setdefault(part.name, index)
            if first != index:
                yield Fault(
                    (table, index, "name"),
                    f"'{part.name}' is also the name of {table}[{first}]; rename one of them",
                )


def _pool_names(site: Any) -> Iterator[Fault]:
    """Find unknown pool names, unless all of them may be names of pools whose name is faulty."""
    known = [pool.name for _, pool in sound(site.pools, "name")]
    used: list[tuple[Key, str]] = []
    for index, queue in sound(site.queues, "pools"):
        for place, name in enumerate(queue.pools):
            several = (place,) if len(queue.pools) > 1 else ()
            used.append((("queue", index, "pools", *several), name))
    for field, table in CALENDAR.items():
        for index, holder in sound(getattr(site, field), "pool"):
            if holder.pool is not None:
                used.append(((table, index, "pool"), holder.pool))
    unknown = [(key, name) for key, name in used if name not in known]
    nameless = len(site.pools) - len(known)
    if len({name for _, name in unknown}) <= nameless:
        return
    for key, name in unknown:
        text = unknown_name("pool", name, known) if known else f"unknown pool '{name}'"
        if not site.pools:
            text += "; the site has no pools: describe this one in a [[pool]] table"
        elif nameless:
            text += f"; {nameless} of the pools {'has' if nameless == 1 else 'have'} no name"
        yield Fault(key, text)


def _room_in_pools(site: Any) -> Iterator[Fault]:
    """Find parts larger than their pool, and reservations that do not choose one of several."""
    pools = [pool for _, pool in sound(site.pools, "name", "processors")]
    sizes = {pool.name: pool.processors for pool in pools}
    for field, table in CALENDAR.items():
        for index, holder in sound(getattr(site, field), "pool", "processors"):
            place = holder.pool
            if table == "reservation" and place is None and len(pools) == len(site.pools) == 1:
                place = pools[0].name
            wanted = getattr(holder, "processors", None) or 0
            if wanted > sizes.get(place, wanted):
                yield Fault(
                    (table, index, "processors"),
                    f"{wanted} is more than the {sizes[place]} processors of pool '{place}'; "
                    "use a smaller number",
                )
    for index, reservation in sound(site.reservations, "pool"):
        if reservation.pool is None and len(site.pools) > 1:
            names = ", ".join(pool.name for _, pool in sound(site.pools, "name"))
            yield Fault(
                ("reservation", index, "pool"),
                f"the site has several pools; choose one of: {names}",
            )


def _takes_no_site(backfill: object) -> bool:
    facts = backfill_facts()[name_of(backfill)]
    # torus_faults() reports the rules that choose nodes themselves.
    return "pools" not in facts.works_on and not facts.places_jobs


# Policy fields that the planner for pools, queues, limits and a calendar may not support: name,
# test for refused values, remedy.
_REFUSED: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("backfill", _takes_no_site, names_that_work_on("pools")),
    ("promises", lambda value: value != "per-pass", "per-pass"),
    ("backfill_order", lambda value: value is not None, "one order, and leave backfill_order out"),
    ("event_order", lambda value: value != "completions-first", "completions-first"),
    (
        "waiting_estimates",
        lambda value: value is not None,
        "estimates, and leave waiting_estimates out",
    ),
    ("ending_now", lambda value: value != "busy", "busy"),
    ("spare_processors", lambda value: value is not True, "true"),
    ("strict_end", lambda value: value is not False, "false"),
    ("frozen_reservation", lambda value: value is not False, "false"),
)


def is_plain(site: Any) -> bool:
    """Return whether the machine and the policy alone decide which jobs start."""
    return not (
        site.pools or site.queues or site.limits != _NO_LIMITS or site.named_limits
        or site.maintenance or site.outages or site.crashes != _NO_CRASHES or site.reservations
        or site.dependencies or site.interruption.checkpoint_every
        or site.interruption.checkpoint_at
    )  # fmt: skip


def _plans_intervals(site: Any) -> bool:
    """Return whether jobs need consecutive nodes, and only the planner for queues supports them."""
    works_on = backfill_facts()[name_of(site.policy.backfill)].works_on
    return (
        isinstance(site.machine, Torus)
        and str(site.policy.allocation).startswith("contiguous")
        and "intervals" in works_on
        and "intervals_alone" not in works_on
    )


def _plans_nodes(site: Any) -> bool:
    works_on = backfill_facts()[name_of(site.policy.backfill)].works_on
    return isinstance(site.machine, Nodes) and "nodes" in works_on


def _policy(site: Any) -> Iterator[Fault]:
    if not isinstance(site.policy, Policy):
        return
    takes = "does not support pools, queues, limits, a calendar, checkpoints or dependencies yet"
    if is_plain(site):
        if not _plans_intervals(site):
            return
        takes = (
            f"is not used by backfill '{name_of(site.policy.backfill)}' if jobs take consecutive "
            "nodes"
        )
    for field, refused, remedy in _REFUSED:
        value = getattr(site.policy, field)
        if field == "backfill" and _plans_nodes(site):
            continue
        if refused(value):
            written = as_written(name_of(value) if field == "backfill" else value)
            yield Fault(("policy", field), f"{written} {takes}: choose {remedy}")


def _estimates(site: Any) -> Iterator[Fault]:
    """Find estimates of run times that are set although no plan uses them."""
    known = (
        all_sound(site.maintenance, "mode")
        and all_sound(site.outages, "mode")
        and all_sound(site.pools, "threshold")
        and all_sound(site.queues, "spanning")
    )
    if not isinstance(site.policy, Policy) or not known or _plans_ahead(site):
        return
    values = site.policy._values()
    others = "; draining outages, reservations, thresholds and spanning queues always use it"
    # A backfill rule that chooses nodes itself does not support outages or reservations.
    if backfill_facts()[values["backfill"]].places_jobs:
        others = ""
    for name, why in unread(values).items():
        if name in READ_BY_SITES and values[name] != getattr(_DEFAULT, name):
            yield Fault(("policy", name), f"{as_written(values[name])}: {why}{others}")


def _plans_ahead(site: Any) -> bool:
    """Return whether the site plans ahead regardless of its backfill."""
    return bool(
        site.reservations
        or any(o.mode == "drain" for _, o in sound([*site.maintenance, *site.outages], "mode"))
        or any(pool.threshold is not None for _, pool in sound(site.pools, "threshold"))
        or any(queue.spanning for _, queue in sound(site.queues, "spanning"))
    )


_CHECKS = (
    Check(frozenset(), _names),
    Check(frozenset({"pools"}), _pool_names),
    Check(frozenset({"pools"}), _room_in_pools),
    Check(frozenset({"machine"}), _machine),
    Check(frozenset({"machine"}), node_name_faults),
    Check(frozenset({"machine", "policy", "limits", "crashes"}), node_faults),
    *QUEUE_CHECKS,
    Check(frozenset({"machine"}), _policy),
    Check(frozenset({"policy", "limits", "crashes", "interruption"}), slurm_faults),
    Check(
        frozenset({"policy", "pools", "queues", "maintenance", "outages", "reservations"}),
        _estimates,
    ),
    Check(frozenset({"machine", "policy"}), order_faults),
    Check(frozenset({"machine"}), torus_faults),
)
