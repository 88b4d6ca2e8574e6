"""Tables of the pools and queues of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.site.machine.nodes import Nodes
from slotwise.site.parts.times import written_duration
from slotwise.site.queue_checks import pools_of
from slotwise.terminal import tables

if TYPE_CHECKING:
    from rich.console import Console

    from slotwise.site import Site


def readable(part: Any, name: str) -> str:
    """Return the value of a field, written as in a site file."""
    value = getattr(part, name)
    if name in part.DURATIONS:
        ends = value if isinstance(value, tuple) else (value,)
        return ", ".join(written_duration(end) for end in ends)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


_IN_COLUMNS = {"name", "processors", "walltime", "trace_queues", "priority", "pools", "spanning"}


def _rules(queue: Any) -> str:
    """List the other settings of a queue: order, limits, starvation and hours."""
    names = [name for name in queue.to_dict() if name not in _IN_COLUMNS]
    return ", ".join(f"{name.replace('_', ' ')} {readable(queue, name)}" for name in names)


def print_pools(console: Console, site: Site, machine: int | None) -> None:
    """Print the pools of a site and the queues that use them."""
    if not site.pools:
        return
    table = tables.new_table("pool", "processors", "threshold", "queues, first choice first")
    table.columns[0].no_wrap = True
    table.columns[3].justify, table.columns[3].no_wrap = "left", False
    for pool in site.pools:
        users = [q.name for q in site.queues if pool in pools_of(q, site.pools)] or ["all jobs"]
        threshold = "" if pool.threshold is None else f"{pool.threshold:g}"
        table.add_row(pool.name, f"{pool.processors:,}", threshold, ", ".join(users))
    console.print(table)


def print_queues(console: Console, site: Site, taken: dict[str, int] | None) -> None:
    """Print the queues of a site; `taken` counts the jobs of a log per queue."""
    if not site.queues:
        return
    has_types = isinstance(site.machine, Nodes)
    where = "nodes" if has_types else "pools"
    headings = ["queue", "processors", "walltime", "priority", where]
    table = tables.new_table(*headings, *(["jobs"] if taken is not None else []))
    table.columns[0].no_wrap = True
    table.columns[4].justify, table.columns[4].no_wrap = "left", False
    for queue in site.queues:
        pools = ", ".join(pool.name for pool in pools_of(queue, site.pools)) or "machine"
        if has_types:
            pools = ", ".join(queue.nodes) or "all"
        row = [
            queue.name, _processors(queue), _walltime(queue), f"{queue.priority:g}",
            pools + (" together" if queue.spanning else ""),
        ]  # fmt: skip
        table.add_row(*row, *([text.count(taken[queue.name])] if taken is not None else []))
    console.print(table)
    by_rules: dict[str, list[str]] = {}
    for queue in site.queues:
        if said := _rules(queue):
            by_rules.setdefault(said, []).append(queue.name)
    tables.print_notes(
        console,
        [f"Other settings of {', '.join(names)}: {said}." for said, names in by_rules.items()],
        style="none",
    )
    if by_rules:
        console.print()


def _processors(queue: Any) -> str:
    mapped = f"trace queues {', '.join(map(str, queue.trace_queues))}"
    if not queue.has_ranges:
        return mapped
    fewest, most = queue.processors
    range_of = f"{fewest:,} or more" if most is None else f"{fewest:,} to {most:,}"
    return f"{range_of}, or {mapped}" if queue.trace_queues else range_of


def _walltime(queue: Any) -> str:
    above, longest = queue.walltime
    if longest is None:
        return f"over {written_duration(above)}" if above else "any"
    upper = f"up to {written_duration(longest)}"
    return f"over {written_duration(above)}, {upper}" if above else upper
