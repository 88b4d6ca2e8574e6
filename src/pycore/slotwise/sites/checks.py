"""What a site contradicts itself in, part against part; each part is right by itself."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise.machine import SiteMachine
from slotwise.nodes import Nodes
from slotwise.policy import Policy
from slotwise.policy_checks import READ_BY_SITES, as_written, unknown_name, unread
from slotwise.sites.coverage import hidden_by
from slotwise.sites.crashes import Crashes
from slotwise.sites.faults import Fault, Unsound, all_sound, sound
from slotwise.sites.limits import Limits
from slotwise.sites.torus_checks import torus_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from slotwise.sites.pool import Pool
    from slotwise.sites.queue import Queue

_MOST = 30000
_DEFAULT = Policy()
_NO_LIMITS = Limits()
_NO_CRASHES = Crashes()
_HOLDERS = {"maintenance": "maintenance", "outages": "outage", "reservations": "reservation"}


class Check(NamedTuple):
    """A check, and the fields of a site without which it would find what is not there."""

    needs: frozenset[str]
    find: Callable[[Any], Iterator[Fault]]


def site_faults(site: Any, broken: frozenset[str] = frozenset()) -> Iterator[Fault]:
    """Find what is wrong between the parts of a site.

    Parameters
    ----------
    site : Site, or anything with its fields
        Its lists may hold `Unsound` parts, which are left out as far as they are not known.
    broken : frozenset of str
        Fields with faults of their own, that stand at their defaults here.
    """
    for check in _CHECKS:
        if not check.needs & broken:
            yield from check.find(site)


def size_faults(site: Any, machine: int) -> Iterator[Fault]:
    """Find what is larger than a machine of so many processors."""
    total = sum(pool.processors for _, pool in sound(site.pools))
    if total > machine:
        yield Fault(
            ("pool",),
            f"together they have {total} processors, the machine has {machine}; make pools "
            "smaller, or the machine larger",
        )
    for index, queue in sound(site.queues):
        if queue.processors[0] > machine:
            yield Fault(
                ("queue", index, "processors"),
                f"from {queue.processors[0]} on, the machine has {machine}: no job of it can ever "
                "start; lower it, or leave the queue out",
            )
    for field, table in _HOLDERS.items():
        for index, holder in sound(getattr(site, field)):
            wanted = getattr(holder, "processors", 0)
            if wanted > machine:
                yield Fault(
                    (table, index, "processors"),
                    f"{wanted} are more than the {machine} of the machine; lower it",
                )


def _nodes(site: Any) -> Iterator[Fault]:
    if isinstance(site.machine, Nodes) and not is_plain(site):
        yield Fault(
            ("machine", "nodes"),
            "take no pools, queues, limits, calendar or dependencies; leave those out, or describe "
            "the machine as processors",
        )


def _machine(site: Any) -> Iterator[Fault]:
    if isinstance(site.machine, SiteMachine):
        yield from size_faults(site, site.machine.count)


def _names(site: Any) -> Iterator[Fault]:
    for table, parts in (
        ("pool", site.pools), ("queue", site.queues), ("reservation", site.reservations)
    ):  # fmt: skip
        if len(parts) > _MOST:
            yield Fault((table,), f"{len(parts)} are too many; a site has at most {_MOST}")
        seen: dict[str, int] = {}
        for index, part in enumerate(parts):
            first = seen.setdefault(part.name, index)
            if part.name and first != index:
                yield Fault(
                    (table, index, "name"),
                    f"'{part.name}' is also the name of {table}[{first}]; rename one of them",
                )


def _pool_names(site: Any) -> Iterator[Fault]:
    known = [pool.name for pool in site.pools]
    for index, queue in enumerate(site.queues):
        for name in queue.pools:
            yield from _unknown_pool(("queue", index, "pools"), name, known)
    sizes = {pool.name: pool.processors for _, pool in sound(site.pools)}
    for field, table in _HOLDERS.items():
        for index, holder in enumerate(getattr(site, field)):
            if isinstance(holder, Unsound):
                for name in holder.pools:
                    yield from _unknown_pool((table, index, "pool"), name, known)
                continue
            if holder.pool is not None:
                yield from _unknown_pool((table, index, "pool"), holder.pool, known)
            place = known[0] if table == "reservation" and len(known) == 1 else holder.pool
            wanted = getattr(holder, "processors", 0)
            if wanted > sizes.get(place, wanted):
                yield Fault(
                    (table, index, "processors"),
                    f"{wanted} are more than the {sizes[place]} of pool '{place}'; lower it",
                )
            if table == "reservation" and holder.pool is None and len(known) > 1:
                yield Fault(
                    (table, index, "pool"),
                    f"the site has several pools; name one of: {', '.join(known)}",
                )


def _unknown_pool(key: tuple[str | int, ...], name: str, known: Sequence[str]) -> Iterator[Fault]:
    if name not in known and all(known):
        rule = unknown_name("pool", name, known) if known else (
            f"unknown pool '{name}'; the site has none: describe it as [[pool]]"
        )  # fmt: skip
        yield Fault(key, rule)


def pools_of(queue: Queue, pools: Sequence[Pool]) -> list[Pool]:
    """Give the pools a queue may use, first choice first."""
    by_name = {pool.name: pool for pool in pools}
    return [by_name[name] for name in queue.pools if name in by_name] if queue.pools else [*pools]


def _uses_of_pools(site: Any) -> Iterator[Fault]:
    """Find pools no queue uses, queues no pool can serve, and conditions that are never met."""
    if not site.queues:
        for index, pool in sound(site.pools):
            if pool.threshold is not None:
                yield Fault(
                    ("pool", index, "threshold"),
                    "the site has no queue, so every priority is 0 and no job ever passes; "
                    "describe queues with a priority, or leave it out",
                )
        return
    used = set()
    for index, queue in sound(site.queues):
        mine = pools_of(queue, site.pools)
        used |= {pool.name for pool in mine}
        if all_sound(mine):
            yield from _room_of_queue(index, queue, mine)
        conditional = [pool.name for _, pool in sound(mine) if pool.threshold is not None]
        if conditional and queue.spanning:
            yield Fault(
                ("queue", index, "pools"),
                f"advance reservations take no processors of '{conditional[0]}', which is open "
                "under a condition; name its pools without it",
            )
        elif conditional and queue.priority <= 0:
            yield Fault(
                ("queue", index, "priority"),
                f"{queue.priority:g} never passes the threshold of pool '{conditional[0]}': the "
                "slowdown so far is multiplied by it; give one above 0, or leave the pool out",
            )
    for index, pool in enumerate(site.pools):
        if all_sound(site.queues) and pool.name and pool.name not in used:
            yield Fault(
                ("pool", index),
                f"no queue uses pool '{pool.name}'; name it in the pools of a queue, or leave it "
                "out: its processors stay idle",
            )


def _room_of_queue(index: int, queue: Queue, pools: Sequence[Pool]) -> Iterator[Fault]:
    if not pools:
        return
    key = ("queue", index, "processors")
    sizes = [pool.processors for pool in pools]
    fewest, most = queue.processors
    total = sum(sizes)
    if queue.spanning and most is not None and most > total:
        yield Fault(
            key,
            f"up to {most}, its pools have {total} together; lower it, or give the queue more "
            "pools",
        )
    elif not queue.spanning and queue.has_ranges and fewest > max(sizes):
        yield Fault(
            key,
            f"from {fewest} on, the largest of its pools has {max(sizes)}: no job of it can ever "
            "start; enlarge a pool, or set spanning = true",
        )
    elif queue.spanning and fewest > total:
        yield Fault(key, f"from {fewest} on, its pools have {total} together; lower it")


def _hidden_queues(site: Any) -> Iterator[Fault]:
    queues = sound(site.queues)
    for place, (index, queue) in enumerate(queues):
        if names := hidden_by([other for _, other in queues], place):
            yield Fault(
                ("queue", index),
                f"no job reaches '{queue.name}': {_listed(names)} before it "
                f"{'takes' if len(names) == 1 else 'take'} all that its ranges hold; change the "
                "ranges, or the order of the queues",
            )


def _listed(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _trace_queues(site: Any) -> Iterator[Fault]:
    seen: dict[int, int] = {}
    for index, queue in sound(site.queues):
        for number in queue.trace_queues:
            first = seen.setdefault(number, index)
            if first != index:
                yield Fault(
                    ("queue", index, "trace_queues"),
                    f"{number} already leads to queue '{site.queues[first].name}'; name it once",
                )


_TAKEN = "none, first-fit, easy, relaxed, multiple-queue, depth, replan or conservative"
# What the planner of a site does not read; each with what to choose in its place.
_REFUSED: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("backfill", lambda value: value == "as-logged", _TAKEN),
    ("promises", lambda value: value != "per-pass", "per-pass"),
    ("backfill_order", lambda value: value is not None, "one order, and leave it out"),
    ("event_order", lambda value: value != "completions-first", "completions-first"),
    ("waiting_estimates", lambda value: value is not None, "estimates, and leave it out"),
    ("ending_now", lambda value: value != "busy", "busy"),
    ("spare_processors", lambda value: value is not True, "true"),
    ("strict_end", lambda value: value is not False, "false"),
    ("frozen_reservation", lambda value: value is not False, "false"),
)


def is_plain(site: Any) -> bool:
    """Whether machine and policy say all of a site that decides who starts."""
    return not (
        site.pools or site.queues or site.limits != _NO_LIMITS or site.maintenance or site.outages
        or site.crashes != _NO_CRASHES or site.reservations or site.dependencies
        or site.interruption.checkpoint_every or site.interruption.checkpoint_at
    )  # fmt: skip


def _policy(site: Any) -> Iterator[Fault]:
    if not isinstance(site.policy, Policy) or is_plain(site):
        return
    for field, refused, remedy in _REFUSED:
        value = getattr(site.policy, field)
        if refused(value):
            yield Fault(
                ("policy", field),
                f"{as_written(value)} takes no pools, queues, limits or calendar yet: choose "
                f"{remedy}",
            )


def _estimates(site: Any) -> Iterator[Fault]:
    """Find what is believed of run times where nothing is planned."""
    lists = (site.pools, site.queues, site.maintenance, site.outages, site.reservations)
    if not isinstance(site.policy, Policy) or not all_sound(*lists) or _plans_ahead(site):
        return
    values = {field.name: getattr(site.policy, field.name) for field in fields(Policy)}
    others = "; outages that drain, reservations, thresholds and spanning queues read it under any"
    if site.policy.backfill == "window":  # it takes none of them
        others = ""
    for name, why in unread(values).items():
        if name in READ_BY_SITES and values[name] != getattr(_DEFAULT, name):
            yield Fault(("policy", name), f"{as_written(values[name])}: {why}{others}")


def _plans_ahead(site: Any) -> bool:
    """Tell whether there is a plan whatever the backfill."""
    return bool(
        site.reservations
        or any(outage.mode == "drain" for outage in [*site.maintenance, *site.outages])
        or any(pool.threshold is not None for pool in site.pools)
        or any(queue.spanning for queue in site.queues)
    )


_CHECKS = (
    Check(frozenset(), _names),
    Check(frozenset({"pools"}), _pool_names),
    Check(frozenset({"machine"}), _machine),
    Check(frozenset({"machine"}), _nodes),
    Check(frozenset({"pools", "queues"}), _uses_of_pools),
    Check(frozenset(), _hidden_queues),
    Check(frozenset(), _trace_queues),
    Check(frozenset(), _policy),
    Check(
        frozenset({"policy", "pools", "queues", "maintenance", "outages", "reservations"}),
        _estimates,
    ),
    Check(frozenset({"machine"}), torus_faults),
)
