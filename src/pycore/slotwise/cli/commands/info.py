"""``slotwise info``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.site.dates import dates_of, written_period
from slotwise.terminal import screen, tables
from slotwise.terminal.trace_argument import nodes_of, open_trace
from slotwise.trace.facts import class_shares, estimate_facts, facts_of

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from slotwise.trace import Trace

_HEADER_KEYS = (
    "Computer",
    "Installation",
    "Acknowledge",
    "Conversion",
    "Version",
    "TimeZoneString",
)


def show_trace(path: Path, *, strict: bool, as_json: bool, nodes: Path | None = None) -> None:
    """Print the contents of a trace."""
    trace = open_trace(path, strict=strict, nodes=nodes_of(nodes, path))
    facts = facts_of(trace)
    if as_json:
        screen.print_json(
            {
                "source": trace.source,
                "header": trace.header,
                "content_hash": trace.content_hash,
                **facts,
                "estimates": estimate_facts(trace),
                "classes": class_shares(trace),
                "report": trace.report.to_dict(),
            }
        )
        return
    from rich.markup import escape

    console = screen.stdout()
    console.print(f"[bold]{escape(path.name)}[/]")
    _print_overview(console, trace, facts)
    _print_distributions(console, facts)
    _print_classes(console, trace)
    _print_estimates(console, trace)
    tables.print_faults(console, trace)


def _print_overview(console: Console, trace: Trace, facts: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for key in _HEADER_KEYS:
        if key in trace.header:
            table.add_row(key, trace.header[key].replace("\n", "; "))
    table.add_row("jobs", text.count(facts["jobs"]))
    machine = facts["processors"]
    table.add_row(
        "machine",
        f"{text.count(machine)} processors"
        if machine
        else "size not in the log; pass --processors N or --site FILE to replay"
        if trace.demands is None
        else "nodes; describe them in a site file to replay (docs/sites.md)",
    )
    first, last = facts["first_submit"], facts["last_submit"]
    period = written_period(first, last, dates_of(trace))
    table.add_row("submitted", f"{period}, {text.duration(last - first)}")
    if facts["load"] is not None:
        table.add_row(
            "load", f"{text.percent(facts['load'])} of the machine from first to last submission"
        )
    for name in ("users", "groups", "executables", "queues", "partitions"):
        if facts[name]:
            table.add_row(name, text.count(facts[name]))
    if facts["demands"] is not None:
        asked = [f"{name} {count:,}" for name, count in facts["demands"].items() if count]
        table.add_row("jobs that request", ", ".join(asked))
    console.print(table)


def _print_distributions(console: Console, facts: dict[str, Any]) -> None:
    table = tables.new_table("", "mean", "median", "95 %", "max")
    for name, label, write in (
        ("job_processors", "processors per job", text.ratio),
        ("run_time", "run time", text.clock),
        ("requested_time", "requested time", text.clock),
        ("logged_wait", "wait in the log", text.clock),
    ):
        row = facts[name]
        if row is not None:
            table.add_row(label, *(write(row[key]) for key in ("mean", "median", "p95", "max")))
    console.print(table)


def _print_classes(console: Console, trace: Trace) -> None:
    shares = class_shares(trace)
    columns = list(shares[0]["jobs"])
    table = tables.new_table(
        "share of jobs / of work", *columns, title="Classes: processors by run time"
    )
    for row in shares:
        cells = [
            f"{100 * row['jobs'][c]:.1f} / {100 * row['work'][c]:.1f}" if row["jobs"][c] else "-"
            for c in columns
        ]
        table.add_row(row["processors"], *cells)
    console.print(table)


def _print_estimates(console: Console, trace: Trace) -> None:
    facts = estimate_facts(trace)
    if facts["share_given"] == 0:
        console.print("No job requests a time; run times stand in for requested times.\n")
        return
    console.print("[bold]Requested times[/]")
    for line in (
        f"{text.percent(facts['share_given'])} of the jobs request a time",
        f"the median job uses {text.percent(facts['median_used'])} of its requested time; the mean "
        f"share is {text.percent(facts['mean_used'])}",
        f"{text.percent(facts['share_under_tenth'])} use less than a tenth of it, "
        f"{text.percent(facts['share_overrun'])} exceed it",
        f"{facts['distinct']:,} different requested times; the ten most frequent account for "
        f"{text.percent(facts['share_ten_commonest'])} of the jobs",
    ):
        console.print(f"  {line}")
    console.print()
