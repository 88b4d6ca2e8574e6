"""``slotwise site check`` and ``slotwise site show``."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.cli import screen, tables
from slotwise.cli.commands.site_nodes import print_lacking, print_types
from slotwise.cli.commands.site_preview import calendar_of, notes_of, routes_of
from slotwise.cli.commands.torus_facts import torus_facts
from slotwise.cli.exits import UsageError
from slotwise.cli.site_argument import merged_site, written_settings
from slotwise.cli.trace_argument import open_trace
from slotwise.replay.reject_reason import RejectReason
from slotwise.site.machine import SiteMachine
from slotwise.site.nodes import Nodes
from slotwise.site.parts.times import written_duration
from slotwise.site.queue_checks import pools_of
from slotwise.site.torus import Torus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from slotwise import Site, Trace
    from slotwise.cli.commands.site_preview import Routes


def check_site(
    file: Path, trace_path: Path | None, settings: Iterable[str], *, as_json: bool
) -> None:
    """Read a site file and tell what it says; with a trace, which of its jobs go where.

    Raises
    ------
    SiteError
        With every fault of the file, or where it does not suit the trace.
    """
    site = merged_site(file, written_settings(settings, None))
    nodes = site.machine if isinstance(site.machine, Nodes) else None
    trace = None if trace_path is None else open_trace(trace_path, nodes=nodes)
    routes = None if trace is None else routes_of(site, trace)
    calendar = {} if trace is None else calendar_of(site, trace)
    if as_json:
        data: dict[str, Any] = {"site": site.to_dict()}
        if trace is not None and routes is not None:
            data |= {"queues": routes.queues, "rejected": routes.rejected}
            data |= {"calendar": calendar, "notes": notes_of(site, trace, calendar)}
            if nodes is not None:
                data["lacking"] = [each.to_dict(trace) for each in routes.lacking]
        screen.print_json(data)
        return
    from rich.markup import escape

    console = screen.stdout()
    console.print(f"[bold]{escape(str(file))}[/] is a sound site.\n")
    machine = site.machine_for(trace).count if trace is not None else None
    _print_overview(console, site, machine, calendar)
    if nodes is not None:
        print_types(console, nodes)
    print_pools(console, site, machine)
    print_queues(console, site, routes.queues if routes else None)
    if trace is not None and routes is not None:
        _print_rejected(console, trace, routes)
        for note in notes_of(site, trace, calendar):
            console.print(f"[yellow]Note:[/] {escape(note)}")


def show_site(file: Path | None, settings: Sequence[str], *, defaults: bool) -> None:
    """Print a site as TOML, or every key with its default."""
    if defaults:
        if file is not None or settings:
            raise UsageError("--defaults prints the defaults of all sites; leave the rest out")
        screen.write(
            resources.files("slotwise.site.parts")
            .joinpath("defaults.toml")
            .read_text(encoding="utf-8")
        )
        return
    screen.write(merged_site(file, written_settings(settings, None)).to_toml())


def _print_overview(
    console: Console, site: Site, machine: int | None, times: Mapping[str, int]
) -> None:
    from slotwise.cli.commands.run import describe_policy

    size = site.machine.count if isinstance(site.machine, SiteMachine) else machine
    said = f"{size:,} processors" if size else "as the log's header says"
    described = [("machine", said)]
    if isinstance(site.machine, Torus):
        described = torus_facts(site.machine)
    elif isinstance(site.machine, Nodes):
        nodes = text.plural(site.machine.n_nodes, "node")
        described = [("machine", f"{nodes} of {text.plural(site.machine.count, 'core')} together")]
        described.append(("units go", site.machine.placement))
    rows = [*described, ("policy", describe_policy(site))]
    owned = sum(pool.processors for pool in site.pools)
    if site.pools and size and owned < size:
        rows.append(("in no pool, idle", f"{size - owned:,} processors"))
    rows += _facts(site, times)
    table = _plain_table()
    for name, value in rows:
        table.add_row(name, value)
    console.print(table)


def _facts(site: Site, times: Mapping[str, int]) -> list[tuple[str, str]]:
    """Name what a site has beside pools and queues, one row each; `times` of it lie in a log."""
    rows = []
    if site.limits.to_dict():
        said = (f"{name} {value}" for name, value in site.limits.to_dict().items())
        rows.append(("limits", ", ".join(said).replace("_", " ").replace(" True", "")))
    for what, parts in (
        ("maintenance", site.maintenance),
        ("outage", site.outages),
        ("reservation", site.reservations),
    ):
        for index, part in enumerate(parts):
            rows.append((what, _when(part) + _often(times.get(f"{what}[{index}]"))))
    for what, part in (
        ("crashes", site.crashes), ("interruption", site.interruption), ("clock", site.clock),
        ("placement", site.placement),
    ):  # fmt: skip
        if told := part.to_dict():
            words = ", ".join(f"{name} {_readable(part, name)}" for name in told)
            rows.append((what, words + _often(times.get(what))))
    if site.dependencies:
        rows.append(("dependencies", "jobs wait for their preceding job"))
    return rows


def _readable(part: Any, name: str) -> str:
    """Write the value of a field as a site file has it."""
    value = getattr(part, name)
    if name in part.DURATIONS:
        ends = value if isinstance(value, tuple) else (value,)
        return ", ".join(written_duration(end) for end in ends)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


_IN_COLUMNS = {"name", "processors", "walltime", "trace_queues", "priority", "pools", "spanning"}


def _rules(queue: Any) -> str:
    """Name what else a queue says: its order, limits, starvation and hours."""
    told = [name for name in queue.to_dict() if name not in _IN_COLUMNS]
    return ", ".join(f"{name.replace('_', ' ')} {_readable(queue, name)}" for name in told)


def _often(times: int | None) -> str:
    """Say how often something takes place within a log."""
    if times is None:
        return ""
    return "; in the log " + ("never" if times == 0 else text.plural(times, "time"))


def _when(part: Any) -> str:
    """Say when something of the calendar takes place, and of what size it is."""
    told = f"{part.start} for {written_duration(part.duration)}"
    if part.every is not None:
        told += f", every {written_duration(part.every)}"
    size = getattr(part, "processors", None)
    place = f" of pool {part.pool}" if part.pool is not None else ""
    told += f": {size:,} processors{place}" if size else place and f": all{place}"
    return f"{told} ({part.mode})" if hasattr(part, "mode") else told


def print_pools(console: Console, site: Site, machine: int | None) -> None:
    """Print the pools of a site, and which queues use them."""
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
    """Print the queues of a site; `taken` is how many jobs of a log each of them takes."""
    if not site.queues:
        return
    headings = ["queue", "processors", "walltime", "priority", "pools"]
    table = tables.new_table(*headings, *(["jobs"] if taken is not None else []))
    table.columns[0].no_wrap = True
    table.columns[4].justify, table.columns[4].no_wrap = "left", False
    for queue in site.queues:
        pools = ", ".join(pool.name for pool in pools_of(queue, site.pools)) or "machine"
        row = [
            queue.name, _processors(queue), _walltime(queue), f"{queue.priority:g}",
            pools + (" together" if queue.spanning else ""),
        ]  # fmt: skip
        table.add_row(*row, *([text.count(taken[queue.name])] if taken is not None else []))
    console.print(table)
    alike: dict[str, list[str]] = {}
    for queue in site.queues:
        if said := _rules(queue):
            alike.setdefault(said, []).append(queue.name)
    tables.print_notes(
        console,
        [f"Further rules of {', '.join(names)}: {said}." for said, names in alike.items()],
        style="none",
    )
    if alike:
        console.print()


def _processors(queue: Any) -> str:
    if not queue.has_ranges:
        return f"trace queues {', '.join(map(str, queue.trace_queues))}"
    fewest, most = queue.processors
    return f"{fewest:,} or more" if most is None else f"{fewest:,} to {most:,}"


def _walltime(queue: Any) -> str:
    above, longest = queue.walltime
    if longest is None:
        return f"over {written_duration(above)}" if above else "any"
    upper = f"up to {written_duration(longest)}"
    return f"over {written_duration(above)}, {upper}" if above else upper


def _print_rejected(console: Console, trace: Trace, routes: Routes) -> None:
    if not routes.rejected:
        console.print(f"All {text.plural(len(trace), 'job')} of the log can run.")
        return
    console.print(f"Of {text.plural(len(trace), 'job')} of the log these are rejected:")
    if routes.lacking:
        print_lacking(console, trace, routes.lacking)
        return
    for name, count in routes.rejected.items():
        row = routes.example[name]
        size = text.plural(int(trace.processors[row]), "processor")
        length = written_duration(int(trace.requested_time[row]))
        first = f"the first job {trace.job_id[row]} of {size} for {length}"
        console.print(f"  {count:,}: {RejectReason[name.upper()].words}, {first}")


def _plain_table() -> Any:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    return table
