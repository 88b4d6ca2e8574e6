"""``slotwise site check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.cli.commands.site_nodes import print_lacking, print_types
from slotwise.cli.commands.site_preview import (
    calendar_of,
    notes_of,
    notes_of_site,
    routes_of,
)
from slotwise.cli.commands.torus_facts import torus_facts
from slotwise.cli.site_argument import merged_site, written_settings
from slotwise.replay.part_limits import REASONS, limit_in_words
from slotwise.replay.reject_reason import RejectReason
from slotwise.replay.rejections import rejection_of
from slotwise.site.machine import SiteMachine
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.site.parts.times import written_duration
from slotwise.site.summary import describe_policy
from slotwise.terminal import screen
from slotwise.terminal.site_tables import print_pools, print_queues, readable
from slotwise.terminal.tables import new_table_of_words
from slotwise.terminal.trace_argument import open_trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from rich.console import Console

    from slotwise.cli.commands.site_preview import Routes
    from slotwise.site import Site
    from slotwise.trace import Trace


def check_site(
    file: Path, trace_path: Path | None, settings: Iterable[str], *, as_json: bool
) -> None:
    """Check and summarise a site file; with a trace, also show which queues take its jobs.

    Raises
    ------
    SiteError
        If the file has faults (the error lists all of them) or does not suit the trace.
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
            data |= {"never_start": {name: len(rows) for name, rows in routes.pending.items()}}
            data |= {"calendar": calendar, "notes": notes_of(site, trace, calendar)}
            if nodes is not None:
                data["lacking"] = [each.to_dict(trace) for each in routes.lacking]
        elif notes := notes_of_site(site):
            data["notes"] = notes
        screen.print_json(data)
        return
    from rich.markup import escape

    console = screen.stdout()
    console.print(f"[bold]{escape(str(file))}[/] is a valid site.\n")
    machine = site.machine_for(trace).count if trace is not None else None
    _print_overview(console, site, machine, calendar)
    if nodes is not None:
        print_types(console, nodes)
    print_pools(console, site, machine)
    print_queues(console, site, routes.queues if routes else None)
    if trace is not None and routes is not None:
        _print_rejected(console, site, trace, routes)
    notes = notes_of_site(site) if trace is None else notes_of(site, trace, calendar)
    for note in notes:
        console.print(f"[yellow]Note:[/] {escape(note)}")


def _print_overview(
    console: Console, site: Site, machine: int | None, times: Mapping[str, int]
) -> None:
    size = site.machine.count if isinstance(site.machine, SiteMachine) else machine
    said = f"{size:,} processors" if size else "as in the log's header"
    described = [("machine", said)]
    if isinstance(site.machine, Torus):
        described = torus_facts(site.machine)
    elif isinstance(site.machine, Nodes):
        nodes = text.plural(site.machine.n_nodes, "node")
        described = [
            ("machine", f"{nodes} with {text.plural(site.machine.count, 'core')} in total")
        ]
        described.append(("placement of units", site.machine.placement))
    rows = [*described, ("policy", describe_policy(site))]
    owned = sum(pool.processors for pool in site.pools)
    if site.pools and size and owned < size:
        rows.append(("idle (in no pool)", f"{size - owned:,} processors"))
    rows += _facts(site, times)
    table = new_table_of_words()
    for name, value in rows:
        table.add_row(name, value)
    console.print(table)


def _facts(site: Site, times: Mapping[str, int]) -> list[tuple[str, str]]:
    """Summarise a site except for its pools and queues.

    `times` has the number of occurrences of each calendar entry.
    """
    rows = []
    if site.limits.to_dict():
        said = (f"{name} {_written(value)}" for name, value in site.limits.to_dict().items())
        rows.append(("limits", ", ".join(said).replace("_", " ").replace(" True", "")))
    for what, parts in (
        ("maintenance", site.maintenance),
        ("outage", site.outages),
        ("reservation", site.reservations),
    ):
        for index, each in enumerate(parts):
            rows.append((what, _when(each) + _often(times.get(f"{what}[{index}]"))))
    for what, part in (
        ("crashes", site.crashes), ("interruption", site.interruption), ("clock", site.clock),
        ("placement", site.placement),
    ):  # fmt: skip
        if fields := part.to_dict():
            words = ", ".join(f"{name} {readable(part, name)}" for name in fields)
            rows.append((what, words + _often(times.get(what))))
    if site.dependencies:
        rows.append(("dependencies", "jobs wait for the jobs on which they depend"))
    return rows


def _written(limit: Any) -> str:
    """Format a limit: a number, or amounts by resource."""
    if not isinstance(limit, dict):
        return str(limit)
    return " and ".join(f"{amount} {name}" for name, amount in limit.items())


def _often(times: int | None) -> str:
    """Describe how often a calendar entry occurs within a log."""
    if times is None:
        return ""
    return "; in the log: " + ("never" if times == 0 else text.plural(times, "time"))


def _when(part: Any) -> str:
    """Describe the time and size of a calendar entry."""
    said = f"{part.start} for {written_duration(part.duration)}"
    if part.every is not None:
        said += f", every {written_duration(part.every)}"
    size = getattr(part, "processors", None)
    place = f" of pool {part.pool}" if part.pool is not None else ""
    said += f": {size:,} processors{place}" if size else place and f": all{place}"
    if part.nodes:
        said += f": nodes {', '.join(part.nodes)}"
    elif part.node_type is not None:
        said += f": {text.plural(part.node_count, 'node')} of type {part.node_type}"
    return f"{said} ({part.mode})" if hasattr(part, "mode") else said


def _print_rejected(console: Console, site: Site, trace: Trace, routes: Routes) -> None:
    for name, rows in routes.pending.items():
        row, jobs = int(rows[0]), text.plural(len(trace), "job")
        limit = REASONS.index(name)
        why = limit_in_words(trace, site, row, limit, int(routes.queue_of[row]))
        console.print(
            f"Partition limits keep {len(rows):,} of the log's {jobs} pending forever, because "
            f"enforce_part_limits is no; the first is job {trace.job_id[row]}: {why}.",
            markup=False, soft_wrap=True,
        )  # fmt: skip
    if not routes.rejected:
        never = sum(map(len, routes.pending.values()))
        which = "The other" if never else "All"
        if never < len(trace):
            console.print(f"{which} {text.plural(len(trace) - never, 'job')} in the log can run.")
        return
    console.print(f"Rejected jobs (of {len(trace):,} in the log):")
    print_lacking(console, trace, routes.lacking)
    for name, (count, row, queue) in routes.others.items():
        reason = RejectReason[name.upper()]
        size = text.plural(int(trace.processors[row]), "processor")
        length = written_duration(int(trace.requested_time[row]))
        first = f"the first is job {trace.job_id[row]}, which requests {size} for {length}"
        if reason == RejectReason.LIMIT or isinstance(site.machine, Nodes):
            first += f": {rejection_of(trace, site, row, reason, queue)}"
        console.print(f"  {count:,}: {reason.words}; {first}", markup=False, soft_wrap=True)
