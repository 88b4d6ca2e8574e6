"""Contradictions between queues and pools: pools unused or too small, queues never reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Check, Fault, all_sound, sound
from slotwise.site.machine import SiteMachine
from slotwise.site.queue_coverage import RANGES, hidden_queues

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slotwise.site.parts.pool import Pool
    from slotwise.site.parts.queue import Queue

_MOST_NAMED = 10
"""Largest number of queues that a message lists."""


def pools_of(queue: Queue, pools: Sequence[Pool]) -> list[Pool]:
    """Return the pools that a queue may use, in order of preference."""
    by_name = {pool.name: pool for pool in pools}
    return [by_name[name] for name in queue.pools if name in by_name] if queue.pools else [*pools]


def _thresholds_without_queues(site: Any) -> Iterator[Fault]:
    if site.queues:
        return
    for index, pool in sound(site.pools, "threshold"):
        if pool.threshold is not None:
            yield Fault(
                ("pool", index, "threshold"),
                "the site has no queue, so every priority is 0 and no job ever passes the "
                "threshold; describe queues with a priority, or leave the threshold out",
            )


def _unused_pools(site: Any) -> Iterator[Fault]:
    if not site.queues or not all_sound(site.queues, "pools"):
        return
    queues = [queue for _, queue in sound(site.queues)]
    used = {name for queue in queues for name in queue.pools}
    if not all(queue.pools for queue in queues):
        return
    for index, pool in sound(site.pools, "name"):
        if pool.name not in used:
            yield Fault(
                ("pool", index),
                f"no queue uses pool '{pool.name}', so its processors stay idle; add the pool to "
                "a queue, or leave the pool out",
            )


def _conditions(site: Any) -> Iterator[Fault]:
    """Find queues that cannot use a pool with a threshold, or whose jobs never exceed it."""
    pools = [pool for _, pool in sound(site.pools, "name", "threshold")]
    for index, queue in sound(site.queues, "pools", "spanning", "priority"):
        conditional = [p.name for p in pools_of(queue, pools) if p.threshold is not None]
        if conditional and queue.spanning:
            yield Fault(
                ("queue", index, "pools"),
                f"a queue with spanning = true cannot use pool '{conditional[0]}', which has a "
                "threshold; remove the pool from the queue",
            )
        elif conditional and queue.priority <= 0:
            yield Fault(
                ("queue", index, "priority"),
                f"with priority {queue.priority:g}, slowdown factors are never above 0, so no job "
                f"passes the threshold of pool '{conditional[0]}'; set a priority above 0, or "
                "leave the pool out",
            )


def _rooms(site: Any) -> Iterator[Fault]:
    """Find queues with pools too small for their smallest job or, if spanning, for the largest."""
    for index, queue in sound(site.queues, "pools", "spanning", *RANGES):
        sizes = _sizes_of_pools(queue, site.pools)
        if not sizes:
            continue
        key = ("queue", index, "processors")
        fewest, most = queue.processors
        total = sum(sizes)
        if queue.spanning and most is not None and most > total:
            yield Fault(
                key,
                f"{most} is more than the {total} processors of all its pools together; use a "
                "smaller number, or add pools to the queue",
            )
        elif not queue.spanning and queue.has_ranges and fewest > max(sizes):
            yield Fault(
                key,
                f"{fewest} is more than the {max(sizes)} processors of its largest pool, so no "
                "job in the queue can ever start; enlarge a pool, or set spanning = true",
            )
        elif queue.spanning and fewest > total:
            yield Fault(
                key,
                f"{fewest} is more than the {total} processors of its pools together; use a "
                "smaller number",
            )


def _sizes_of_pools(queue: Queue, pools: Sequence[Any]) -> list[int]:
    """Return the sizes of the pools that a queue may use, or an empty list if any is unknown."""
    if not all_sound(pools, "name") or (not queue.pools and not all_sound(pools, "processors")):
        return []
    mine = {pool.name for pool in pools_of(queue, [pool for _, pool in sound(pools)])}
    sizes = [pool.processors for _, pool in sound(pools, "processors") if pool.name in mine]
    return sizes if len(sizes) == len(mine) else []


def _hidden_queues(site: Any) -> Iterator[Fault]:
    machine = site.machine.count if isinstance(site.machine, SiteMachine) else None
    yield from hidden_queue_faults(site, machine)


def hidden_queue_faults(site: Any, machine: int | None) -> Iterator[Fault]:
    """Find queues that no job can reach; `machine` is the machine's size, or None if unknown."""
    queues = sound(site.queues, *RANGES)
    most = []
    for index, queue in queues:
        known = all_sound([site.queues[index]], "pools", "spanning")
        sizes = _sizes_of_pools(queue, site.pools) if known else []
        most.append((sum(sizes) if queue.spanning else max(sizes)) if sizes else machine)
    for place, hiding in hidden_queues([queue for _, queue in queues], most).items():
        index, queue = queues[place]
        names = [_called(site, queues[each][0]) for each in hiding[:_MOST_NAMED]]
        if len(hiding) > _MOST_NAMED:
            names.append(f"{len(hiding) - _MOST_NAMED} more")
        yield Fault(("queue", index), _hidden(queue, names, most[place]))


def _hidden(queue: Queue, by: Sequence[str], most: int | None) -> str:
    wide = queue.processors[1]
    ranges, who = "", "no job"
    if most is not None and (wide is None or wide > most):
        ranges, who = f", up to the {most} processors its jobs can have", "no job that can start"
    name = f"'{queue.name}'" if isinstance(queue.name, str) else "it"
    take = "comes before it, accepts" if len(by) == 1 else "come before it, accept"
    return (
        f"{who} reaches {name}: {_listed(by)}, which {take} all jobs within its "
        f"ranges{ranges}; change the ranges, or the order of the queues"
    )


def _called(site: Any, index: int) -> str:
    named = sound([site.queues[index]], "name")
    return f"'{named[0][1].name}'" if named else f"queue[{index}]"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _trace_queues(site: Any) -> Iterator[Fault]:
    seen: dict[int, int] = {}
    for index, queue in sound(site.queues, "trace_queues"):
        for place, number in enumerate(queue.trace_queues):
            first = seen.setdefault(number, index)
            if first != index:
                several = (place,) if len(queue.trace_queues) > 1 else ()
                yield Fault(
                    ("queue", index, "trace_queues", *several),
                    f"{number} is already listed in queue {_called(site, first)}; list it in "
                    "one queue only",
                )


QUEUE_CHECKS = (
    Check(frozenset({"queues"}), _thresholds_without_queues),
    Check(frozenset({"pools"}), _rooms),
    Check(frozenset({"pools"}), _conditions),
    Check(frozenset({"pools", "queues"}), _unused_pools),
    Check(frozenset({"pools"}), _hidden_queues),
    Check(frozenset(), _trace_queues),
)
