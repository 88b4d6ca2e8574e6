"""Tables of the pools and queues of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.site.machine.nodes import Nodes
from slotwise.site.parts.times import written_duration
from slotwise.site.policy.backfill_facts import name_of
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


_SAME_NAMES = (
    "Jobs in a queue or partition of the log go to the queue of the same name; others go to the "
    "first queue that accepts them."
)


def _rules(queue: Any, shown: set[str]) -> str:
    """List the settings of a queue that have no column, such as its limits and opening hours."""
    names = [name for name in queue.to_dict() if name not in shown]
    return ", ".join(f"{name.replace('_', ' ')} {readable(queue, name)}" for name in names)


def print_pools(console: Console, site: Site, machine: int | None) -> None:
    """Print the pools of a site and the queues that use them."""
    if not site.pools:
        return
    table = tables.new_table("pool", "processors", "threshold", "used by")
    table.columns[0].no_wrap = True
    table.columns[3].justify, table.columns[3].no_wrap = "left", False
    for pool in site.pools:
        users = [q.name for q in site.queues if pool in pools_of(q, site.pools)] or ["all jobs"]
        threshold = "" if pool.threshold is None else f"{pool.threshold:g}"
        table.add_row(pool.name, f"{pool.processors:,}", threshold, ", ".join(users))
    console.print(table)


def print_queues(console: Console, site: Site, taken: dict[str, int] | None) -> None:
    """Print the queues of a site; `taken` is the number of a log's jobs in each queue."""
    if not site.queues:
        return
    has_types = isinstance(site.machine, Nodes)
    columns = {
        "queue": [queue.name for queue in site.queues],
        "processors": [_processors(queue) for queue in site.queues],
        "walltime": [_walltime(queue) for queue in site.queues],
        "priority": [f"{queue.priority:g}" for queue in site.queues],
    }
    shown = set(_IN_COLUMNS)
    if name_of(getattr(site.policy, "backfill", "")) == "slurm":
        columns["tier"] = [str(queue.tier) for queue in site.queues]
        shown.add("tier")
    same = all(queue.has_ranges and queue.trace_queues == (queue.name,) for queue in site.queues)
    if not same and any(queue.trace_queues for queue in site.queues):
        columns["trace queues"] = [_trace_queues(queue) for queue in site.queues]
    columns["nodes" if has_types else "pools"] = [_where(queue, site) for queue in site.queues]
    if has_types:
        shown.add("nodes")
    if taken is not None:
        columns["jobs"] = [text.count(taken[queue.name]) for queue in site.queues]
    table = tables.new_table(*columns)
    table.columns[0].no_wrap = True
    for place, heading in enumerate(columns):
        if heading in ("trace queues", "nodes", "pools"):
            column = table.columns[place]
            column.justify, column.no_wrap, column.overflow = "left", False, "fold"
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    console.print(table)
    by_rules: dict[str, list[str]] = {}
    for queue in site.queues:
        if said := _rules(queue, shown):
            by_rules.setdefault(said, []).append(queue.name)
    notes = [f"Other settings of {', '.join(names)}: {said}." for said, names in by_rules.items()]
    if same:
        notes.insert(0, _SAME_NAMES)
    tables.print_notes(console, notes, style="none")
    if notes:
        console.print()


def _where(queue: Any, site: Site) -> str:
    """Name the nodes or pools in which the jobs of a queue run."""
    if isinstance(site.machine, Nodes):
        places = ", ".join(queue.nodes) or "all"
    else:
        places = ", ".join(pool.name for pool in pools_of(queue, site.pools)) or "machine"
    return places + (" together" if queue.spanning else "")


def _trace_queues(queue: Any) -> str:
    """Name the log's queues from which a queue takes jobs; add "only" if it takes no other jobs."""
    names = ", ".join(map(str, queue.trace_queues))
    return names if queue.has_ranges or not names else f"{names} only"


def _processors(queue: Any) -> str:
    fewest, most = queue.processors
    if most is None:
        return f"{fewest:,} or more" if fewest > 1 else "any"
    return f"{fewest:,} to {most:,}"


def _walltime(queue: Any) -> str:
    above, longest = queue.walltime
    if longest is None:
        return f"over {written_duration(above)}" if above else "any"
    upper = f"up to {written_duration(longest)}"
    return f"over {written_duration(above)}, {upper}" if above else upper
